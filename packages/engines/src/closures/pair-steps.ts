import { at } from '@fencewright/ground/base/at.js';
import { goalNode } from '@fencewright/ground/product/tables.js';
import type { OwnId, OwnValues } from './own-values.js';
import { maxWords, type ItemSet } from './pair-relation.js';
import type { PairStates } from './pair-states.js';
import type { Effort, ClosureFailure } from './thread-closure.js';

/** In place of a component, for a cell that no thread keeps. */
export const noKeeper = -1;

/** The keepers of cells: the threads whose local states include the values of these cells. */
export interface Keeping {
  /**
   * The component that keeps each cell, or `noKeeper`; indexed by cell, absent for unwritten cells.
   */
  readonly keepers: readonly (number | undefined)[];
  /** The inboxes: cells that are kept by their only reader, and written by other threads. */
  readonly inboxes: ReadonlySet<number>;
}

/**
 * A step of a thread at `item`: the thread finds contents in cells, goes to a new local state, and
 * leaves new contents in the cells.
 */
export interface PairStep {
  readonly item: number;
  /** The items of the contents found, one for each accessed cell. */
  readonly found: readonly number[];
  /** The items that are related to the thread's item and to all found items. */
  readonly together: ItemSet;
  readonly next: number;
  /** The contents that the step leaves in cells, in the order of `found`. */
  readonly left: readonly { readonly cell: number; readonly content: number }[];
}

/**
 * A keeper whose inbox another thread writes: the keeper's item before the step, and the values of
 * its kept cells afterwards.
 */
interface Notice {
  readonly item: number;
  readonly own: OwnId;
}

/**
 * The changes of the local states of keepers by one step, and the items related to all participants
 * of the step.
 */
interface Change {
  readonly noticed: readonly Notice[];
  readonly together: ItemSet;
}

/**
 * The work that a closure may still do, and whether the time is over: a closure gives up when no
 * work or no time is left.
 */
export interface PairEffort extends Effort {
  readonly isOver: () => boolean;
}

/** Thrown when a closure ends without a closed relation; `failure` is the reason. */
export class GaveUp extends Error {
  constructor(readonly failure: ClosureFailure) {
    super();
  }
}

/** Thrown when a component writes an own cell of another component. */
export class SecondWriter extends Error {
  constructor(readonly cell: number) {
    super();
  }
}

/** Functions called when a relation grows. */
interface PairObserver {
  /** Called when an item is new, or has been related to further items. */
  readonly isTouched: (item: number) => void;
  /** Called when a step leads from one local state to another; both are given as items. */
  readonly leads: (from: number, to: number) => void;
}

export interface PairContext {
  readonly own: OwnValues;
  /** Returns the id of the value in the content of a cell. */
  readonly valueOf: (cell: number, content: number) => number;
  readonly keeping: Keeping;
  /**
   * Whether the first writer of a cell becomes its keeper; otherwise every keeper has to be known
   * from the start.
   */
  readonly findsKeepers: boolean;
  readonly effort: PairEffort;
}

/** The number of words of a row whose inspection counts as one unit of work. */
const wordsPerUnit = 16;
/**
 * The number of inspected rows between two looks at the clock, as a look takes as long as some
 * rows.
 */
const rowsPerLook = 1024;

/** Executes single steps, and adds the results to the relation. */
export class PairSteps {
  /** The keeper of each cell, indexed by cell; completed during the closure if `findsKeepers`. */
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

  /**
   * Counts the work of inspecting a row of the relation. Throws `GaveUp` if no work is left or the
   * time is over.
   */
  spend(): void {
    const { effort } = this.#context;
    effort.left -= 1 + Math.floor(this.#states.relation.words / wordsPerUnit);
    const isOver = this.#rows++ % rowsPerLook === 0 && effort.isOver();
    if (effort.left < 0 || isOver) throw new GaveUp('effort');
  }

  /** Executes a step. Throws `GaveUp` and `SecondWriter`. */
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
      else if (keeper !== noKeeper)
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
   * Returns the keeper of a cell to which a thread of component `writer` writes a new value;
   * `noKeeper` if no component keeps the cell.
   */
  #keeperOf(cell: number, writer: number): number {
    const { keeping, findsKeepers } = this.#context;
    const { components } = this.#states;
    let keeper = this.keepers[cell];
    if (keeper === undefined) {
      if (!findsKeepers) throw new SecondWriter(cell);
      const threads = at(components, writer);
      keeper = threads.kind === 'threads' && threads.count > 1 ? noKeeper : writer;
      this.keepers[cell] = keeper;
    }
    if (keeper === writer || keeper === noKeeper) return keeper;
    if (!keeping.inboxes.has(cell)) throw new SecondWriter(cell);
    const other = at(components, keeper);
    return other.kind === 'threads' && other.count > 0 ? keeper : noKeeper;
  }

  /**
   * Returns the changes with one more keeper's local state changed, because another thread writes
   * the value to the keeper's inbox.
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
