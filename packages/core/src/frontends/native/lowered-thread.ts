import type { LocationId, RegisterId } from '../../program/ids.js';
import type { Instruction } from '../../program/instruction.js';
import type { Thread } from '../../program/program.js';
import type { Automaton } from './syntax.js';
import type { Block } from './syntax-statements.js';
import type { TextFlow } from './text-flow.js';

/** What a thread was lowered from. */
export type ThreadText =
  | { readonly kind: 'automaton'; readonly automaton: Automaton }
  | { readonly kind: 'structured'; readonly body: Block; readonly flow: TextFlow };

/** A thread, or a body (`I` then has more), with the names that properties may use. */
export interface LoweredThread<I = Instruction> {
  readonly thread: Thread<I>;
  /** All labels of the user; several may stand for one location. */
  readonly labels: ReadonlyMap<string, LocationId>;
  /** The registers that the user declared. */
  readonly registers: ReadonlyMap<string, RegisterId>;
  readonly text: ThreadText;
  /** How many copies there are could not be read. */
  readonly isUncertain?: boolean;
  /** The declaration says `[*]`. */
  readonly isUnbounded?: boolean;
}
