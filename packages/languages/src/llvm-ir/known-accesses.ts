import type { Bytes } from './bytes.js';
import { decidingLoads } from './deciding-loads.js';
import type { Linked } from './link-modules.js';
import type { LoweredStep, StepGraph, StepNode } from './step.js';
import type { IrInstruction } from './syntax.js';
import { unchangingLoops } from './unchanging-loops.js';

/**
 * An access that needs no step in the thread's graph, since other threads do not notice the access.
 */
interface KnownAccess extends Bytes {
  readonly does: 'load' | 'store';
  readonly node: StepNode;
  /**
   * The accessing instruction; `false` for an instruction of the library, whose loops end by
   * themselves.
   */
  readonly instruction: IrInstruction | false;
}

/** The accesses of a thread that need no step: accesses invisible to other threads. */
export class KnownAccesses {
  readonly #all: KnownAccess[] = [];

  /** Notes an access at a node of the thread's graph. */
  note(access: KnownAccess): void {
    this.#all.push(access);
  }

  mark(): () => void {
    const { length } = this.#all;
    return () => {
      this.#all.length = length;
    };
  }

  /**
   * The cells whose known values keep the thread in endless loops of its graph, without cells to
   * which these loops store. In a loop with visible steps, a load counts only if the loaded value
   * may decide when a loop of the source text ends. A loop of invisible steps counts as endless if
   * all its exits depend on conditions that no iteration changes.
   */
  awaitedIn(graph: StepGraph, linked: Linked): readonly Bytes[] {
    if (this.#all.length === 0) return [];
    const silent = endlessLoops(graph, isSilent);
    const deciding = decidingLoads(linked);
    const awaitedAmong = (loops: ReadonlySet<StepNode>): readonly Bytes[] => {
      const inside = this.#all.filter(({ node }) => loops.has(node));
      const stored = inside.filter(({ does }) => does === 'store');
      return inside.filter(
        ({ does, address, size, node, instruction }) =>
          does === 'load' &&
          (silent.has(node) || (instruction && deciding.has(instruction))) &&
          !stored.some((one) => one.address < address + size && address < one.address + one.size),
      );
    };
    return [
      ...awaitedAmong(endlessLoops(graph, () => true)),
      ...awaitedAmong(unchangingLoops(graph, isSilent)),
    ];
  }
}

/**
 * The nodes of endless loops, if all steps of the loop and all later steps satisfy a condition.
 * Nodes between two such loops are included.
 */
function endlessLoops(
  { nodes, edges }: StepGraph,
  condition: (step: LoweredStep) => boolean,
): ReadonlySet<StepNode> {
  const sources: StepNode[][] = Array.from({ length: nodes }, () => []);
  const targets: StepNode[][] = Array.from({ length: nodes }, () => []);
  const inside = new Set<StepNode>(sources.keys());
  for (const { from, to, step } of edges) {
    sources[to]!.push(from);
    targets[from]!.push(to);
    if (!condition(step)) inside.delete(from);
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

/**
 * Whether other threads cannot notice or influence the step. In an endless loop of such steps, a
 * thread runs for ever by itself.
 */
function isSilent({ kind }: LoweredStep): boolean {
  return kind === 'skip' || kind === 'assign' || kind === 'assume';
}
