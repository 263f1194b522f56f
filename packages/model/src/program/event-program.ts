import type { Span } from '@fencewright/ground/source/span.js';
import type { Expression } from './expression.js';
import type { RegisterId } from './ids.js';
import type { Instruction } from './instruction.js';
import type { Property, SharedSymbol, Domain, Thread } from './program.js';

/** Index into `EventProgram.bodies`. */
export type BodyId = number;

/** Where a posted task runs: on the main thread, or on a thread of its own. */
export type PostedTo = 'main' | 'any';

/**
 * What bodies of events and procedures can do besides what threads do ([BEMR18] Sect. 2).
 *
 * - `call` runs a procedure in the same task, at once; there is no result.
 * - `post` makes a task of a procedure that runs some time later; arguments are evaluated now.
 *
 * Both are given as many arguments as the procedure has parameters. Neither is an access of memory
 * nor waits for the store buffer. They never stand between `lock` and `unlock`.
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
    };

/** Whether the instruction makes an invocation: no thread has such. */
export function isInvocation(
  instruction: EventInstruction,
): instruction is Exclude<EventInstruction, Instruction> {
  return instruction.kind === 'call' || instruction.kind === 'post';
}

/**
 * An event handler or a procedure: an automaton. Each invocation has registers of its own, which
 * start at 0, but for the first ones, which are its parameters. A location without outgoing
 * transitions is where it returns.
 */
export interface Body extends Thread<EventInstruction> {
  readonly role: 'event' | 'procedure';
  /** How many of the registers, from the first on, are parameters. */
  readonly parameters: RegisterId;
  /** Where its name is declared. */
  readonly span?: Span;
}

/** `e(1, 2) * 3`: what the environment starts, in any order. */
export interface EventInstances {
  /** An event. */
  readonly event: BodyId;
  /** As many as the event has parameters. */
  readonly arguments: readonly number[];
  /** How many there are, at least 1; `any` stands for any number, 0 included. */
  readonly count: number | 'any';
}

/**
 * A program of events, procedures and asynchronous invocations ([BEMR18] Sect. 2). Its properties
 * speak of shared memory only.
 */
export interface EventProgram {
  readonly name: string;
  readonly symbols: readonly SharedSymbol[];
  readonly domain?: Domain;
  /** Events and procedures, in the order of the text. */
  readonly bodies: readonly Body[];
  /** In the order of the text; equal ones may stand apart. */
  readonly instances: readonly EventInstances[];
  readonly properties: readonly Property[];
}
