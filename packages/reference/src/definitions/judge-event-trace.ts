import { at } from '@fencewright/ground/base/at.js';
import type { EventTraceNode, EventTraceState } from './event-trace-state.js';

/**
 * Returns the position of an access among all accesses of its cell: 2n for the n-th store, 2n + 1
 * for a load from the n-th store. `undefined` for stores that have not reached memory, for loads
 * from such stores, and for nodes other than accesses.
 */
function placeOf(
  { order }: EventTraceState,
  { cell, source }: EventTraceNode,
  node: number,
): number | undefined {
  if (cell === undefined) return undefined;
  const stores = order.get(cell) ?? [];
  const stored = stores.indexOf(node);
  if (stored >= 0) return 2 * stored;
  if (source === undefined) return -1;
  const read = stores.indexOf(source);
  return read < 0 ? undefined : 2 * read + 1;
}

/**
 * Whether the path `a` in an event's tree of posted tasks precedes the path `b` in depth-first
 * order; the two are distinct.
 */
function isBefore(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i < a.length; i++) {
    if (i >= b.length) return false;
    if (a[i] !== b[i]) return at(a, i) < at(b, i);
  }
  return true;
}

/** Whether the graph with the nodes 0 to `size - 1` has a cycle. */
function isCyclic(size: number, edges: readonly (readonly [number, number])[]): boolean {
  const blocked = Array.from({ length: size }, () => 0);
  for (const [, to] of edges) blocked[to] = at(blocked, to) + 1;
  const free = blocked.flatMap((count, node) => (count === 0 ? [node] : []));
  let removed = 0;
  for (let node = free.pop(); node !== undefined; node = free.pop()) {
    removed++;
    for (const [from, to] of edges)
      if (from === node) {
        blocked[to] = at(blocked, to) - 1;
        if (blocked[to] === 0) free.push(to);
      }
  }
  return removed < size;
}

/**
 * Returns every list that can be made by choosing an element from each group, in the order of the
 * groups.
 */
function choicesOf<T>(groups: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return groups.reduce<readonly (readonly T[])[]>(
    (lists, group) => lists.flatMap((list) => group.map((one) => [...list, one])),
    [[]],
  );
}

/** Two accesses of one cell by different tasks, at least one a store; the earlier access first. */
type Conflict = readonly [first: EventTraceNode, second: EventTraceNode];

function conflictsOf(state: EventTraceState): readonly Conflict[] {
  const conflicts: Conflict[] = [];
  const placed = state.nodes.flatMap((node, id) => {
    const place = placeOf(state, node, id);
    return place === undefined ? [] : [{ node, place, isStore: place >= 0 && place % 2 === 0 }];
  });
  for (const a of placed)
    for (const b of placed)
      if (
        a.node.cell === b.node.cell &&
        a.node.task !== b.node.task &&
        (a.isStore || b.isStore) &&
        a.place < b.place
      )
        conflicts.push([a.node, b.node]);
  return conflicts;
}

/**
 * Whether the trace satisfies (D): conflicts between tasks of one event follow the depth-first
 * order of its posted tasks.
 */
export function isDeterministic(state: EventTraceState): boolean {
  return conflictsOf(state).every(([first, second]) => {
    const [u, v] = [at(state.tasks, first.task), at(state.tasks, second.task)];
    return u.task.event !== v.task.event || isBefore(u.path, v.path);
  });
}

/**
 * Whether the trace satisfies (S): conflicts between events, and milestones (labels) for which
 * events waited, are acyclic. Of several tasks that had passed a milestone, any may count.
 */
export function hasEventOrder(state: EventTraceState): boolean {
  const { tasks } = state;
  const edges: [number, number][] = [];
  for (const [first, second] of conflictsOf(state)) {
    const [u, v] = [at(tasks, first.task), at(tasks, second.task)];
    if (u.task.event !== v.task.event) edges.push([u.task.event, v.task.event]);
  }
  const eventOf = (node: number): number => at(tasks, at(state.nodes, node).task).task.event;
  const causes = state.causes.map(({ begin, candidates }) =>
    candidates.map((node): readonly [number, number] => [eventOf(node), eventOf(begin)]),
  );
  return choicesOf(causes).some((chosen) => !isCyclic(tasks.length, [...edges, ...chosen]));
}

/**
 * Whether conflicts between tasks of one event follow the depth-first order of its posted tasks,
 * and conflicts between events and milestones (labels) for which they waited form no cycle: (D) and
 * (S) of docs/events.md. Then events one after the other, with the tasks of each in depth-first
 * order, have the same trace.
 */
export function isSerialisable(state: EventTraceState): boolean {
  return isDeterministic(state) && hasEventOrder(state);
}

/** Whether the trace has two conflicting tasks of one event, neither an ancestor of the other. */
export function hasUnrelatedConflict(state: EventTraceState): boolean {
  const isAncestor = (a: readonly number[], b: readonly number[]): boolean =>
    a.every((child, level) => b[level] === child);
  return conflictsOf(state).some(([first, second]) => {
    const [u, v] = [at(state.tasks, first.task), at(state.tasks, second.task)];
    if (u.task.event !== v.task.event) return false;
    return !isAncestor(u.path, v.path) && !isAncestor(v.path, u.path);
  });
}

/**
 * Whether the trace's happens-before relation has a cycle. It consists of each thread's order,
 * stores before the loads that read them, store order, loads before later stores, postings before
 * the begin of the posted task, and, for each milestone for which an event waited, a passing before
 * the begin of the event. If several passings come before the begin, every choice of one of them
 * must leave a cycle. A lock block is one node.
 */
export function isHappensBeforeCyclic(state: EventTraceState): boolean {
  const { nodes, tasks, order } = state;
  const blocks = new Map<number, number>();
  const one = nodes.map(({ block }, node) => {
    if (block === undefined) return node;
    const first = blocks.get(block) ?? node;
    blocks.set(block, first);
    return first;
  });
  const edges: [number, number][] = [];
  const add = (from: number | undefined, to: number | undefined): void => {
    if (from === undefined || to === undefined || from === to) return;
    if (one[from] !== one[to]) edges.push([at(one, from), at(one, to)]);
  };
  const lastOf = new Map<number, number>();
  const postings = new Map<number, number>();
  nodes.forEach((node, id) => {
    const { thread } = at(tasks, node.task).task;
    add(lastOf.get(thread), id);
    lastOf.set(thread, id);
    if (node.kind === 'begin') add(postings.get(node.task), id);
    if (node.posted !== undefined) postings.set(node.posted, id);
    if (node.kind !== 'load' && node.kind !== 'rmw') return;
    add(node.source, id);
    const stores = order.get(node.cell ?? 0) ?? [];
    const read = node.source === undefined ? -1 : stores.indexOf(node.source);
    // A load from a store that has not reached memory precedes no store.
    if (node.source === undefined || read >= 0) add(id, stores[read + 1]);
  });
  for (const stores of order.values())
    stores.forEach((store, place) => add(stores[place - 1], store));
  const causes = state.causes.map(({ begin, candidates }) =>
    candidates.map((node): readonly [number, number] => [node, begin]),
  );
  return choicesOf(causes).every((chosen) => isCyclic(nodes.length, [...edges, ...chosen]));
}
