import type { WebFormat } from './messages.js';

/** A question about a place of a text; the place is an offset in UTF-16 units. */
export interface LanguageAsked {
  /** The number of the question; each further question has a larger number. */
  readonly id: number;
  readonly kind: 'hover' | 'complete';
  readonly format: WebFormat;
  readonly text: string;
  readonly offset: number;
}

/** A completion at a place. */
export interface Offer {
  readonly label: string;
  /**
   * A remark to be shown beside the word `label`: the kind of the word, or its meaning; may be
   * empty.
   */
  readonly detail: string;
  /** The text to insert before the cursor; `after` is the text to insert after the cursor. */
  readonly before: string;
  readonly after: string;
}

/** The answer about a place; the hover text is Markdown, absent if nothing is known. */
export interface LanguageAnswer {
  readonly id: number;
  readonly hover?: string;
  readonly offers: readonly Offer[];
}

/** Asks about a place of a text. */
export type Ask = (
  kind: LanguageAsked['kind'],
  text: string,
  offset: number,
) => Promise<LanguageAnswer>;
