import type {
  Diagnostic,
  InputFormat,
  Limits,
  Model,
  Question,
  Result,
  RobustnessModel,
} from '@fencewright/core';

/** A question about a text, which may differ from the text in the file. */
export interface EngineQuestion {
  /** The name of the text's file, for texts in C that include files. */
  readonly file: string;
  readonly format: InputFormat;
  readonly text: string;
  readonly question: Question;
  readonly limits: Pick<Limits, 'effort' | 'maxMemory' | 'timeout'>;
}

/** The answer to a question about a text. */
export type EngineAnswer =
  | {
      readonly kind: 'answer';
      readonly model: Model;
      readonly result: Result;
      /** The diagnostics from reading the text of the question. */
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: 'unread'; readonly diagnostics: readonly Diagnostic[] }
  /** The work exceeded the limits, or the question was cancelled. */
  | { readonly kind: 'stopped'; readonly reason: 'memory' | 'time' | 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string };

/** Answers questions outside the caller's thread, so that the caller is never blocked. */
export interface Engine {
  /** Asks one question at a time. Never rejects; ends within a second of `signal`. */
  ask(asked: EngineQuestion, signal: AbortSignal): Promise<EngineAnswer>;
  /** Returns the memory model that is configured for a file; TSO if absent. */
  modelFor?(file: string): Promise<RobustnessModel>;
}

/** The services provided to a language server by the program that starts the server. */
export interface Host {
  readonly engine: Engine;
  readonly version: string;
  /** Stores an HTML page for an editor to open; returns the page's address. */
  readonly keepPage?: (html: string) => Promise<string>;
  /** Returns whether a file exists; links point to existing files only. */
  readonly isThere?: (uri: string) => Promise<boolean>;
}
