/** An edge of a graph with numbered nodes. */
export interface CutEdge {
  readonly from: number;
  readonly to: number;
  /** Whether a cut may contain the edge. */
  readonly isCuttable: boolean;
}

/**
 * Returns the nodes reached from `starts`, each with the edge that leads to it; a start has
 * `undefined`. `next` returns the neighbours of a node, with the connecting edges.
 */
function searchFrom(
  starts: readonly number[],
  next: (node: number) => readonly (readonly [node: number, edge: number])[],
): ReadonlyMap<number, { readonly before: number; readonly edge: number } | undefined> {
  const tree = new Map<number, { before: number; edge: number } | undefined>();
  for (const start of starts) tree.set(start, undefined);
  for (const node of tree.keys())
    for (const [neighbour, edge] of next(node))
      if (!tree.has(neighbour)) tree.set(neighbour, { before: node, edge });
  return tree;
}

/** Groups the indices of the edges by the node at their source (`from`) or target (`to`). */
function byEnd(
  edges: readonly CutEdge[],
  end: 'from' | 'to',
): ReadonlyMap<number, readonly number[]> {
  const table = new Map<number, number[]>();
  edges.forEach((edge, id) => {
    const known = table.get(edge[end]);
    if (known) known.push(id);
    else table.set(edge[end], [id]);
  });
  return table;
}

/**
 * Finds a smallest set of cuttable edges that meets every path from a source to a sink; of several
 * such sets, the set nearest to the sinks. Returns indices into `edges`, ascending; `undefined` if
 * some path has no cuttable edge. The time is linear in the size of the graph for each edge of the
 * cut (maximum flow by augmenting paths).
 */
export function closestCut(
  edges: readonly CutEdge[],
  sources: readonly number[],
  sinks: readonly number[],
): readonly number[] | undefined {
  const leaving = byEnd(edges, 'from');
  const entering = byEnd(edges, 'to');
  const flow = edges.map(() => 0);
  const hasRoom = (edge: number): boolean => !edges[edge]!.isCuttable || flow[edge] === 0;
  const goOn = (node: number) => [
    ...(leaving.get(node) ?? []).filter(hasRoom).map((id) => [edges[id]!.to, id] as const),
    ...(entering.get(node) ?? [])
      .filter((id) => flow[id]! > 0)
      .map((id) => [edges[id]!.from, id] as const),
  ];
  const goBack = (node: number) => [
    ...(entering.get(node) ?? []).filter(hasRoom).map((id) => [edges[id]!.from, id] as const),
    ...(leaving.get(node) ?? [])
      .filter((id) => flow[id]! > 0)
      .map((id) => [edges[id]!.to, id] as const),
  ];
  const uncut = searchFrom(sources, (node) =>
    (leaving.get(node) ?? [])
      .filter((id) => !edges[id]!.isCuttable)
      .map((id) => [edges[id]!.to, id]),
  );
  if (sinks.some((sink) => uncut.has(sink))) return undefined;
  for (;;) {
    const tree = searchFrom(sources, goOn);
    const reached = sinks.find((sink) => tree.has(sink));
    if (reached === undefined) break;
    for (let node = reached, step = tree.get(node); step; step = tree.get(node)) {
      flow[step.edge]! += edges[step.edge]!.to === node ? 1 : -1;
      node = step.before;
    }
  }
  const behind = searchFrom(sinks, goBack);
  return edges.flatMap(({ from, to, isCuttable }, id) =>
    isCuttable && !behind.has(from) && behind.has(to) ? [id] : [],
  );
}
