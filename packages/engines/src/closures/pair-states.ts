import { at } from '@fencewright/ground/base/at.js';
import type { OwnId } from './own-values.js';
import { isIn, PairRelation, type ItemSet } from './pair-relation.js';

/** A component of threads with equal code: each runs the automaton by itself. */
export interface PairThreads {
  readonly kind: 'threads';
  /** The number of the threads' automaton in the `ProductTables`. */
  readonly automaton: number;
  /** The number of threads of the component; 0 in a phase in which the threads take no steps. */
  readonly count: number;
  /**
   * Returns whether a local state may be added to the component. If absent, every local state may.
   */
  readonly allows?: (node: number, own: OwnId) => boolean;
}

/** A component: threads with equal code, or a cell. */
export type PairComponent = PairThreads | { readonly kind: 'cell'; readonly cell: number };

const ownsPerNode = 2 ** 24;

/**
 * Returns a number that identifies a local state: the node, and the values of the cells in the
 * local state.
 */
export function localStateId(node: number, own: OwnId): number {
  return node * ownsPerNode + own;
}

/**
 * The items of all components, and the relation between items that may occur at one time. Two items
 * of one component of threads are related if two of its threads may be in these local states at one
 * time. A cell that has no component yet holds 0, together with any items of other components.
 */
export class PairStates {
  readonly relation: PairRelation;
  readonly #components: PairComponent[];
  /** For each item, the node of the thread or the content of the cell represented by the item. */
  readonly #nodes: number[] = [];
  /**
   * For each item that is a local state, the values of the cells that the local state includes; 0
   * for contents. Indexed by item.
   */
  readonly #owns: OwnId[] = [];
  /** For each component, the numbers of its items found so far, by `localStateId`. */
  readonly #items: Map<number, number>[];
  /** For each cell, the number of the cell's component; absent for a cell without component. */
  readonly #cells: (number | undefined)[] = [];

  constructor(components: readonly PairComponent[], relation = new PairRelation()) {
    this.relation = relation;
    this.#components = [...components];
    this.#items = components.map(() => new Map<number, number>());
    components.forEach((component, c) => {
      if (component.kind === 'cell') this.#cells[component.cell] = c;
    });
  }

  get components(): readonly PairComponent[] {
    return this.#components;
  }

  component(item: number): PairComponent {
    return at(this.#components, this.relation.componentOf(item));
  }

  /** Returns what the item represents: the node of a thread, or the content of a cell. */
  node(item: number): number {
    return at(this.#nodes, item);
  }

  own(item: number): OwnId {
    return at(this.#owns, item);
  }

  find(component: number, node: number, own: OwnId): number | undefined {
    return at(this.#items, component).get(localStateId(node, own));
  }

  /** Adds a new item, related to nothing; returns the item. */
  add(component: number, node: number, own: OwnId): number {
    return this.put(this.relation.add(component), component, node, own);
  }

  /**
   * Records the node or content of an item of the relation, and the values of the cells that a
   * thread's local state includes.
   */
  put(item: number, component: number, node: number, own: OwnId): number {
    this.#nodes[item] = node;
    this.#owns[item] = own;
    at(this.#items, component).set(localStateId(node, own), item);
    return item;
  }

  /** Returns the component of a cell; `undefined` if the cell has none. */
  knownCell(cell: number): number | undefined {
    return this.#cells[cell];
  }

  /**
   * Returns the component of a cell. If the cell has none, first makes a component for the cell,
   * with the initial value as its only content.
   */
  cell(cell: number): number {
    const known = this.#cells[cell];
    if (known !== undefined) return known;
    const others = [...this.items()];
    const component = this.#components.push({ kind: 'cell', cell }) - 1;
    this.#cells[cell] = component;
    this.#items.push(new Map<number, number>());
    const fresh = this.add(component, 0, 0);
    for (const item of others) this.relation.relate(fresh, item);
    return component;
  }

  *items(): Generator<number> {
    for (const items of this.#items) yield* items.values();
  }

  itemsOf(component: number): Iterable<number> {
    return at(this.#items, component).values();
  }

  /**
   * Returns the states at the start of a later phase: the items of all sets, where two items are
   * related if they were related before and some set contains both. `later` returns the new node or
   * content of an item, or `undefined` for an item that is left out.
   */
  restrictedTo(
    sets: readonly ItemSet[],
    components: readonly PairComponent[],
    later: (item: number, component: number) => number | undefined,
  ): PairStates {
    const states = new PairStates(components, this.relation.restrictedTo(sets));
    this.#items.forEach((items, component) => {
      for (const item of items.values()) {
        const isLeft = sets.some((set) => isIn(set, item));
        const node = isLeft ? later(item, component) : undefined;
        if (node !== undefined) states.put(item, component, node, this.own(item));
      }
    });
    return states;
  }
}
