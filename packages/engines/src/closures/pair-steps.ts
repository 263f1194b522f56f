import { at } from '@fencewright/ground/base/at.js';
import { goalNode } from '@fencewright/ground/product/tables.js';
import type { OwnId, OwnValues } from './own-values.js';
import { maxWords, type ItemSet } from './pair-relation.js';
import type { PairStates } from './pair-states.js';
import type { Effort, Failure } from './thread-closure.js';

/** Instead of a component: nobody keeps a cell. */
export const nobody = -1;

/** The threads that know the contents of cells, as part of their local states. */
export interface Keeping {
  /**
   * Indexed by cell: the component that keeps the cell, or `nobody`; absent for unwritten cells.
   */
  readonly keepers: readonly (number | undefined)[];
  /** The kept cells that further components may write. */
  readonly inboxes: ReadonlySet<number>;
}

/**
 * A step of a thread at `item`: the thread finds contents in cells, goes on, and leaves new
 * contents.
 */
export interface PairStep {
  readonly item: number;
  /** The items found, one for each cell. */
  readonly found: readonly number[];
  /** The items possible together with the thread and with all found items. */
  readonly together: ItemSet;
  readonly next: number;
  /** In the order of `found`. */
  readonly left: readonly { readonly cell: number; readonly content: number }[];
}

/** A thread whose local state changes by a step of another thread. */
interface Notice {
  readonly item: number;
  readonly own: OwnId;
}

/**
 * The changes that keepers notice from a step, and the items possible together with the step and
 * all noticed items.
 */
interface Change {
  readonly noticed: readonly Notice[];
  readonly together: ItemSet;
}

/** Remaining work, and whether the time is over; the closure then ends. */
export interface PairEffort extends Effort {
  readonly isOver: () => boolean;
}

/** The reason why no closed relation exists. */
export class GaveUp extends Error {
  constructor(readonly failure: Failure) {
    super();
  }
}

/** A cell turned out to have a writer other than its keeper. */
export class SecondWriter extends Error {
  constructor(readonly cell: number) {
    super();
  }
}

/** Callbacks on changes of a relation. */
interface PairObserver {
  /** The item is new, or is related to more. */
  readonly isTouched: (item: number) => void;
  /** A step leads from one local state to another. */
  readonly leads: (from: number, to: number) => void;
}

export interface PairContext {
  readonly own: OwnValues;
  /** The id of a content's value. */
  readonly valueOf: (cell: number, content: number) => number;
  readonly keeping: Keeping;
  /**
   * Whether the first writer of a cell becomes its keeper; otherwise every cell needs a known
   * keeper.
   */
  readonly findsKeepers: boolean;
  readonly effort: PairEffort;
}

/** Words of a row that count as one unit of work. */
const wordsPerUnit = 16;
/** To look at the clock takes as long as to look at some rows. */
const rowsPerLook = 1024;

/** Adds the results of single steps to a relation. */
export class PairSteps {
  /** Keepers, completed if the context asks to find keepers. */
  readonly keepers: (number | undefined)[];
  readonly #states: PairStates;
  readonly #context: PairContext;
  readonly #observer: PairObserver;
  #rows = 0;

  constructor(states: PairStates, context: PairContext, observer: PairObserver) {
    this.#states = states;
    this.#context = context;
    this.#observer = observer;
    this.keepers = [...context.keeping.keepers];
  }

  /** Counts the work of looking at a row. Throws `GaveUp`. */
  spend(): void {
    const { effort } = this.#context;
    effort.left -= 1 + Math.floor(this.#states.relation.words / wordsPerUnit);
    const isOver = this.#rows++ % rowsPerLook === 0 && effort.isOver();
    if (effort.left < 0 || isOver) throw new GaveUp('effort');
  }

  /** Throws `GaveUp` and `SecondWriter`. */
  perform(step: PairStep): void {
    this.spend();
    if (step.next === goalNode) throw new GaveUp('goal');
    const states = this.#states;
    const { valueOf, own: ownValues } = this.#context;
    const component = states.relation.componentOf(step.item);
    let own = states.own(step.item);
    let changes: readonly Change[] = [{ noticed: [], together: step.together }];
    step.left.forEach(({ cell, content }, i) => {
      const value = valueOf(cell, content);
      if (valueOf(cell, states.node(at(step.found, i))) === value) return;
      const keeper = this.#keeperOf(cell, component);
      if (keeper === component) own = ownValues.with(own, cell, value);
      else if (keeper !== nobody)
        changes = changes.flatMap((change) => this.#noticing(change, keeper, cell, value));
    });
    if (!this.#allows(component, step.next, own)) return;
    for (const change of changes) this.#change(step, own, change);
  }

  #allows(component: number, node: number, own: OwnId): boolean {
    const its = at(this.#states.components, component);
    return its.kind !== 'threads' || (its.allows?.(node, own) ?? true);
  }

  /**
   * The component that keeps a cell when threads of component `writer` write a new value; `nobody`
   * if no component keeps the cell.
   */
  #keeperOf(cell: number, writer: number): number {
    const { keeping, findsKeepers } = this.#context;
    const { components } = this.#states;
    let keeper = this.keepers[cell];
    if (keeper === undefined) {
      if (!findsKeepers) throw new SecondWriter(cell);
      const threads = at(components, writer);
      keeper = threads.kind === 'threads' && threads.count > 1 ? nobody : writer;
      this.keepers[cell] = keeper;
    }
    if (keeper === writer || keeper === nobody) return keeper;
    if (!keeping.inboxes.has(cell)) throw new SecondWriter(cell);
    const other = at(components, keeper);
    return other.kind === 'threads' && other.count > 0 ? keeper : nobody;
  }

  /**
   * The possible states of a cell's keeper during a change, each with the notice of the cell's new
   * value.
   */
  #noticing(change: Change, keeper: number, cell: number, value: number): readonly Change[] {
    const { relation } = this.#states;
    const { own } = this.#context;
    const before = change.noticed.find(({ item }) => relation.componentOf(item) === keeper);
    if (before) {
      const after = { ...before, own: own.with(before.own, cell, value) };
      const noticed = change.noticed.map((notice) => (notice === before ? after : notice));
      return [{ ...change, noticed }];
    }
    return relation.membersIn(change.together, keeper).map((item): Change => {
      this.spend();
      const notice = { item, own: own.with(this.#states.own(item), cell, value) };
      return {
        noticed: [...change.noticed, notice],
        together: relation.together(change.together, item),
      };
    });
  }

  #change({ item, next, left }: PairStep, own: OwnId, { noticed, together }: Change): void {
    const { relation } = this.#states;
    for (const notice of noticed) {
      const keeper = relation.componentOf(notice.item);
      if (!this.#allows(keeper, this.#states.node(notice.item), notice.own)) return;
    }
    const component = relation.componentOf(item);
    const results = [this.#item(component, next, own)];
    this.#observer.leads(item, at(results, 0));
    for (const notice of noticed) {
      const keeper = relation.componentOf(notice.item);
      const after = this.#item(keeper, this.#states.node(notice.item), notice.own);
      this.#observer.leads(notice.item, after);
      results.push(after);
    }
    for (const { cell, content } of left)
      results.push(this.#item(this.#states.cell(cell), content, 0));
    for (const result of results) this.#relateAll(result, together);
    for (const result of results)
      for (const other of results)
        if (result < other && relation.relate(result, other)) {
          this.#observer.isTouched(result);
          this.#observer.isTouched(other);
        }
  }

  #item(component: number, node: number, own: OwnId): number {
    const states = this.#states;
    const known = states.find(component, node, own);
    if (known !== undefined) return known;
    if (states.relation.words >= maxWords) throw new GaveUp('effort');
    const item = states.add(component, node, own);
    this.#observer.isTouched(item);
    return item;
  }

  #relateAll(result: number, together: ItemSet): void {
    let fresh = 0;
    this.#states.relation.relateAll(result, together, (other) => {
      fresh++;
      this.#observer.isTouched(other);
    });
    if (fresh === 0) return;
    this.#observer.isTouched(result);
    this.#context.effort.left -= Math.floor(fresh / wordsPerUnit);
  }
}
