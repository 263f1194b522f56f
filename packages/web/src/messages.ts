import type { Headline, InputFormat } from '@fencewright/core';

/** The formats supported in the page; C needs a compiler. */
export type WebFormat = Extract<InputFormat, 'native' | 'litmus' | 'trencher' | 'memorax'>;

/** A question about a text. */
export interface TextQuestion {
  readonly file: string;
  readonly format: WebFormat;
  readonly text: string;
  /** The time limit for each of the three questions, in milliseconds. */
  readonly timeout: number;
}

/** A place in the text with a message; lines and columns from 0, in UTF-16 units. */
export interface MessagePlace {
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly from: { readonly line: number; readonly column: number };
  readonly to: { readonly line: number; readonly column: number };
}

export type VerdictState = 'robust' | 'not-robust' | 'unknown' | 'error';

/**
 * The parts of a run's result, in this order; each except `progress` and `verdict` comes at most
 * once. A verdict is reported when found, and again with all findings.
 */
export type ResultPart =
  | { readonly kind: 'progress'; readonly states: number; readonly bytes: number }
  /** The result of reading the text, with lint among the marks. */
  | { readonly kind: 'read'; readonly isProgram: boolean; readonly marks: readonly MessagePlace[] }
  | {
      readonly kind: 'verdict';
      readonly state: VerdictState;
      /** The meaning of the verdict, as a sentence; of `unknown`, the reason. */
      readonly detail: string;
      readonly marks: readonly MessagePlace[];
      readonly states: number;
      readonly milliseconds: number;
      readonly text: string;
    }
  /** The page of `explain`, if the model can be shown. */
  | { readonly kind: 'execution'; readonly page: string }
  | {
      readonly kind: 'fences';
      /** The answer in a sentence. */
      readonly words: string;
      readonly diff?: string;
      /** The text with the fences. */
      readonly after?: string;
      /** Whether more time may give a better answer. */
      readonly isCut: boolean;
      readonly text: string;
    }
  | {
      readonly kind: 'states';
      readonly words: string;
      /** The sentence on claims and states, to stand above the verdict; absent if unknown. */
      readonly headline?: Headline;
      /** Values and places of the state that only TSO reaches. */
      readonly difference?: readonly string[];
      /** Whether fences are worth a thought; unknown if absent. */
      readonly advisesFences?: boolean;
      readonly page?: string;
      /** Whether more time may give a better answer. */
      readonly isCut: boolean;
      readonly text: string;
    }
  /** The end of a run; `stopped`: by the user. */
  | { readonly kind: 'ended'; readonly by: 'itself' | 'stopped' }
  | { readonly kind: 'failed'; readonly message: string };

/** The message from the page to the worker; `run` counts up. */
export type WorkerOrder =
  | { readonly kind: 'ask'; readonly run: number; readonly asked: TextQuestion }
  | { readonly kind: 'stop'; readonly run: number };

/** The message from the worker to the page. */
export interface Report {
  readonly run: number;
  readonly part: ResultPart;
}

export type StatesPart = Extract<ResultPart, { readonly kind: 'states' }>;
export type VerdictPart = Extract<ResultPart, { readonly kind: 'verdict' }>;
