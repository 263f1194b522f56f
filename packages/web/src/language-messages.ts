import type { WebFormat } from './messages.js';

/** A place of a text that is asked about; the place is an offset in UTF-16 units. */
export interface LanguageAsked {
  /** Counts up. */
  readonly id: number;
  readonly kind: 'hover' | 'complete';
  readonly format: WebFormat;
  readonly text: string;
  readonly offset: number;
}

/** What can stand at a place. */
export interface Offer {
  readonly label: string;
  /** What kind of word it is, or what it means. */
  readonly detail: string;
  /** Goes into the text, with the cursor after `before`. */
  readonly before: string;
  readonly after: string;
}

/** What is known of the place; Markdown, and nothing where nothing is known. */
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
