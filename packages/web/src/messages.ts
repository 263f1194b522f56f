import type { InputFormat } from '@fencewright/core';

/** The formats that are read in the page; C needs a compiler. */
export type WebFormat = Extract<InputFormat, 'native' | 'litmus' | 'trencher' | 'memorax'>;

/** What is asked about a text. */
export interface Asked {
  readonly file: string;
  readonly format: WebFormat;
  readonly text: string;
  /** Milliseconds for each of the three questions. */
  readonly timeout: number;
}

/** A place in the text with what is said of it; lines and columns from 0, in UTF-16 units. */
export interface Mark {
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly from: { readonly line: number; readonly column: number };
  readonly to: { readonly line: number; readonly column: number };
}

export type VerdictState = 'robust' | 'not-robust' | 'unknown' | 'error';

/**
 * What comes of a run, in this order; each but `progress` and `verdict` at most once. A verdict is
 * told as soon as it is known, and again with all that was found out about it.
 */
export type Part =
  | { readonly kind: 'progress'; readonly states: number; readonly bytes: number }
  /** The text has been read, or cannot be; lint is among the marks. */
  | { readonly kind: 'read'; readonly isProgram: boolean; readonly marks: readonly Mark[] }
  | {
      readonly kind: 'verdict';
      readonly state: VerdictState;
      /** What the state does not say, or nothing. */
      readonly detail: string;
      readonly marks: readonly Mark[];
      readonly states: number;
      readonly milliseconds: number;
      readonly text: string;
    }
  /** The page of `explain`, where there is a model that can be shown. */
  | { readonly kind: 'execution'; readonly page: string }
  | {
      readonly kind: 'fences';
      /** In a sentence. */
      readonly words: string;
      readonly diff?: string;
      /** The text with the fences. */
      readonly after?: string;
      /** More time may say more. */
      readonly isCut: boolean;
      readonly text: string;
    }
  | {
      readonly kind: 'states';
      readonly words: string;
      readonly page?: string;
      /** More time may say more. */
      readonly isCut: boolean;
      readonly text: string;
    }
  /** `stopped`: the user did. */
  | { readonly kind: 'ended'; readonly by: 'itself' | 'stopped' }
  | { readonly kind: 'failed'; readonly message: string };

/** From the page to the worker; `run` counts up. */
export type Order =
  | { readonly kind: 'ask'; readonly run: number; readonly asked: Asked }
  | { readonly kind: 'stop'; readonly run: number };

/** From the worker to the page. */
export interface Report {
  readonly run: number;
  readonly part: Part;
}

export type Verdict = Extract<Part, { readonly kind: 'verdict' }>;
