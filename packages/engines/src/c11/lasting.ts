import type { ThreadId } from '@fencewright/model/program/ids.js';

/** A step from one state to another. */
export interface Edge {
  readonly to: number;
  readonly thread: ThreadId;
  /** Whether the step reads an old store; no thread is obliged to make such a step. */
  readonly isOldRead: boolean;
}

/** Returns the strongly connected components of a graph (Tarjan), without recursion. */
function componentsOf(edges: ReadonlyMap<number, readonly Edge[]>): readonly number[][] {
  const order = new Map<number, number>();
  const low = new Map<number, number>();
  const open: number[] = [];
  const isOpen = new Set<number>();
  const found: number[][] = [];
  for (const root of edges.keys()) {
    if (order.has(root)) continue;
    const path: { readonly node: number; next: number }[] = [{ node: root, next: 0 }];
    while (path.length > 0) {
      const top = path.at(-1)!;
      const { node } = top;
      if (top.next === 0) {
        order.set(node, order.size);
        low.set(node, order.get(node)!);
        open.push(node);
        isOpen.add(node);
      }
      const leaving = edges.get(node)!;
      const { to } = leaving[top.next++] ?? {};
      if (to !== undefined) {
        if (!edges.has(to)) continue;
        if (!order.has(to)) path.push({ node: to, next: 0 });
        else if (isOpen.has(to)) low.set(node, Math.min(low.get(node)!, order.get(to)!));
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent) low.set(parent.node, Math.min(low.get(parent.node)!, low.get(node)!));
      if (low.get(node) !== order.get(node)) continue;
      const component = open.splice(open.lastIndexOf(node));
      for (const one of component) isOpen.delete(one);
      found.push(component);
    }
  }
  return found;
}

/**
 * Whether an execution can stay among the given states for ever, in one state or on a cycle, while
 * each thread makes steps or has only steps that it is not obliged to make. `edges` maps each of
 * the states to its steps; all other states are outside.
 */
export function mayLast(edges: ReadonlyMap<number, readonly Edge[]>, threads: number): boolean {
  return componentsOf(edges).some((component) => {
    const inside = new Set(component);
    const settled = new Set<ThreadId>();
    for (const state of component) {
      const leaving = edges.get(state)!;
      for (let thread = 0; thread < threads; thread++) {
        const own = leaving.filter((edge) => edge.thread === thread);
        if (own.every(({ isOldRead }) => isOldRead) || own.some(({ to }) => inside.has(to)))
          settled.add(thread);
      }
    }
    return settled.size === threads;
  });
}
