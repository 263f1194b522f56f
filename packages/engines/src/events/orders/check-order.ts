import { Budget, type Exhaustion } from '@fencewright/ground/base/budget.js';
import { exploreWatched, type EventWatch } from '@fencewright/model/events/explore-events.js';
import type { FaultySite } from '@fencewright/model/events/look-for-faults.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import type { Criterion, EventBoundHit } from '@fencewright/model/verdict/event-check-result.js';
import { dfsWatch } from './dfs-watch.js';
import { eventOrderWatch } from './event-order-watch.js';

/**
 * The two halves of robustness against concurrency ([BEMR18] Def. 1). Event determinism, (D):
 * conflicts inside an event follow DFS order. Event serialisability, (S): conflicts between events
 * leave a serial order.
 */
export type OrderCriterion = Extract<Criterion, 'determinism' | 'serialisability'>;

/** The reason why an exploration has no definite answer. */
type OrderUnknown =
  | { readonly kind: 'budget'; readonly exhausted: Exhaustion }
  | { readonly kind: 'depth'; readonly depth: number }
  | { readonly kind: 'bounds'; readonly hit: readonly EventBoundHit[] }
  | { readonly kind: 'faults'; readonly faults: readonly FaultySite[] };

type OrderVerdict = { readonly states: number } & (
  | { readonly verdict: 'robust' }
  | { readonly verdict: 'not-robust'; readonly witness: EventRun }
  | { readonly verdict: 'unknown'; readonly reason: OrderUnknown }
);

interface OrderOptions {
  /** The limits of the exploration; none by default. */
  readonly budget?: Budget;
  /**
   * The maximum number of posted tasks that have not returned, and of invocations in a task's call
   * stack. 64 by default.
   */
  readonly depth?: number;
}

/** The number of instances that are explored of an event with any number of instances. */
const instances = 2;

/** The default of the option `depth`: the number of posted tasks, and of invocations of a task. */
const defaultDepth = 64;

/**
 * Decides one of the two halves of robustness alone: (D), event determinism, or (S), event
 * serialisability. Explores all SC runs on several threads, with a watch that ends a run at the
 * first violation. The searches on a single thread cannot tell (D) from (S): a run may violate (D)
 * only because of values that a violation of (S) has produced, and conversely. Of events with any
 * number of instances, two instances are explored.
 */
export async function checkOrder(
  program: EventProgram,
  criterion: OrderCriterion,
  { budget = new Budget(), depth = defaultDepth }: OrderOptions = {},
): Promise<OrderVerdict> {
  return criterion === 'determinism'
    ? explore(program, dfsWatch(), budget, depth)
    : explore(program, eventOrderWatch(program), budget, depth);
}

async function explore<Memory>(
  program: EventProgram,
  watch: EventWatch<Memory>,
  budget: Budget,
  depth: number,
): Promise<OrderVerdict> {
  const faults: FaultySite[] = [];
  const visitor = {
    onConfiguration: () => undefined,
    onFailedAssertion: () => undefined,
    onFault: ({ site, fault }: FaultySite) => faults.push({ site, fault }),
  };
  const { found, states, incomplete, bounds } = await exploreWatched(
    program,
    'multi-sc',
    budget,
    visitor,
    watch,
    { instances, depth },
  );
  if (found) return { verdict: 'not-robust', witness: found, states };
  const unknown = (reason: OrderUnknown): OrderVerdict => ({ verdict: 'unknown', reason, states });
  if (faults.length > 0) return unknown({ kind: 'faults', faults });
  if (incomplete) return unknown({ kind: 'budget', exhausted: incomplete });
  if (bounds.includes('instances')) {
    const hit = program.instances.flatMap(({ count, event }) =>
      count === 'any' ? [{ kind: 'instances' as const, body: event, most: instances }] : [],
    );
    return unknown({ kind: 'bounds', hit });
  }
  return bounds.includes('depth')
    ? unknown({ kind: 'depth', depth })
    : { verdict: 'robust', states };
}
