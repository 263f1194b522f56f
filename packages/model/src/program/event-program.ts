import type { Span } from '@fencewright/ground/source/span.js';
import type { Expression } from './expression.js';
import type { RegisterId } from './ids.js';
import type { Instruction } from './instruction.js';
import type { Property, SharedSymbol, Domain, Thread } from './program.js';

/** The number of an event's or procedure's body: an index into `EventProgram.bodies`. */
export type BodyId = number;

/**
 * The number of a milestone, a label for which events wait: an index into
 * `EventProgram.milestones`.
 */
export type MilestoneId = number;

/** A label of an event or a procedure; some events start only after a task has passed it. */
export interface Milestone {
  readonly body: BodyId;
  readonly label: string;
}

/** The thread for a posted task: the main thread, or a new thread. */
export type PostedTo = 'main' | 'any';

/**
 * The instructions of bodies of events and procedures: those of threads and three more ([BEMR18]
 * Sect. 2).
 *
 * - `call` runs a procedure in the current task, at once; there is no result.
 * - `post` creates a task that runs a procedure later; arguments are evaluated at the posting.
 * - `pass` records that a task has passed a milestone, a label: events that wait for it may start
 *   from now on. It accesses no memory and waits for no buffer.
 *
 * The number of arguments equals the number of parameters of the procedure. Calls and postings
 * access no memory and do not wait for the store buffer. They never occur between `lock` and
 * `unlock`.
 */
export type EventInstruction =
  | Instruction
  | {
      readonly kind: 'call';
      readonly body: BodyId;
      readonly arguments: readonly Expression[];
    }
  | {
      readonly kind: 'post';
      readonly body: BodyId;
      readonly to: PostedTo;
      readonly arguments: readonly Expression[];
    }
  | { readonly kind: 'pass'; readonly milestone: MilestoneId };

export type EventCall = Extract<EventInstruction, { readonly kind: 'call' }>;

/** A call of a procedure, or the posting of a task. */
export type Invocation = Extract<EventInstruction, { readonly kind: 'call' | 'post' }>;

/**
 * Whether the instruction is a call of a procedure or the posting of a task; these occur in events
 * and procedures only, not in threads.
 */
export function isInvocation(instruction: EventInstruction): instruction is Invocation {
  return instruction.kind === 'call' || instruction.kind === 'post';
}

/** Whether the instruction may occur in a thread, too, and not only in events and procedures. */
export function isOfThreads(instruction: EventInstruction): instruction is Instruction {
  return !isInvocation(instruction) && instruction.kind !== 'pass';
}

/**
 * The automaton of an event or a procedure. Each call has its own registers: the first registers
 * hold the parameters, the rest start at 0. At a location without outgoing transitions, the call
 * returns.
 */
export interface Body extends Thread<EventInstruction> {
  readonly role: 'event' | 'procedure';
  /** The number of parameters of the event or procedure; the first registers are the parameters. */
  readonly parameters: RegisterId;
  /** The place in the text where the event or procedure is declared. */
  readonly span?: Span;
}

/**
 * The starts of one event with given arguments, as in `e(1, 2) * 3`: the environment starts events
 * in any order.
 */
export interface EventInstances {
  /** The index of the event in `EventProgram.bodies`. */
  readonly event: BodyId;
  /** The arguments of each instance, one for each parameter of the event. */
  readonly arguments: readonly number[];
  /** The number of instances to start, at least 1; `any` means any number, including 0. */
  readonly count: number | 'any';
  /**
   * The milestones (labels) that tasks must have passed before an instance may start, each once, in
   * ascending order; absent if there are none.
   */
  readonly after?: readonly MilestoneId[];
}

/**
 * A program of events and procedures that post tasks ([BEMR18] Sect. 2). Its properties are about
 * shared memory only.
 */
export interface EventProgram {
  readonly name: string;
  readonly symbols: readonly SharedSymbol[];
  readonly domain?: Domain;
  /** The automata of events and procedures, in the order of the text. */
  readonly bodies: readonly Body[];
  /**
   * The instances of events that the environment starts, in the order of the text; equal entries
   * need not be merged.
   */
  readonly instances: readonly EventInstances[];
  /**
   * The milestones, the labels that tasks must pass before certain instances start; absent if there
   * are none.
   */
  readonly milestones?: readonly Milestone[];
  readonly properties: readonly Property[];
}
