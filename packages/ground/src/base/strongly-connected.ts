/**
 * Returns the strongly connected components of a graph by Tarjan's algorithm, without recursion: of
 * the `nodes` and all nodes that these reach. A component is a list of its nodes, and comes before
 * the components that lead to it.
 */
export function stronglyConnected<N>(
  nodes: Iterable<N>,
  targets: (node: N) => readonly N[],
): readonly (readonly N[])[] {
  const found: N[][] = [];
  const order = new Map<N, number>();
  const low = new Map<N, number>();
  const open: N[] = [];
  const isOpen = new Set<N>();
  const path: { readonly node: N; readonly leaving: readonly N[]; next: number }[] = [];
  const enter = (node: N): void => {
    low.set(node, order.size);
    order.set(node, order.size);
    open.push(node);
    isOpen.add(node);
    path.push({ node, leaving: targets(node), next: 0 });
  };
  const lower = (node: N, to: number): void => {
    low.set(node, Math.min(low.get(node)!, to));
  };
  for (const root of nodes) {
    if (!order.has(root)) enter(root);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { node, leaving } = top;
      if (top.next < leaving.length) {
        const to = leaving[top.next++]!;
        if (!order.has(to)) enter(to);
        else if (isOpen.has(to)) lower(node, order.get(to)!);
        continue;
      }
      path.pop();
      const before = path.at(-1);
      if (before) lower(before.node, low.get(node)!);
      if (low.get(node) !== order.get(node)) continue;
      const component = open.splice(open.lastIndexOf(node));
      for (const each of component) isOpen.delete(each);
      found.push(component);
    }
  }
  return found;
}

/** Returns the nodes of a graph that lie on cycles; see `stronglyConnected`. */
export function nodesOnCycles<N>(
  nodes: Iterable<N>,
  targets: (node: N) => readonly N[],
): ReadonlySet<N> {
  const components = stronglyConnected(nodes, targets);
  const isLoop = ([first, ...others]: readonly N[]): boolean =>
    others.length > 0 || targets(first!).includes(first!);
  return new Set(components.filter(isLoop).flat());
}
