import type { OrderLevel, OrderPlaceKind } from './order-level.js';
import type { FencePart, StepPart } from './repair.js';

/** A place of the text that has a memory order. */
export interface OrderPlace {
  readonly kind: OrderPlaceKind;
  /** The instructions that come from the place; none for a fence that is not in the text. */
  readonly steps: readonly StepPart[];
  /** The locations in front of which the fence stands; none for instructions of the text. */
  readonly fences: readonly FencePart[];
}

/**
 * A change of an order. A fence that is `relaxed` does not exist: a change from `relaxed` inserts a
 * fence, a change to `relaxed` removes the fence.
 */
export interface OrderChange extends OrderPlace {
  readonly from: OrderLevel;
  readonly to: OrderLevel;
  /** The cost of `to` less the cost of `from`. */
  readonly cost: number;
}
