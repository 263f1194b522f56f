import { at } from '@fencewright/ground/base/at.js';
import type { IsImpossible } from './backward-search.js';
import { any, type Minor } from './minor.js';
import type { ThreadGraphEdge, ThreadGraph } from './thread-graph.js';
import { ownValue } from './words.js';

/**
 * The maximum number of tuples of last values for a thread. If a thread has more, the last stores
 * of this thread exclude no minors.
 */
const maxTuples = 20_000;

/**
 * For each node of a thread, the possible last stores of the thread to the cells that only this
 * thread writes.
 */
interface LastStores {
  /** The cells that this thread alone writes. */
  readonly cells: readonly number[];
  /**
   * Tuples of the last values of `cells`, one for each path to the node; indexed by node. A node
   * without tuples is unreachable.
   */
  readonly tuples: readonly (readonly (readonly number[])[])[];
}

function writtenCell({ effect }: ThreadGraphEdge): number | undefined {
  if (effect.kind === 'store') return effect.cell;
  return effect.kind === 'rmw' && effect.written !== effect.value ? effect.cell : undefined;
}

/** Returns the cells written by a single thread, indexed by the writing thread. */
function cellsOfOneWriter(graphs: readonly ThreadGraph[]): readonly (readonly number[])[] {
  const written = graphs.map(
    ({ edges }) => new Set(edges.flatMap((edge) => writtenCell(edge) ?? [])),
  );
  return written.map((own, t) =>
    [...own].filter((cell) => written.every((others, other) => other === t || !others.has(cell))),
  );
}

/**
 * Follows the steps of a thread and computes the last stores of the thread at each node, for any
 * values read from cells of other threads. `undefined` if there are too many.
 */
function followStores(
  { states, initial, edges }: ThreadGraph,
  cells: readonly number[],
): LastStores | undefined {
  const leaving: ThreadGraphEdge[][] = states.map(() => []);
  for (const edge of edges) at(leaving, edge.from).push(edge);
  const slots = new Map(cells.map((cell, slot) => [cell, slot]));
  const known = states.map(() => new Map<string, readonly number[]>());
  const pending: (readonly [node: number, tuple: readonly number[]])[] = [];
  let count = 0;
  const visit = (node: number, tuple: readonly number[]): void => {
    const tuples = at(known, node);
    const name = tuple.join();
    if (tuples.has(name)) return;
    tuples.set(name, tuple);
    count++;
    pending.push([node, tuple]);
  };
  visit(
    initial,
    cells.map(() => 0),
  );
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (count > maxTuples) return undefined;
    const [node, tuple] = next;
    for (const { to, effect } of at(leaving, node)) {
      const slot = 'cell' in effect ? slots.get(effect.cell) : undefined;
      if (slot === undefined || !('cell' in effect)) {
        visit(to, tuple);
        continue;
      }
      if (effect.kind !== 'store' && tuple[slot] !== effect.value) continue;
      if (effect.kind === 'load') visit(to, tuple);
      else visit(to, tuple.with(slot, effect.kind === 'store' ? effect.value : effect.written));
    }
  }
  return { cells, tuples: known.map((tuples) => [...tuples.values()]) };
}

/**
 * Returns a function that recognises two kinds of minors without reachable configurations. First: a
 * thread is at a node with `holdsLock`, although another thread is the holder. Second: the value of
 * a cell with one writer differs from the writer's last store on every path to the writer's node;
 * on this machine a store is in memory at once.
 */
export function impossibleMinors(graphs: readonly ThreadGraph[]): IsImpossible {
  const cells = cellsOfOneWriter(graphs);
  const stores = graphs.map((graph, t) => followStores(graph, at(cells, t)));
  const isConsistent = ({ memory, words, isFrozen }: Minor, node: number, t: number): boolean => {
    const own = stores[t];
    if (!own) return true;
    const word = at(words, t);
    const mine = own.cells.map((cell) => ownValue(word, cell));
    return at(own.tuples, node).some((tuple) =>
      own.cells.every((cell, slot) => {
        const value = at(tuple, slot);
        const held = at(memory, cell);
        if (!isFrozen && held !== any && held !== value) return false;
        return mine[slot] === undefined || mine[slot] === value;
      }),
    );
  };
  return (minor) => {
    const { nodes, lock } = minor;
    return nodes.some((node, t) => {
      if (node === any) return false;
      if (at(at(graphs, t).states, node).holdsLock !== (lock === t)) return true;
      return !isConsistent(minor, node, t);
    });
  };
}

/**
 * Returns a function that recognises only the first kind of minors that `impossibleMinors`
 * recognises: a thread is at a node with `holdsLock` but is not the holder, or the reverse. The
 * function does not use the last stores of cells with one writer.
 */
export function inconsistentLocks(graphs: readonly ThreadGraph[]): IsImpossible {
  return ({ nodes, lock }) =>
    nodes.some(
      (node, t) => node !== any && at(at(graphs, t).states, node).holdsLock !== (lock === t),
    );
}
