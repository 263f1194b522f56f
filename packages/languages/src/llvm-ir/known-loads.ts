import type { LoweredStep, StepGraph, StepNode } from './step.js';

/** The loads of a thread that need no step, since their values are known. */
export class KnownLoads {
  readonly #loads: { readonly node: StepNode; readonly address: number }[] = [];

  /** Notes a load at a node of the thread's graph. */
  note(node: StepNode, address: number): void {
    this.#loads.push({ node, address });
  }

  /** The cells whose known values keep the thread in endless loops of its graph. */
  awaitedIn(graph: StepGraph): readonly number[] {
    if (this.#loads.length === 0) return [];
    const loops = silentLoops(graph);
    return this.#loads.filter(({ node }) => loops.has(node)).map(({ address }) => address);
  }
}

/**
 * The nodes of the endless loops whose steps other threads cannot notice or influence: a thread
 * there runs for ever by itself. Nodes between two such loops are among them.
 */
function silentLoops({ nodes, edges }: StepGraph): ReadonlySet<StepNode> {
  const sources: StepNode[][] = Array.from({ length: nodes }, () => []);
  const targets: StepNode[][] = Array.from({ length: nodes }, () => []);
  const inside = new Set<StepNode>(sources.keys());
  for (const { from, to, step } of edges) {
    sources[to]!.push(from);
    targets[from]!.push(to);
    if (!isSilent(step)) inside.delete(from);
  }
  for (const node of inside) if (targets[node]!.length === 0) inside.delete(node);
  // A node whose steps lead outside is left out, and so are the nodes before it.
  const outside = [...sources.keys()].filter((node) => !inside.has(node));
  for (let node = outside.pop(); node !== undefined; node = outside.pop())
    for (const from of sources[node]!) if (inside.delete(from)) outside.push(from);
  // A node that no remaining node leads to is in no loop.
  const entries = [...inside];
  for (let node = entries.pop(); node !== undefined; node = entries.pop()) {
    if (!inside.has(node) || sources[node]!.some((from) => inside.has(from))) continue;
    inside.delete(node);
    entries.push(...targets[node]!);
  }
  return inside;
}

function isSilent({ kind }: LoweredStep): boolean {
  return kind === 'skip' || kind === 'assign' || kind === 'assume';
}
