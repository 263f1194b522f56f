import type { OrderLevel, OrderPlaceKind } from './order-level.js';
import type { FencePart, StepPart } from './repair.js';

/**
 * An access or fence of the text with a memory order, as a place where the order can be changed.
 */
export interface OrderPlace {
  readonly kind: OrderPlaceKind;
  /**
   * The instructions of the program that come from this place of the text; none for a fence that is
   * not in the text.
   */
  readonly steps: readonly StepPart[];
  /** The locations before which the fence is inserted; none for instructions of the text. */
  readonly fences: readonly FencePart[];
}

/**
 * A change of the memory order at a place of the text. For a fence, `relaxed` means that there is
 * no fence: a change from `relaxed` inserts a fence, a change to `relaxed` removes the fence.
 */
export interface OrderChange extends OrderPlace {
  readonly from: OrderLevel;
  readonly to: OrderLevel;
  /** The cost of the new order `to` minus the cost of the old order `from`. */
  readonly cost: number;
}
