import type { Extra } from './random-extras.js';
import type { Dice, TextCell } from './random-text.js';

/** A random part of a C program: its declarations, and statements of threads that use them. */
export interface CShape extends Extra {
  /**
   * Three lists of statements: for the first thread only, for the second thread only, and for all
   * threads.
   */
  readonly of?: readonly (readonly (readonly string[])[])[];
  /** Returns the last statements of a thread. */
  readonly last?: (thread: number) => readonly string[];
  /** Known results of library functions in this program, by function. */
  readonly given?: Readonly<Record<string, number>>;
  /** Assumptions that the tool's answer must state. */
  readonly assumed?: readonly string[];
  /** Observed expressions, by the name that the tool gives to their values. */
  readonly named?: Readonly<Record<string, string>>;
  /** Values of one thread alone that the tool must show if they may differ. */
  readonly shown?: readonly string[];
  /** The possible values of `argc`; absent if `main` has no parameters. */
  readonly argumentCounts?: readonly number[];
}

export type CShapeMaker = (dice: Dice, cells: readonly TextCell[]) => CShape;

export const shape = (kind: string, parts: Partial<CShape>): CShape => ({
  kind,
  declared: [],
  starts: [],
  statements: [],
  observed: [],
  ...parts,
});
