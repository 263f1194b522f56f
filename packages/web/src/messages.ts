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
 * The parts of a run's result, in this order; each except `progress`, `verdict` and `execution`
 * comes at most once. A verdict is reported when found, and again with all findings.
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
      /**
       * Whether an `answer` about claims and states follows, for which the verdict is only the
       * reason.
       */
      readonly hasAnswer: boolean;
    }
  /** The answer about claims and states; its pages take longer. */
  | {
      readonly kind: 'answer';
      /** The answer in a sentence. */
      readonly words: string;
      /** The sentence on claims and states, shown above the verdict; absent if unknown. */
      readonly headline?: Headline;
      /** The values and locations of the state that only TSO reaches, one a line. */
      readonly difference?: readonly string[];
      /** Whether the page should advise fences. */
      readonly advisesFences: boolean;
    }
  /**
   * The page that `explain` makes of the execution, if the model can be shown, and its text. Comes
   * again, with the answer as the headline, when the answer about claims and states is known.
   */
  | { readonly kind: 'execution'; readonly page: string; readonly text?: string }
  | {
      readonly kind: 'fences';
      /** The answer about fences in a sentence. */
      readonly words: string;
      readonly diff?: string;
      /** The program's text with the fences inserted. */
      readonly after?: string;
      /** Whether the search ended early, so that more time may find cheaper fences. */
      readonly isCut: boolean;
      readonly text: string;
    }
  | {
      readonly kind: 'states';
      /** The reason for a missing page; otherwise empty. */
      readonly words: string;
      readonly page?: string;
      /** Whether the search ended early, so that more time may find more states. */
      readonly isCut: boolean;
      readonly text: string;
    }
  /** The end of a run, by itself or because the user stopped it. */
  | { readonly kind: 'ended'; readonly by: 'itself' | 'stopped' }
  | { readonly kind: 'failed'; readonly message: string };

/** A message from the page to the worker; each run has a larger `run` than the run before. */
export type WorkerOrder =
  | { readonly kind: 'ask'; readonly run: number; readonly asked: TextQuestion }
  | { readonly kind: 'stop'; readonly run: number };

/** The message from the worker to the page. */
export interface Report {
  readonly run: number;
  readonly part: ResultPart;
}

export type AnswerPart = Extract<ResultPart, { readonly kind: 'answer' }>;
export type VerdictPart = Extract<ResultPart, { readonly kind: 'verdict' }>;
