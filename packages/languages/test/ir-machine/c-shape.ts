import type { Extra } from './random-extras.js';
import type { Dice, TextCell } from './random-text.js';

/** A kind of thing that programs in C have, and how threads use it. */
export interface CShape extends Extra {
  /** What only the first, and only the second thread may do; behind that, what all may. */
  readonly of?: readonly (readonly (readonly string[])[])[];
  /** What a thread does last. */
  readonly last?: (thread: number) => readonly string[];
  /** What functions of the library give in this program. */
  readonly given?: Readonly<Record<string, number>>;
  /** What the tool has to say that it takes for granted. */
  readonly assumed?: readonly string[];
  /** By what the tool calls it, an expression that is observed. */
  readonly named?: Readonly<Record<string, string>>;
  /** What one thread alone has, and the tool has to show where it may differ. */
  readonly shown?: readonly string[];
  /** `main` has parameters, and sees these many. */
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
