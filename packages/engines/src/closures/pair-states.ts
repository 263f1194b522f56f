import { at } from '@fencewright/ground/base/at.js';
import type { OwnId } from './own-values.js';
import { PairRelation, type ItemSet } from './pair-relation.js';

/** Threads running an automaton, each independently. */
export interface PairThreads {
  readonly kind: 'threads';
  /** Number of the automaton in the tables. */
  readonly automaton: number;
  /** The number of threads; 0 for threads that no longer take part. */
  readonly count: number;
  /** Whether a local state counts; if absent, all states count. */
  readonly allows?: (node: number, own: OwnId) => boolean;
}

/** Threads with equal code, or a cell. */
export type PairComponent = PairThreads | { readonly kind: 'cell'; readonly cell: number };

const ownsPerNode = 2 ** 24;

/** The number of a local state. */
export function localKey(node: number, own: OwnId): number {
  return node * ownsPerNode + own;
}

/**
 * The simultaneous states of components. Items are the local states of threads and the contents of
 * cells; the relation says which pairs of items can occur together. Items of one component of
 * threads are related if two of the threads may be at these items at once. A cell without a
 * component so far holds 0, whatever the present components do.
 */
export class PairStates {
  readonly relation: PairRelation;
  readonly #components: PairComponent[];
  /** Indexed by item: the node of a thread, the content of a cell. */
  readonly #nodes: number[] = [];
  /** Indexed by item: the values of the cells that a thread keeps. */
  readonly #owns: OwnId[] = [];
  /** Indexed by component, by `localKey`. */
  readonly #items: Map<number, number>[];
  /** Indexed by cell. */
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

  /** The node of a thread, the content of a cell. */
  node(item: number): number {
    return at(this.#nodes, item);
  }

  own(item: number): OwnId {
    return at(this.#owns, item);
  }

  find(component: number, node: number, own: OwnId): number | undefined {
    return at(this.#items, component).get(localKey(node, own));
  }

  /** A new item, related to nothing. */
  add(component: number, node: number, own: OwnId): number {
    return this.put(this.relation.add(component), component, node, own);
  }

  /** Describes an item that exists in the relation. */
  put(item: number, component: number, node: number, own: OwnId): number {
    this.#nodes[item] = node;
    this.#owns[item] = own;
    at(this.#items, component).set(localKey(node, own), item);
    return item;
  }

  /** The component of a cell, if known. */
  knownCell(cell: number): number | undefined {
    return this.#cells[cell];
  }

  /** The component of a cell; a new component is made if necessary. */
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

  /** The items of a component. */
  itemsOf(component: number): Iterable<number> {
    return at(this.#items, component).values();
  }

  /**
   * The states restricted for a later phase: items that are in one of the sets, and pairs of items
   * with a common set. `later` gives the new node or content of an item of a component; without a
   * result, the item is dropped.
   */
  restrictedTo(
    sets: readonly ItemSet[],
    components: readonly PairComponent[],
    later: (item: number, component: number) => number | undefined,
  ): PairStates {
    const states = new PairStates(components, this.relation.restrictedTo(sets));
    this.#items.forEach((items, component) => {
      for (const item of items.values()) {
        const isLeft = sets.some((set) => (((set[item >>> 5] ?? 0) >>> (item & 31)) & 1) === 1);
        const node = isLeft ? later(item, component) : undefined;
        if (node !== undefined) states.put(item, component, node, this.own(item));
      }
    });
    return states;
  }
}
