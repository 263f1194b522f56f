import { fact } from '@fencewright/ground/base/fact.js';
import { nodesOnCycles } from '@fencewright/ground/base/strongly-connected.js';
import type { LocationId, TransitionId } from '../program/ids.js';
import type { Thread, Transition } from '../program/program.js';

/** The transitions of one thread, by source location and by target location. */
export interface ControlFlow {
  /**
   * The outgoing transitions of each location, in the order of the thread's transitions; indexed by
   * `LocationId`.
   */
  readonly outgoing: readonly (readonly TransitionId[])[];
  /**
   * The incoming transitions of each location, in the order of the thread's transitions; indexed by
   * `LocationId`.
   */
  readonly incoming: readonly (readonly TransitionId[])[];
}

/** A predicate that selects transitions; the id is the index into `Thread.transitions`. */
type TransitionPredicate<I> = (transition: Transition<I>, id: TransitionId) => boolean;

/** The tables of outgoing and incoming transitions of a thread. */
export const computeControlFlow = fact((thread: Thread<unknown>): ControlFlow => {
  const outgoing: TransitionId[][] = thread.locations.map(() => []);
  const incoming: TransitionId[][] = thread.locations.map(() => []);
  thread.transitions.forEach(({ from, to }, id) => {
    outgoing[from]?.push(id);
    incoming[to]?.push(id);
  });
  return { outgoing, incoming };
});

/**
 * The locations reachable by control flow from the initial location, inclusive; indexed by
 * `LocationId`.
 */
export const computeReachableLocations = fact((thread: Thread<unknown>) =>
  computeReachableAvoiding(thread, thread.initial, () => false),
);

/**
 * The reachable locations in an order for forward analyses: each location comes after the locations
 * that lead to it, except along jumps back.
 */
export const computeForwardOrder = fact((thread: Thread<unknown>): readonly LocationId[] => {
  const { outgoing } = computeControlFlow(thread);
  const isSeen = thread.locations.map(() => false);
  const order: LocationId[] = [];
  isSeen[thread.initial] = true;
  const path: { readonly at: LocationId; next: number }[] = [{ at: thread.initial, next: 0 }];
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const id = outgoing[top.at]?.[top.next++];
    if (id === undefined) {
      order.push(top.at);
      path.pop();
      continue;
    }
    const to = thread.transitions[id]?.to;
    if (to === undefined || isSeen[to]) continue;
    isSeen[to] = true;
    path.push({ at: to, next: 0 });
  }
  return order.reverse();
});

/**
 * The locations reachable from `start` (inclusive) without a transition for which `blocks` holds;
 * indexed by `LocationId`. If `blocks` is `drainsBuffer` and `start` is the target of a store: the
 * locations at which the store may still be buffered. An attack whose load leaves none of these
 * locations is infeasible, [BDM13] Sect. 4 (W1)-(W5).
 */
export function computeReachableAvoiding<I>(
  thread: Thread<I>,
  start: LocationId,
  blocks: TransitionPredicate<I>,
): readonly boolean[] {
  const reached = thread.locations.map(() => false);
  for (const location of reachableAvoiding(thread, start, blocks)) reached[location] = true;
  return reached;
}

/**
 * Returns the locations of `computeReachableAvoiding` as a set, in time that grows with the set and
 * not with the thread.
 */
export function reachableAvoiding<I>(
  thread: Thread<I>,
  start: LocationId,
  blocks: TransitionPredicate<I>,
): ReadonlySet<LocationId> {
  const { outgoing } = computeControlFlow(thread);
  const reached = new Set([start]);
  // A set yields members that are added while it is walked.
  for (const at of reached)
    for (const id of outgoing[at] ?? []) {
      const transition = thread.transitions[id];
      if (!transition || reached.has(transition.to) || blocks(transition, id)) continue;
      reached.add(transition.to);
    }
  return reached;
}

/** Whether each location is on a cycle of the chosen transitions; indexed by `LocationId`. */
export function computeLocationsOnCycles<I>(
  thread: Thread<I>,
  chosen: TransitionPredicate<I>,
): readonly boolean[] {
  const { outgoing } = computeControlFlow(thread);
  const onCycles = nodesOnCycles(thread.locations.keys(), (location) =>
    (outgoing[location] ?? []).flatMap((id) => {
      const transition = thread.transitions[id]!;
      return chosen(transition, id) ? [transition.to] : [];
    }),
  );
  return thread.locations.map((_, location) => onCycles.has(location));
}

/**
 * The locations that close a cycle of the chosen transitions; indexed by `LocationId`. These
 * locations are the targets of back edges of a depth-first search from the initial location and
 * then from every location not yet seen. So each cycle of chosen transitions passes through at
 * least one of these locations, and a thread without cycles has no such location.
 */
export function computeCycleClosers<I>(
  thread: Thread<I>,
  chosen: TransitionPredicate<I> = () => true,
): readonly boolean[] {
  const { outgoing } = computeControlFlow(thread);
  const closers = thread.locations.map(() => false);
  // 0: not seen, 1: on the path of the search, 2: finished.
  const states = new Uint8Array(thread.locations.length);
  const searchFrom = (root: LocationId): void => {
    if (states[root] !== 0) return;
    states[root] = 1;
    const path: { readonly at: LocationId; next: number }[] = [{ at: root, next: 0 }];
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const id = outgoing[top.at]?.[top.next];
      if (id === undefined) {
        states[top.at] = 2;
        path.pop();
        continue;
      }
      top.next += 1;
      const transition = thread.transitions[id];
      if (!transition || !chosen(transition, id)) continue;
      if (states[transition.to] === 1) closers[transition.to] = true;
      else if (states[transition.to] === 0) {
        states[transition.to] = 1;
        path.push({ at: transition.to, next: 0 });
      }
    }
  };
  searchFrom(thread.initial);
  for (let at = 0; at < thread.locations.length; at++) searchFrom(at);
  return closers;
}
