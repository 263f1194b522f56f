import { at, wordAt } from '@fencewright/ground/base/at.js';
import {
  outcomeSize,
  type AutomatonSource,
  type ProductTables,
} from '@fencewright/ground/product/tables.js';

/** The number of a statement about states, such as: a thread is at a node. */
export type Fact = number;

/** An outcome of an action, and the values of the accessed cell that lead to the outcome. */
interface SameOutcome {
  readonly node: Fact;
  /** The fact that the cell holds the written value; -1 if the cell keeps the old value. */
  readonly written: Fact;
  /**
   * The ids of the values that lead to the outcome; empty if the outcome does not depend on the
   * cell.
   */
  readonly values: number[];
}

/** An action at a node, with the outcomes by key. */
interface FactAction {
  readonly cell: number;
  readonly isBlind: boolean;
  readonly outcomes: Map<string, SameOutcome>;
}

/** An automaton of a thread, with a fact for each reached node: a thread is at the node. */
export interface FactComponent {
  readonly automaton: number;
  readonly source: AutomatonSource;
  /**
   * For each reached node of the automaton, the fact that a thread is at the node; indexed by node.
   */
  readonly nodes: (Fact | undefined)[];
  /** For each reached node of the automaton, its actions, indexed by node. */
  readonly actions: (readonly FactAction[])[];
}

interface Reader {
  readonly component: FactComponent;
  readonly node: number;
  readonly action: number;
}

/**
 * The maximum number of facts of a program; programs with more facts are left to other searches.
 */
const mostFacts = 8000;
/** The maximum number of values of a cell; programs with more are left to other searches. */
const mostValues = 24;

/**
 * The facts reached by components over shared cells if nodes stay occupied and cells keep all
 * earlier values: the delete relaxation of the program, without costs.
 */
export class ReachedFacts {
  /** The number of facts that have been found so far. */
  count = 0;
  /** Whether the program has more facts than the limits allow, so that some are missing. */
  isCut = false;
  readonly components: FactComponent[] = [];
  readonly #tables: ProductTables;
  /**
   * For each cell and value, the fact that the cell holds the value; indexed by cell, then by
   * value.
   */
  readonly #values: (Fact | undefined)[][] = [];
  readonly #readers: Reader[][] = [];
  readonly #pending: (() => void)[] = [];
  #isFork = false;

  constructor(tables: ProductTables) {
    this.#tables = tables;
  }

  /**
   * Returns a copy, to which a component is added that changes no value: the values that this
   * component writes are left out, so that the other components reach no further facts.
   */
  fork(): ReachedFacts {
    const copy = new ReachedFacts(this.#tables);
    copy.count = this.count;
    copy.isCut = this.isCut;
    copy.#isFork = true;
    for (const [cell, values] of this.#values.entries()) copy.#values[cell] = [...(values ?? [])];
    return copy;
  }

  /**
   * Adds a component (a thread's automaton) that starts at the given nodes, with all facts reached
   * by the component.
   */
  add(automaton: number, source: AutomatonSource, nodes: readonly number[]): FactComponent {
    const component = { automaton, source, nodes: [], actions: [] };
    this.components.push(component);
    for (const node of nodes) this.#node(component, node);
    this.#close();
    return component;
  }

  /** Returns a new fact, to which the caller adds steps. */
  fresh(): Fact {
    if (this.count >= mostFacts) this.isCut = true;
    return this.count++;
  }

  /** Returns the number of values that a cell may hold, as far as found. */
  valuesOf(cell: number): number {
    return this.#values[cell]?.length ?? 0;
  }

  /** Returns the fact that a cell holds a value; -1 if the cell never does. */
  value(cell: number, value: number): Fact {
    return this.#values[cell]?.[value] ?? -1;
  }

  #close(): void {
    while (this.#pending.length > 0 && !this.isCut) this.#pending.pop()!();
  }

  #node(component: FactComponent, node: number): Fact {
    const known = component.nodes[node];
    if (known !== undefined) return known;
    this.#pending.push(() => this.#follow(component, node));
    return (component.nodes[node] = this.fresh());
  }

  #value(cell: number, value: number): Fact {
    const facts = (this.#values[cell] ??= []);
    const known = facts[value];
    if (known !== undefined) return known;
    if (this.#isFork && value > 0) return -1;
    if (value >= mostValues) this.isCut = true;
    const readers = (this.#readers[cell] ??= []);
    this.#pending.push(() => {
      for (const reader of readers) this.#act(reader, cell, value);
    });
    return (facts[value] = this.fresh());
  }

  #follow(component: FactComponent, node: number): void {
    const { source } = component;
    component.actions[node] = source.actionCells(node).map((cell, action) => ({
      cell,
      isBlind: cell < 0 || source.isBlind?.(node, action) === true,
      outcomes: new Map<string, SameOutcome>(),
    }));
    for (const [action, { cell, isBlind }] of at(component.actions, node).entries()) {
      const reader = { component, node, action };
      if (cell >= 0) this.#value(cell, 0);
      if (isBlind) this.#act(reader, cell, 0);
      else {
        (this.#readers[cell] ??= []).push(reader);
        // The loop covers the values known so far; the reader gets values added later, too.
        for (const value of [...at(this.#values, cell).keys()]) this.#act(reader, cell, value);
      }
    }
  }

  /**
   * Adds the facts after an action on a cell with the given value; does nothing for a known value.
   */
  #act({ component, node, action }: Reader, cell: number, value: number): void {
    if (this.isCut || (cell >= 0 && this.value(cell, value) < 0)) return;
    const { outcomes, isBlind } = at(at(component.actions, node), action);
    const list = this.#tables.outcomes(component.automaton, node, action, value);
    const results = Array.from({ length: wordAt(this.#tables.memory, list) }, (_, i) => ({
      written: wordAt(this.#tables.memory, list + 1 + outcomeSize * i),
      next: wordAt(this.#tables.memory, list + 2 + outcomeSize * i),
    }));
    for (const { written, next } of results) {
      const keeps = cell < 0 || (!isBlind && written === value);
      const effect = keeps ? -1 : this.#value(cell, written);
      const name = `${next}:${effect}`;
      const known = outcomes.get(name);
      const values = known?.values ?? [];
      if (!isBlind && !values.includes(value)) values.push(value);
      if (!known)
        outcomes.set(name, { node: this.#node(component, next), written: effect, values });
    }
  }
}
