import type { Span } from '@fencewright/ground/source/span.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { C11Model } from '../c11/execution-graph.js';
import type { OrderChange } from '../program/order-change.js';
import type { OrderTarget } from '../program/order-target.js';
import type { OrderAside, Program } from '../program/program.js';
import type { Assumption } from '../program/assumption.js';
import type { C11Race, C11Refusal, C11Violation, FailingAssertion } from './c11-result.js';
import type { FreedUse } from './data-race.js';
import type { UnknownReason } from './unknown-reason.js';

/** The purpose of the orders: robustness, or that all assertions hold. */
export type OrdersGoal = 'robustness' | 'assertions';

/** The reason why orders are too weak: an execution that SC does not have, or a data race. */
export type OrderViolation =
  | { readonly kind: 'violation'; readonly violation: C11Violation; readonly program: Program }
  | { readonly kind: 'race'; readonly race: C11Race; readonly program: Program }
  /** An assertion fails in an execution of C11, and in none of SC. */
  | { readonly kind: 'assertion'; readonly failure: FailingAssertion; readonly program: Program }
  /** Whether hardware has some execution is not known. */
  | { readonly kind: 'doubt'; readonly doubt: C11Refusal; readonly program: Program }
  /** An assertion fails under SC, whatever the orders. */
  | { readonly kind: 'assertion-under-sc'; readonly program: Program };

/** A use of freed memory under SC, which no orders exclude. */
interface FreedUseOfOrders {
  readonly kind: 'freed-use';
  readonly use: FreedUse;
}

/** The questions left undecided by a search for memory orders sufficient for assertions. */
export interface OpenOrders {
  /**
   * A lower bound on the cost of sufficient changes; absent if the changes found are proved to be
   * the cheapest. If the bound equals the cost, other changes of the same cost, or fewer changes,
   * may be sufficient.
   */
  readonly bound?: number;
  /**
   * Whether it is undecided if some single access or fence may have a weaker order while all others
   * keep theirs.
   */
  readonly isAloneOpen: boolean;
  /** Executions of C11 that SC does not have, for which the assertions are not decided. */
  readonly doubts: readonly OrderViolation[];
}

/** The answer to "which memory orders are the cheapest with which the program meets a goal?". */
export type OrdersVerdict =
  | {
      readonly kind: 'found';
      readonly changes: readonly OrderChange[];
      /** The total cost of the changes of memory orders; negative if orders become weaker. */
      readonly cost: number;
      /** The program in which the memory orders are changed. */
      readonly changed: Program;
      /** Why cheaper memory orders are too weak, in the order in which the reasons were found. */
      readonly reasons: readonly OrderViolation[];
      /**
       * For weaker orders: the weakest orders that each single access or fence may have while all
       * others keep theirs. An access occurs several times if several of its orders are sufficient
       * and none of them is weaker than another.
       */
      readonly alone: readonly OrderChange[];
      /**
       * The undecided part of the answer; absent if the changes are proved to be the cheapest, and
       * `alone` is complete.
       */
      readonly open?: OpenOrders;
      /** The assumptions of the answer, in addition to those of the program. */
      readonly assumptions: readonly Assumption[];
    }
  /**
   * No orders meet the goal; in a search for weaker orders: the given orders do not meet the goal.
   */
  | { readonly kind: 'impossible'; readonly reason: OrderViolation | FreedUseOfOrders }
  | ({
      readonly kind: 'unknown';
      readonly reason: UnknownReason;
      /** The results proved before the search ended; absent if there are none. */
      readonly soFar?: {
        /** A lower bound on the cost of sufficient changes; absent if not computed. */
        readonly bound?: number;
        /** Why cheaper memory orders are too weak, in the order of finding. */
        readonly reasons: readonly OrderViolation[];
      };
    } & C11Refusal);

/**
 * A memory order of the text that the search has not changed. `alone`: every execution reaches the
 * place while one thread runs alone, before the start or after the end of all other threads;
 * `own-cell`: no other thread accesses the cell; `not-executed`: the front end has found no
 * execution of the place visible to other threads; `not-written`: the text cannot be changed at the
 * place.
 */
export interface LeftOutOrder {
  readonly span: Span;
  readonly why: OrderAside['why'] | 'not-written';
}

/** The answer of `fence --model c11`. Plain data. */
export interface OrdersResult {
  readonly model: C11Model;
  readonly goal: OrdersGoal;
  readonly change: 'raise' | 'lower';
  readonly target: OrderTarget;
  readonly verdict: OrdersVerdict;
  /** The memory orders of the text that the search has not changed; absent if there are none. */
  readonly leftOut?: readonly LeftOutOrder[];
  readonly statistics: {
    /** The number of programs with changed orders that were checked. */
    readonly checks: number;
    readonly clauses: number;
    readonly states: number;
    readonly milliseconds: number;
  };
  readonly diagnostics: readonly Diagnostic[];
}
