/**
 * A fact outside of the text that the program takes for granted: answers about the program apply to
 * the text only if the fact holds, and every answer mentions the fact.
 */
export interface Assumption {
  /** The subject of the assumption, as a key for programs that read answers: `malloc`. */
  readonly name: string;
  /** A statement, without a full stop: `malloc never fails`. */
  readonly text: string;
}
