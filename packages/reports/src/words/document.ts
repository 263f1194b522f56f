import type { Span } from '@fencewright/ground/source/span.js';
import type { Headline } from './headline.js';

/**
 * The meaning of a colour; each format has its own colours. `strong` is for words that readers
 * should notice first, `accent` for headings and line numbers, `faint` for words that readers may
 * skip.
 */
export type Tone = 'good' | 'bad' | 'doubtful' | 'strong' | 'accent' | 'faint';

/** A text, or a text with a tone. */
export type TonedText = string | { readonly text: string; readonly tone: Tone };

/** One line of words; several have no blanks between them. */
export type Words = TonedText | readonly TonedText[];

/** A place in the source, with a remark to be written below it. */
export interface MarkedSpan {
  readonly span: Span;
  readonly remark?: string;
  readonly tone: Tone;
}

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** A table; short rows get empty cells at the end. */
export interface Table {
  /** Whether reports in plain text leave out the titles of the columns. */
  readonly isUntitled?: boolean;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly TonedText[])[];
}

/** A step of a run, in words: each member is the text of a column, empty if it has none. */
export interface RunStep {
  readonly step: string;
  readonly thread: string;
  /** The task that takes the step, in runs of event programs. */
  readonly task: string;
  readonly action: string;
  readonly label: string;
  readonly line: string;
  readonly address: string;
  readonly value: string;
  readonly instruction: string;
  /** Whether the step is part of the cycle or the violation that the run shows. */
  readonly isMarked: boolean;
}

/** The steps of a run of threads or of events; steps that say nothing are left out. */
export type Run = readonly RunStep[];

/** An entry of a list, with the blocks about it. */
export interface Item {
  readonly words: Words;
  /** The words that readers may skip, without brackets. */
  readonly note?: string;
  readonly blocks?: readonly Block[];
}

/**
 * A part of an answer. Texts and pages print the same blocks: `printText` and `blocksHtml` know all
 * kinds.
 */
export type Block =
  /** The answer in one line, after the title of the report. */
  | { readonly kind: 'headline'; readonly title: string; readonly headline: Headline }
  /** One line; `level` is the number of indentation steps. */
  | { readonly kind: 'sentence'; readonly words: Words; readonly level: number }
  | { readonly kind: 'section'; readonly title: TonedText; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly Item[] }
  | ({ readonly kind: 'table' } & Table)
  | { readonly kind: 'run'; readonly run: Run }
  /** The marked lines of a source. */
  | { readonly kind: 'excerpt'; readonly source: string; readonly marks: readonly MarkedSpan[] }
  | { readonly kind: 'advice'; readonly words: string }
  /** A change of the program, as a unified diff. */
  | { readonly kind: 'change'; readonly diff: string };
