import type { Body, EventInstruction } from '@fencewright/model/program/event-program.js';
import type { InlinedThread } from '@fencewright/model/program/inline-calls.js';
import type { LocationId, RegisterId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Thread } from '@fencewright/model/program/program.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { Automaton } from './syntax.js';
import type { Block } from './syntax-statements.js';
import type { TextFlow } from './text-flow.js';

/** The text from which a thread was lowered. */
export type ThreadText =
  | { readonly kind: 'automaton'; readonly automaton: Automaton }
  | { readonly kind: 'structured'; readonly body: Block; readonly flow: TextFlow };

/** A thread that calls procedures, and its parts after inlining. */
interface CallingThread extends Omit<InlinedThread, 'thread'> {
  readonly written: Thread<EventInstruction>;
}

/** A thread, or a body (with a larger `I`), and the names that properties may use. */
export interface LoweredThread<I = Instruction> {
  readonly thread: Thread<I>;
  /** All labels of the user; several labels may share one location. */
  readonly labels: ReadonlyMap<string, LocationId>;
  /** The registers declared by the user. */
  readonly registers: ReadonlyMap<string, RegisterId>;
  readonly text: ThreadText;
  /** The thread before inlining; present if `thread` has procedures inlined. */
  readonly calling?: CallingThread;
  /** Whether the number of copies was unreadable. */
  readonly isUncertain?: boolean;
  /** Whether the declaration says `[*]`. */
  readonly isUnbounded?: boolean;
}

/** An event or a procedure with its source text. */
export interface LoweredBody extends LoweredThread<EventInstruction> {
  readonly role: Body['role'];
  /** The number of parameters. */
  readonly parameters: number;
  /** The span of the declared name. */
  readonly span: Span;
}
