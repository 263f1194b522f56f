import type { MemoryOrder } from './memory-order.js';

/**
 * The kinds of accesses and fences with a memory order; a `cas` has an order for its failure, too.
 */
export type OrderPlaceKind = 'load' | 'store' | 'rmw' | 'cas' | 'fence';

/**
 * The memory order of an access or fence. A fence with the order `relaxed` has no effect, and
 * stands for the absence of a fence.
 */
export interface OrderLevel {
  readonly order: MemoryOrder;
  /** The memory order of the load of a `cas` that does not store. */
  readonly failure?: MemoryOrder;
}

/** By memory order, its effects as bits: acquire, release, `seq_cst`. */
const effects: Readonly<Record<MemoryOrder, number>> = {
  relaxed: 0,
  acquire: 1,
  release: 2,
  acq_rel: 3,
  seq_cst: 7,
};

const ofEffects = new Map(
  Object.entries(effects).map(([order, bits]) => [bits, order as MemoryOrder]),
);

/** Returns the weakest order that is at least as strong as the two given orders. */
export function joinedOrder(one: MemoryOrder, other: MemoryOrder): MemoryOrder {
  return ofEffects.get(effects[one] | effects[other])!;
}

/**
 * Returns the weakest memory orders (of access and failure) at least as strong as both given
 * orders.
 */
export function joinedLevel(one: OrderLevel, other: OrderLevel): OrderLevel {
  const order = joinedOrder(one.order, other.order);
  if (one.failure === undefined || other.failure === undefined) return { order };
  return { order, failure: joinedOrder(one.failure, other.failure) };
}

/** Whether the memory order `one` is at most as strong as `other`. */
export function isAtMost(one: OrderLevel, other: OrderLevel): boolean {
  const { order, failure } = joinedLevel(one, other);
  return order === other.order && failure === other.failure;
}

/** Returns a number that is larger for stronger memory orders (of access and failure). */
export function strengthOf({ order, failure = 'relaxed' }: OrderLevel): number {
  const count = (bits: number): number => (bits & 1) + ((bits >> 1) & 1) + ((bits >> 2) & 1);
  return 2 * count(effects[order]) + count(effects[failure]);
}

const loads: readonly MemoryOrder[] = ['relaxed', 'acquire', 'seq_cst'];
const rmws: readonly MemoryOrder[] = ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'];

/** Returns the memory orders that an access or fence of the kind can have, weaker ones first. */
export function levelsOf(kind: OrderPlaceKind): readonly OrderLevel[] {
  switch (kind) {
    case 'load':
      return loads.map((order) => ({ order }));
    case 'store':
      return (['relaxed', 'release', 'seq_cst'] as const).map((order) => ({ order }));
    case 'rmw':
    case 'fence':
      return rmws.map((order) => ({ order }));
    case 'cas':
      return rmws
        .flatMap((order) => loads.map((failure): OrderLevel => ({ order, failure })))
        .toSorted((a, b) => strengthOf(a) - strengthOf(b));
  }
}
