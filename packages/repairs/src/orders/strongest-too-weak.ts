import { at } from '@fencewright/ground/base/at.js';
import {
  findRaceIn,
  isConsistent,
  isSequentiallyConsistent,
} from '@fencewright/model/c11/consistency.js';
import type { C11Model, ExecutionGraph } from '@fencewright/model/c11/execution-graph.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import { isAtMost, joinedLevel } from '@fencewright/model/program/order-level.js';
import type { OrderViolation } from '@fencewright/model/verdict/orders-result.js';
import type { C11Code } from '@fencewright/engines/c11/c11-steps.js';
import { hasLoadBuffering } from '@fencewright/engines/c11/load-buffering-of-thread.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { applyOrders, type OrderAssignment } from './apply-orders.js';
import { openGraph, indexSites } from './open-graph.js';
import type { OrderSite } from './order-sites.js';

/** Returns whether a program with the memory orders of an assignment still has the violation. */
type Survives = (assignment: OrderAssignment) => boolean | Promise<boolean>;

/**
 * Raises memory orders while the violation remains: first those of many sites at once, then of
 * fewer. Returns an assignment in which no single order can be raised.
 */
export async function raised(
  sites: readonly OrderSite[],
  start: OrderAssignment,
  which: readonly number[],
  survives: Survives,
): Promise<OrderAssignment> {
  let levels = start;
  const raise = async (some: readonly number[]): Promise<void> => {
    if (some.length === 0) return;
    const whole = levels.map((level, index) =>
      some.includes(index) ? at(sites, index).levels.reduce(joinedLevel, level) : level,
    );
    if (await survives(whole)) {
      levels = whole;
      return;
    }
    const [only] = some;
    if (some.length > 1) {
      const middle = some.length >> 1;
      await raise(some.slice(0, middle));
      await raise(some.slice(middle));
    } else if (only !== undefined)
      for (const level of at(sites, only).levels) {
        const more = levels.with(only, joinedLevel(at(levels, only), level));
        if (isAtMost(at(more, only), at(levels, only))) continue;
        if (await survives(more)) levels = more;
      }
  };
  await raise(which);
  return levels;
}

/**
 * Returns the indices of the sites with an instruction in a thread of the same text as the given
 * thread.
 */
function sitesOf(sites: readonly OrderSite[], thread: ThreadId): readonly number[] {
  return [...sites.keys()].filter((index) => {
    const { steps, fences } = at(sites, index);
    return [...steps, ...fences].some((part) => part.thread === thread);
  });
}

type WithExecution = Exclude<
  OrderViolation,
  { readonly kind: 'assertion-under-sc' } | { readonly kind: 'doubt' }
>;

function executionOf(found: WithExecution): { readonly graph: ExecutionGraph } {
  switch (found.kind) {
    case 'violation':
      return found.violation;
    case 'race':
      return found.race;
    case 'assertion':
      return found.failure.execution;
  }
}

/**
 * Returns an assignment of memory orders, at least as strong as `start`, with which the program
 * still has the violation and in which no single order can be raised. The orders of sites that the
 * violation does not concern are the strongest.
 */
export async function strongestTooWeak(
  code: C11Code,
  model: C11Model,
  sites: readonly OrderSite[],
  start: OrderAssignment,
  found: Exclude<OrderViolation, { readonly kind: 'doubt' }>,
  budget: Budget,
): Promise<OrderAssignment> {
  const strongest = (concerned: ReadonlySet<number>): OrderAssignment =>
    start.map((level, index) =>
      concerned.has(index) ? level : at(sites, index).levels.reduce(joinedLevel, level),
    );
  // No orders exclude an execution of SC.
  if (found.kind === 'assertion-under-sc') return strongest(new Set());
  if (found.kind === 'violation' && found.violation.kind === 'load-buffering') {
    const { graph, event } = found.violation;
    const thread = at(graph.events, event).thread!;
    const own = sitesOf(sites, thread);
    const survives = (levels: OrderAssignment): Promise<boolean> =>
      hasLoadBuffering(applyOrders(code, sites, levels), model, thread, budget);
    const levels = await raised(sites, start, own, survives);
    const others = strongest(new Set(own));
    return levels.map((level, index) => (own.includes(index) ? level : at(others, index)));
  }
  const { graph } = executionOf(found);
  const open = openGraph(code, indexSites(sites), graph);
  const survives = (levels: OrderAssignment): boolean => {
    const now = open.withLevels(levels);
    if (found.kind === 'assertion') return isConsistent(now, model);
    if (found.kind === 'violation')
      return isConsistent(now, model) && !isSequentiallyConsistent(now);
    const [first, second] = [found.race.first, found.race.second]
      .map(open.indexOf)
      .toSorted((a, b) => a - b);
    return findRaceIn(now, [first!, second!]) !== undefined;
  };
  return raised(sites, strongest(open.sites), [...open.sites], survives);
}
