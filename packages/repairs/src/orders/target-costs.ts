import {
  joinedOrder,
  type OrderLevel,
  type OrderPlaceKind,
} from '@fencewright/model/program/order-level.js';
import type { OrderTarget } from '@fencewright/model/program/order-target.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';

/**
 * The costs of memory orders by kind of instruction, in addition to those of a relaxed access or of
 * no fence.
 */
type CostTable = Readonly<
  Record<Exclude<OrderPlaceKind, 'cas'>, Readonly<Partial<Record<MemoryOrder, number>>>>
>;

/**
 * The costs of the instructions to which compilers translate the memory orders: proportions, see
 * docs/c11.md. No cost is larger than the sum of two costs whose orders together make the order.
 */
const tables: Readonly<Record<OrderTarget, CostTable>> = {
  // ldar, stlr; ldaxr, stlxr or casa, casl; dmb ishld, dmb ish.
  armv8: {
    load: { acquire: 1, seq_cst: 1 },
    store: { release: 1, seq_cst: 1 },
    rmw: { acquire: 1, release: 1, acq_rel: 2, seq_cst: 2 },
    fence: { acquire: 3, release: 5, acq_rel: 5, seq_cst: 5 },
  },
  // A branch and isync, lwsync, sync.
  power: {
    load: { acquire: 2, seq_cst: 12 },
    store: { release: 5, seq_cst: 10 },
    rmw: { acquire: 2, release: 5, acq_rel: 7, seq_cst: 12 },
    fence: { acquire: 5, release: 5, acq_rel: 5, seq_cst: 10 },
  },
  // fence r,rw; fence rw,w; fence.tso; fence rw,rw; amo.aq, amo.rl.
  riscv: {
    load: { acquire: 3, seq_cst: 13 },
    store: { release: 5, seq_cst: 5 },
    rmw: { acquire: 1, release: 1, acq_rel: 2, seq_cst: 2 },
    fence: { acquire: 3, release: 5, acq_rel: 5, seq_cst: 10 },
  },
  // xchg, mfence.
  x86: {
    load: {},
    store: { seq_cst: 10 },
    rmw: {},
    fence: { seq_cst: 10 },
  },
};

/**
 * Returns the additional cost of one execution with the given memory orders, compared with a
 * relaxed execution.
 */
export function levelCost(
  target: OrderTarget,
  kind: OrderPlaceKind,
  { order, failure = 'relaxed' }: OrderLevel,
): number {
  // The load of a `cas` is one instruction, whether it succeeds or fails.
  if (kind === 'cas') return tables[target].rmw[joinedOrder(order, failure)] ?? 0;
  return tables[target][kind][order] ?? 0;
}
