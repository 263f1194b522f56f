import { goalNode, type AutomatonSource } from '../../src/product/tables.js';
import type { ProductSearch, ProductState } from '../../src/product/product-search.js';

/** The result of a breadth-first search through a product. */
export interface Exploration {
  /**
   * The states of the product in the order of discovery, as text: nodes, then values without
   * trailing zeros.
   */
  readonly states: readonly string[];
  readonly parents: readonly number[];
  readonly goalFrom: number;
}

export function nameOf({ nodes, values }: ProductState): string {
  const last = values.findLastIndex((value) => value !== 0);
  return `${nodes.join()}|${values.slice(0, last + 1).join()}`;
}

/** Returns the states and parents that a search has stored. */
export function explored(search: ProductSearch): Exploration {
  const states = Array.from({ length: search.table.count }, (_, state) => state);
  return {
    states: states.map((state) => nameOf(search.state(state))),
    parents: states.map((state) => search.table.parent(state)),
    goalFrom: search.goalFrom,
  };
}

/**
 * A plain breadth-first search through a product. Stops at a goal, or before expanding a state once
 * `limit` states are stored.
 */
export function exploreByHand(
  sources: readonly AutomatonSource[],
  groups: readonly (readonly number[])[],
  initial: ProductState,
  limit = Infinity,
): Exploration {
  const queue: ProductState[] = [];
  const parents: number[] = [];
  const seen = new Set<string>();
  const insert = (state: ProductState, parent: number): void => {
    const nodes = [...state.nodes];
    for (const group of groups) {
      const sorted = group.map((c) => nodes[c]!).sort((a, b) => a - b);
      group.forEach((c, i) => (nodes[c] = sorted[i]!));
    }
    const next = { nodes, values: state.values };
    if (seen.has(nameOf(next))) return;
    seen.add(nameOf(next));
    queue.push(next);
    parents.push(parent);
  };
  /**
   * Executes the actions of component `c` in a state of the product and stores the successors;
   * returns whether a goal is reached.
   */
  const move = ({ nodes, values }: ProductState, c: number, parent: number): boolean => {
    const source = sources[c]!;
    const node = nodes[c]!;
    return source.actionCells(node).some((cell, action) => {
      const value = cell < 0 ? 0 : (values[cell] ?? 0);
      return source.outcomes(node, action, value).some((outcome) => {
        if (outcome.node === goalNode) return true;
        const changed = [...values];
        while (changed.length <= cell) changed.push(0);
        if (cell >= 0) changed[cell] = outcome.value;
        const next = { nodes: nodes.with(c, outcome.node), values: changed };
        if (outcome.transient) return move(next, c, parent);
        insert(next, parent);
        return false;
      });
    });
  };
  insert(initial, -1);
  let goalFrom = -1;
  for (let at = 0; at < queue.length && goalFrom < 0 && queue.length < limit; at++) {
    const state = queue[at]!;
    const owner = state.nodes.findIndex((node, c) => sources[c]!.isExclusive(node));
    const movers = owner < 0 ? state.nodes.map((_, c) => c) : [owner];
    if (movers.some((c) => move(state, c, at))) goalFrom = at;
  }
  return { states: queue.map(nameOf), parents, goalFrom };
}
