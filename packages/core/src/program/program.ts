import type { Span } from '../source/span.js';
import type { BinaryOperator, UnaryOperator } from './expression.js';
import type { LocationId, RegisterId, ThreadId } from './ids.js';
import type { Instruction } from './instruction.js';

/** A shared variable: `length` consecutive cells from address `base`; `isArray` tells `a[1]` from a scalar. */
export interface SharedSymbol {
  readonly name: string;
  readonly base: number;
  readonly length: number;
  readonly isArray: boolean;
  /** Indexed by cell, `length` entries. */
  readonly initial: readonly number[];
}

/** A register; registers start at 0. `hidden` ones were made by a front end and never shown to users. */
export interface Register {
  readonly name: string;
  readonly hidden: boolean;
}

/** A control location, a "label" of [BDM13] Fig. 1. `hidden` ones were made by a front end (`name` is then still unique in its thread). */
export interface Location {
  readonly name: string;
  readonly hidden: boolean;
  readonly span?: Span;
}

/** Where a transition comes from; witnesses are lifted through it, never through names. */
export interface Origin {
  /** The source text of the instruction. */
  readonly span?: Span;
}

/** `from: instruction; goto to`. Several transitions may leave one location. `I` is the instruction set. */
export interface Transition<I = Instruction> {
  readonly from: LocationId;
  readonly to: LocationId;
  readonly instruction: I;
  readonly origin: Origin;
  /** Cost of a fence before this instruction (`@cost(n)`), positive. */
  readonly cost?: number;
  /** No fence may stand before this instruction (`@nofence`). */
  readonly nofence?: boolean;
}

/** Which copy of a template a thread is; copies have the same locations and transitions, ids included. */
export interface ThreadCopy {
  /** The template's name, for which the program has no other use. */
  readonly template: string;
  /** From 0 on. */
  readonly index: number;
}

/** One thread: an automaton. A location without outgoing transitions is an end. */
export interface Thread<I = Instruction> {
  readonly name: string;
  /** Absent for a thread that was written for itself. */
  readonly copy?: ThreadCopy;
  readonly registers: readonly Register[];
  readonly locations: readonly Location[];
  readonly initial: LocationId;
  readonly transitions: readonly Transition<I>[];
}

/** A condition on a whole state: thread positions, registers and shared memory. Non-zero is true. */
export type StateExpression =
  | { readonly kind: 'constant'; readonly value: number }
  | {
      readonly kind: 'at';
      readonly thread: ThreadId;
      readonly location: LocationId;
    }
  | { readonly kind: 'ended'; readonly thread: ThreadId }
  | {
      readonly kind: 'register';
      readonly thread: ThreadId;
      readonly register: RegisterId;
    }
  /** The value in memory of the cell at a constant address (buffers are not looked at). */
  | { readonly kind: 'memory'; readonly address: number }
  | {
      readonly kind: 'unary';
      readonly operator: UnaryOperator;
      readonly operand: StateExpression;
    }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: StateExpression;
      readonly right: StateExpression;
    };

/**
 * A named safety property. `never`: no reachable state satisfies the condition. `finally`: every reachable state in which
 * all threads have ended and all store buffers are empty satisfies it. `exists`: some such final state does (litmus tests).
 */
export interface Property {
  readonly name: string;
  readonly kind: 'never' | 'finally' | 'exists';
  readonly condition: StateExpression;
  readonly span?: Span;
}

/** Every stored value has to lie in `low..high`, both included; a store of another value faults. */
export interface Domain {
  readonly low: number;
  readonly high: number;
}

/** A parallel program with shared memory ([BDM13] Sect. 2). Memory cells without a symbol start at 0. */
export interface Program<I = Instruction> {
  readonly name: string;
  readonly symbols: readonly SharedSymbol[];
  readonly domain?: Domain;
  readonly threads: readonly Thread<I>[];
  readonly properties: readonly Property[];
}
