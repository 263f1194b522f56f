/** An edge of a graph between numbered nodes. */
interface Edge {
  readonly from: number;
  readonly to: number;
}

function shortestFrom<E extends Edge>(
  start: number,
  leaving: ReadonlyMap<number, readonly E[]>,
  limit: number,
): readonly E[] | undefined {
  const paths = new Map<number, readonly E[]>();
  let frontier: (readonly E[])[] = [[]];
  for (let length = 1; length < limit && frontier.length > 0; length++) {
    const next: (readonly E[])[] = [];
    for (const path of frontier)
      for (const edge of leaving.get(path.at(-1)?.to ?? start) ?? []) {
        if (paths.has(edge.to)) continue;
        const longer = [...path, edge];
        if (edge.to === start) return longer;
        paths.set(edge.to, longer);
        next.push(longer);
      }
    frontier = next;
  }
  return undefined;
}

/**
 * Finds a shortest cycle and returns its edges; among several, the first by the order of the edges.
 * `undefined` if there is no cycle.
 */
export function shortestCycle<E extends Edge>(edges: readonly E[]): readonly E[] | undefined {
  const leaving = new Map<number, E[]>();
  for (const edge of edges) {
    const known = leaving.get(edge.from);
    if (known) known.push(edge);
    else leaving.set(edge.from, [edge]);
  }
  let best: readonly E[] | undefined;
  for (const start of leaving.keys())
    best = shortestFrom(start, leaving, best?.length ?? Number.POSITIVE_INFINITY) ?? best;
  return best;
}
