import type { Expression } from '@fencewright/model/program/expression.js';
import type { RmwOperation } from '@fencewright/model/program/rmw.js';
import type {
  LocationId,
  RegisterId,
  ThreadId,
  TransitionId,
} from '@fencewright/model/program/ids.js';

/**
 * The meaning of an instruction in proofs. Under SC a fence does nothing; fences are kept because a
 * fence ends the delay of stores. An `rmw` with a condition, such as `cas`, is two operations, only
 * one of which can happen.
 *
 * - `guess`: a read abstraction, `havoc into with condition` over a shared variable ([BEMT18] Sect.
 *   5): `into` gets any value that satisfies `condition`, with `through` as the cell's value.
 */
export type Operation =
  | { readonly kind: 'load'; readonly into: RegisterId; readonly address: Expression }
  | {
      readonly kind: 'guess';
      readonly into: RegisterId;
      readonly address: Expression;
      readonly through: RegisterId;
      readonly condition: Expression;
    }
  | { readonly kind: 'store'; readonly address: Expression; readonly value: Expression }
  | {
      readonly kind: 'rmw';
      readonly into?: RegisterId;
      readonly address: Expression;
      readonly operation: RmwOperation;
      /**
       * Whether the operation stores; a conditional rmw consists of two operations, with and
       * without a store.
       */
      readonly stores: boolean;
      /**
       * Present if the operation happens only when the stored value differs from the value found:
       * the failure of a weak rmw covers the remaining case.
       */
      readonly mustChange?: true;
    }
  | { readonly kind: 'assign'; readonly into: RegisterId; readonly value: Expression }
  | { readonly kind: 'assume'; readonly condition: Expression }
  | { readonly kind: 'choose'; readonly into: RegisterId; readonly condition?: Expression }
  | { readonly kind: 'fence' | 'lock' | 'unlock' | 'skip' };

/** An operation of a thread, between two locations. */
export interface OperationEdge {
  readonly from: LocationId;
  readonly to: LocationId;
  readonly operation: Operation;
  /** The transition of the operation's instruction; for a guess, the transition of the load. */
  readonly transition: TransitionId;
}

/**
 * A sequence of operations of one thread without a stop: a path from one resting place of the
 * thread (a location at which other threads can observe the thread) to the next.
 */
export interface Step {
  readonly thread: ThreadId;
  readonly from: LocationId;
  readonly to: LocationId;
  readonly edges: readonly OperationEdge[];
}

/** Whether the operation touches registers only; a fence counts as local, as under SC. */
export function isLocalOperation({ kind }: Operation): boolean {
  switch (kind) {
    case 'assign':
    case 'assume':
    case 'choose':
    case 'fence':
    case 'skip':
      return true;
    case 'load':
    case 'guess':
    case 'store':
    case 'rmw':
    case 'lock':
    case 'unlock':
      return false;
  }
}

/**
 * Whether the operation waits until the thread's own stores have reached memory; an rmw waits even
 * without storing.
 */
export function drains({ kind }: Operation): boolean {
  return kind === 'fence' || kind === 'rmw' || kind === 'lock' || kind === 'unlock';
}
