import type { Body, EventInstruction } from '@fencewright/model/program/event-program.js';
import type { InlinedThread } from '@fencewright/model/program/inline-calls.js';
import type { LocationId, RegisterId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Thread } from '@fencewright/model/program/program.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { Automaton } from './syntax.js';
import type { BlockSyntax } from './syntax-statements.js';
import type { TextFlow } from './text-flow.js';

/** The text of a thread, an event or a procedure that was lowered. */
export type ThreadText =
  | { readonly kind: 'automaton'; readonly automaton: Automaton }
  | { readonly kind: 'structured'; readonly body: BlockSyntax; readonly flow: TextFlow };

/**
 * A thread that calls procedures, as written, and the parts of the inlined thread that come from
 * each text.
 */
interface CallingThread extends Omit<InlinedThread, 'thread'> {
  readonly written: Thread<EventInstruction>;
}

/**
 * A thread, an event or a procedure with instructions of type `I`, and the names that properties
 * may use.
 */
export interface LoweredThread<I = Instruction> {
  readonly thread: Thread<I>;
  /** By label that the user wrote, its location; several labels may share one location. */
  readonly labels: ReadonlyMap<string, LocationId>;
  /** By name, the registers declared by the user. */
  readonly registers: ReadonlyMap<string, RegisterId>;
  readonly text: ThreadText;
  /** The thread before inlining; present if `thread` contains inlined procedures. */
  readonly calling?: CallingThread;
  /** Whether an error made the number of copies unreadable. */
  readonly isUncertain?: boolean;
  /** Whether the declaration says `[*]`: the thread has any number of copies. */
  readonly isUnbounded?: boolean;
}

/** An event or a procedure with its source text. */
export interface LoweredBody extends LoweredThread<EventInstruction> {
  readonly role: Body['role'];
  /** The number of parameters of the event or procedure. */
  readonly parameters: number;
  /** The span of the event's or procedure's name at its declaration. */
  readonly span: Span;
}
