import type { Extra } from './random-extras.js';
import type { Dice, TextCell } from './random-text.js';

/** A random part of a C program: its declarations, and statements of threads that use them. */
export interface CShape extends Extra {
  /**
   * Groups of statements, in three lists: for the first thread only, for the second thread only,
   * and for all threads.
   */
  readonly of?: readonly (readonly (readonly string[])[])[];
  /** Returns the statements to put at the end of a thread. */
  readonly last?: (thread: number) => readonly string[];
  /**
   * Whether statements run after `main`. An assertion at the end of `main` would keep them from
   * running, so the program gets none.
   */
  readonly runsLast?: true;
  /** By name of a library function, its known result in this program. */
  readonly given?: Readonly<Record<string, number>>;
  /** The names of the assumptions that the tool's answer must state. */
  readonly assumed?: readonly string[];
  /** By name that the tool gives to a value, the expression in the program that has this value. */
  readonly named?: Readonly<Record<string, string>>;
  /** The names of values of a single thread that the tool must show if they may differ. */
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
