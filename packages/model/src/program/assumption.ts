/**
 * Something outside of the text that a program takes for granted: an answer about the program is
 * one about the text where it is so, and every answer says so.
 */
export interface Assumption {
  /** What it is about, for programs that read answers: `malloc`. */
  readonly name: string;
  /** A statement, without a full stop: `malloc never fails`. */
  readonly text: string;
}
