import type { BinaryOperator, UnaryOperator } from '@fencewright/model/program/expression.js';
import type { MemoryOrder, WeakFenceOrder } from '@fencewright/model/program/memory-order.js';
import type { RmwName } from '@fencewright/model/program/rmw.js';
import type { Span } from '@fencewright/ground/source/span.js';

/**
 * The value stored by a read-modify-write: as in the program model, with terms for the operands.
 */
export type CUpdate =
  /** An operation such as an addition; its result is the value found in memory. */
  | { readonly kind: 'operation'; readonly name: RmwName; readonly operand: CTerm }
  /** A compare-exchange whose result is the value found in memory. */
  | { readonly kind: 'cmpxchg'; readonly expected: CTerm; readonly desired: CTerm }
  /**
   * An addition unless the value found is the given one; its result is whether it added.
   */
  | { readonly kind: 'add-unless'; readonly operand: CTerm; readonly unless: CTerm }
  /**
   * A compare-exchange whose result is whether it stored; if it did not, the value found in memory
   * is assigned to the target of `expected`.
   */
  | {
      readonly kind: 'compare-exchange';
      readonly expected: CPlace;
      readonly desired: CTerm;
    };

/**
 * The memory orders of a read-modify-write; `failureOrder` is that of a compare-exchange. A weak
 * compare-exchange may fail at any time.
 */
export interface CRmwOrders {
  readonly order?: MemoryOrder;
  readonly failureOrder?: MemoryOrder;
  readonly mayFail?: true;
}

/** The target of an assignment: a local variable, or the cell at the address given by a term. */
export type CPlace =
  | { readonly kind: 'local'; readonly name: string; readonly span: Span }
  | { readonly kind: 'cell'; readonly address: CTerm };

export type CTerm = { readonly span: Span } & (
  | { readonly kind: 'number'; readonly value: number }
  /**
   * A local variable, or a parameter; the value of a parameter is the address of a shared location.
   */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: CTerm }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: CTerm;
      readonly right: CTerm;
    }
  /** A load. A load without an order is plain. */
  | { readonly kind: 'load'; readonly address: CTerm; readonly order?: MemoryOrder }
  | {
      readonly kind: 'rmw';
      readonly address: CTerm;
      readonly update: CUpdate;
      readonly orders?: CRmwOrders;
      /** Present if the read-modify-write is a `seq_cst` store, which x86 makes by an exchange. */
      readonly isStore?: true;
    }
);

export type CStatement = { readonly span: Span } & (
  | { readonly kind: 'nothing' }
  /** A full fence; with `weaker`, a fence of this order instead. */
  | { readonly kind: 'fence'; readonly weaker?: WeakFenceOrder }
  /** A declaration; `value` is absent for a declaration without value. */
  | { readonly kind: 'declare'; readonly name: string; readonly value?: CTerm }
  /** An assignment. An assignment to a cell without an order is a plain store. */
  | {
      readonly kind: 'assign';
      readonly place: CPlace;
      readonly value: CTerm;
      readonly order?: MemoryOrder;
    }
  /** A term evaluated for its effect. */
  | { readonly kind: 'evaluate'; readonly term: CTerm }
  | { readonly kind: 'block'; readonly body: readonly CStatement[] }
  | {
      readonly kind: 'if';
      readonly condition: CTerm;
      readonly positive: CStatement;
      readonly negative?: CStatement;
    }
  /** A loop; `step` is executed after each iteration, and after `continue`. */
  | {
      readonly kind: 'while';
      readonly condition: CTerm;
      readonly body: CStatement;
      readonly step?: CStatement;
    }
  | { readonly kind: 'do'; readonly body: CStatement; readonly condition: CTerm }
  | { readonly kind: 'break' | 'continue' }
);

/** A thread: `P0(int *x) { ... }`. */
export interface CFunction {
  readonly number: number;
  readonly span: Span;
  readonly parameters: readonly string[];
  readonly body: CStatement;
}

/** An argument of a call: a term (where `*p` is still a place), or the name of a memory order. */
export interface CallArgument {
  readonly term: CTerm;
  /** The place that the argument points to; present for `&r` of a local variable. */
  readonly place?: CPlace;
}

/**
 * The meaning of a call: a value, or an action. `isOfKernel`: the Linux kernel defines the call,
 * and not C11.
 */
export type CallMeaning = { readonly isOfKernel?: true } & (
  | { readonly kind: 'value'; readonly term: CTerm }
  | { readonly kind: 'done'; readonly statement: CStatement }
);
