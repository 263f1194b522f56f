import type { Body, EventInstruction } from '@fencewright/model/program/event-program.js';
import type { InlinedThread } from '@fencewright/model/program/inline-calls.js';
import type { LocationId, RegisterId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Thread } from '@fencewright/model/program/program.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { Automaton } from './syntax.js';
import type { Block } from './syntax-statements.js';
import type { TextFlow } from './text-flow.js';

/** What a thread was lowered from. */
export type ThreadText =
  | { readonly kind: 'automaton'; readonly automaton: Automaton }
  | { readonly kind: 'structured'; readonly body: Block; readonly flow: TextFlow };

/** A thread that calls procedures, and what became of its parts. */
interface CallingThread extends Omit<InlinedThread, 'thread'> {
  readonly written: Thread<EventInstruction>;
}

/** A thread, or a body (`I` then has more), with the names that properties may use. */
export interface LoweredThread<I = Instruction> {
  readonly thread: Thread<I>;
  /** All labels of the user; several may stand for one location. */
  readonly labels: ReadonlyMap<string, LocationId>;
  /** The registers that the user declared. */
  readonly registers: ReadonlyMap<string, RegisterId>;
  readonly text: ThreadText;
  /** Where `thread` has procedures in line: how it was before. */
  readonly calling?: CallingThread;
  /** How many copies there are could not be read. */
  readonly isUncertain?: boolean;
  /** The declaration says `[*]`. */
  readonly isUnbounded?: boolean;
}

/** An event or a procedure with what it was lowered from. */
export interface LoweredBody extends LoweredThread<EventInstruction> {
  readonly role: Body['role'];
  /** How many there are. */
  readonly parameters: number;
  /** Where its name is declared. */
  readonly span: Span;
}
