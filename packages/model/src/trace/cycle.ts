import { type HappensBefore, type RelationName, type Trace, relationBetween } from './trace.js';

/** An edge of the happens-before relation between two nodes (accesses) of a trace. */
interface HappensBeforeEdge {
  readonly from: number;
  readonly to: number;
  readonly relation: RelationName;
}

/**
 * The happens-before relation of a trace, between events: single accesses, and lock blocks (from
 * `lock` to `unlock`) as one event each. If lock blocks were not atomic, an acyclic trace might not
 * be an SC trace.
 */
interface EventGraph {
  /**
   * By node (access) of the trace, the event to which it belongs: the first node of its lock block,
   * or the node itself.
   */
  readonly eventOf: readonly number[];
  /**
   * The edges from an event's nodes to nodes of other events, indexed by event; empty for numbers
   * that are not events. Related nodes have one thread or one address.
   */
  readonly leaving: readonly (readonly HappensBeforeEdge[])[];
}

function eventGraph(trace: Trace, happensBefore: HappensBefore): EventGraph {
  const { nodes } = trace;
  const first = new Map<number, number>();
  const eventOf = nodes.map(({ block }, node) => {
    if (block === undefined) return node;
    const known = first.get(block);
    if (known === undefined) first.set(block, node);
    return known ?? node;
  });
  const leaving: HappensBeforeEdge[][] = nodes.map(() => []);
  const byThread = groups(trace, ({ thread }) => thread);
  const byAddress = groups(trace, ({ address }) => address);
  nodes.forEach(({ thread, address }, from) => {
    for (const to of inOrder(byThread.get(thread) ?? [], byAddress.get(address) ?? [])) {
      if (eventOf[from] === eventOf[to]) continue;
      const relation = relationBetween(trace, from, to, happensBefore);
      if (relation) leaving[eventOf[from] ?? from]?.push({ from, to, relation });
    }
  });
  return { eventOf, leaving };
}

/** Returns the nodes of a trace in groups of equal `keyOf`, each group in ascending order. */
function groups(
  { nodes }: Trace,
  keyOf: (node: Trace['nodes'][number]) => number,
): ReadonlyMap<number, readonly number[]> {
  const all = new Map<number, number[]>();
  nodes.forEach((node, id) => {
    const known = all.get(keyOf(node)) ?? [];
    known.push(id);
    all.set(keyOf(node), known);
  });
  return all;
}

/** Returns the members of two ascending lists, in ascending order, each once. */
function inOrder(first: readonly number[], second: readonly number[]): readonly number[] {
  const merged: number[] = [];
  for (let i = 0, j = 0; i < first.length || j < second.length;) {
    const next = Math.min(first[i] ?? Infinity, second[j] ?? Infinity);
    if (first[i] === next) i++;
    if (second[j] === next) j++;
    merged.push(next);
  }
  return merged;
}

/**
 * Returns the edges of a shortest path between two events, or of a shortest cycle through `from` if
 * `from` equals `to`; `undefined` if all have at least `limit` edges. Inside lock blocks
 * consecutive edges may be disconnected.
 */
function shortestPath(
  { eventOf, leaving }: EventGraph,
  from: number,
  to: number,
  limit: number,
): HappensBeforeEdge[] | undefined {
  const reachedBy = new Map<number, HappensBeforeEdge>();
  let frontier = [from];
  for (let length = 1; length < limit && frontier.length > 0; length++) {
    const next: number[] = [];
    for (const event of frontier)
      for (const edge of leaving[event] ?? []) {
        const reached = eventOf[edge.to] ?? edge.to;
        if (reachedBy.has(reached)) continue;
        reachedBy.set(reached, edge);
        if (reached === to) return pathTo(reachedBy, eventOf, from, to);
        next.push(reached);
      }
    frontier = next;
  }
  return undefined;
}

function pathTo(
  reachedBy: ReadonlyMap<number, HappensBeforeEdge>,
  eventOf: readonly number[],
  from: number,
  to: number,
): HappensBeforeEdge[] {
  const path: HappensBeforeEdge[] = [];
  let event = to;
  do {
    const edge = reachedBy.get(event);
    if (!edge) break;
    path.unshift(edge);
    event = eventOf[edge.from] ?? edge.from;
  } while (event !== from);
  return path;
}

/**
 * Returns the cycle in connected form: with an edge added inside each lock block that the cycle
 * enters and leaves at different accesses.
 */
function withoutJumps(cycle: readonly HappensBeforeEdge[]): HappensBeforeEdge[] {
  return cycle.flatMap((edge, i) => {
    const from = edge.to;
    const to = cycle[(i + 1) % cycle.length]?.from ?? from;
    if (from === to) return [edge];
    return [edge, { from, to, relation: from < to ? 'po' : 'lock' }];
  });
}

/**
 * Finds a shortest cycle of happens-before; `undefined` if happens-before is acyclic, that is, if
 * the computation has an SC trace ([BDM13] Lemma 1), for the notion `value` up to sources of equal
 * value. The accesses of a lock block count as one. Cost: nodes x edges.
 */
export function shortestHappensBeforeCycle(
  trace: Trace,
  happensBefore: HappensBefore,
): readonly HappensBeforeEdge[] | undefined {
  const graph = eventGraph(trace, happensBefore);
  let best: HappensBeforeEdge[] | undefined;
  trace.nodes.forEach((_, start) => {
    if (graph.eventOf[start] !== start) return;
    const cycle = shortestPath(graph, start, start, best?.length ?? Number.POSITIVE_INFINITY);
    if (cycle) best = cycle;
  });
  return best && withoutJumps(best);
}

/**
 * Whether the happens-before relation of the trace has a cycle. Takes time linear in the number of
 * edges.
 */
export function hasCycle(trace: Trace, happensBefore: HappensBefore): boolean {
  const { eventOf, leaving } = eventGraph(trace, happensBefore);
  const state = new Uint8Array(trace.nodes.length);
  const visit = (event: number): boolean => {
    state[event] = 1;
    for (const { to } of leaving[event] ?? []) {
      const reached = eventOf[to] ?? to;
      if (state[reached] === 1 || (state[reached] === 0 && visit(reached))) return true;
    }
    state[event] = 2;
    return false;
  };
  return eventOf.some((event) => state[event] === 0 && visit(event));
}

/**
 * Returns the edges of a shortest non-empty path of happens-before from node `from` to node `to`;
 * `undefined` if there is none. The accesses of a lock block count as one.
 */
export function happensBeforePath(
  trace: Trace,
  from: number,
  to: number,
  happensBefore: HappensBefore,
): readonly HappensBeforeEdge[] | undefined {
  const graph = eventGraph(trace, happensBefore);
  const { eventOf } = graph;
  return shortestPath(graph, eventOf[from] ?? from, eventOf[to] ?? to, Number.POSITIVE_INFINITY);
}

/**
 * Whether a non-empty path of happens-before leads from node `from` to node `to`; the accesses of a
 * lock block count as one.
 */
export function comesBefore(
  trace: Trace,
  from: number,
  to: number,
  happensBefore: HappensBefore,
): boolean {
  return happensBeforePath(trace, from, to, happensBefore) !== undefined;
}
