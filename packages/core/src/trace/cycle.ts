import type { HappensBefore, Relation, Trace } from './trace.js';
import { relationBetween } from './trace.js';

/** An edge of happens-before between two nodes of a trace. */
export interface HappensBeforeEdge {
  readonly from: number;
  readonly to: number;
  readonly relation: Relation;
}

function successorTable(trace: Trace, notion: HappensBefore): HappensBeforeEdge[][] {
  return trace.nodes.map((_, from) =>
    trace.nodes.flatMap((__, to) => {
      const relation = relationBetween(trace, from, to, notion);
      return relation ? [{ from, to, relation }] : [];
    }),
  );
}

function shortestPath(
  table: readonly (readonly HappensBeforeEdge[])[],
  from: number,
  to: number,
  limit: number,
): HappensBeforeEdge[] | undefined {
  const reachedBy = new Map<number, HappensBeforeEdge>();
  let frontier = [from];
  for (let length = 1; length < limit && frontier.length > 0; length++) {
    const next: number[] = [];
    for (const node of frontier)
      for (const edge of table[node] ?? []) {
        if (reachedBy.has(edge.to)) continue;
        reachedBy.set(edge.to, edge);
        if (edge.to === to) return pathTo(reachedBy, from, to);
        next.push(edge.to);
      }
    frontier = next;
  }
  return undefined;
}

function pathTo(
  reachedBy: ReadonlyMap<number, HappensBeforeEdge>,
  from: number,
  to: number,
): HappensBeforeEdge[] {
  const path: HappensBeforeEdge[] = [];
  let node = to;
  do {
    const edge = reachedBy.get(node);
    if (!edge) break;
    path.unshift(edge);
    node = edge.from;
  } while (node !== from);
  return path;
}

/**
 * A shortest cycle of happens-before, or `undefined` if it is acyclic, that is, the computation's trace is one of SC ([BDM13] Lemma 1), up to
 * sources that hold the same value if the notion is `value`. Cost: nodes x edges.
 */
export function shortestCycle(
  trace: Trace,
  notion: HappensBefore,
): readonly HappensBeforeEdge[] | undefined {
  const table = successorTable(trace, notion);
  let best: HappensBeforeEdge[] | undefined;
  trace.nodes.forEach((_, start) => {
    const cycle = shortestPath(table, start, start, best?.length ?? Number.POSITIVE_INFINITY);
    if (cycle) best = cycle;
  });
  return best;
}

/** Whether happens-before has a cycle. Cost: edges. */
export function hasCycle(trace: Trace, notion: HappensBefore): boolean {
  const table = successorTable(trace, notion);
  const state = new Uint8Array(trace.nodes.length);
  const visit = (node: number): boolean => {
    state[node] = 1;
    for (const { to } of table[node] ?? []) {
      if (state[to] === 1 || (state[to] === 0 && visit(to))) return true;
    }
    state[node] = 2;
    return false;
  };
  return trace.nodes.some((_, node) => state[node] === 0 && visit(node));
}

/** Whether a non-empty path of happens-before leads from node `from` to node `to`. */
export function happensBefore(
  trace: Trace,
  from: number,
  to: number,
  notion: HappensBefore,
): boolean {
  const table = successorTable(trace, notion);
  return shortestPath(table, from, to, Number.POSITIVE_INFINITY) !== undefined;
}
