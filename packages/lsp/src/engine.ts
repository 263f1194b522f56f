import type { Diagnostic, InputFormat, Limits, Model, Question, Result } from '@fencewright/core';

/** A question about a text, which need not be the one that its file holds. */
export interface Asked {
  /** Where the text is, for those of C that read others. */
  readonly file: string;
  readonly format: InputFormat;
  readonly text: string;
  readonly question: Question;
  readonly limits: Pick<Limits, 'maxMemory' | 'timeout'>;
}

/** What came of it. */
export type Answered =
  | {
      readonly kind: 'answer';
      readonly model: Model;
      readonly result: Result;
      /** Those of reading the text. */
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: 'unread'; readonly diagnostics: readonly Diagnostic[] }
  /** The work would not keep to its limits, or nobody wants to know any more. */
  | { readonly kind: 'stopped'; readonly reason: 'memory' | 'time' | 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string };

/** Answers questions somewhere else, so that whoever asks is never kept waiting. */
export interface Engine {
  /** One question at a time. Never rejects; ends within a second once `signal` says so. */
  ask(asked: Asked, signal: AbortSignal): Promise<Answered>;
}

/** What a server is given by who starts it. */
export interface Host {
  readonly engine: Engine;
  readonly version: string;
  /** Keeps a page of HTML where an editor can open it; gives its address. */
  readonly keepPage?: (html: string) => Promise<string>;
  /** Whether a file is there; links are to such files only. */
  readonly isThere?: (uri: string) => Promise<boolean>;
}
