import { at } from '@fencewright/ground/base/at.js';
import { goalNode } from '@fencewright/ground/product/tables.js';
import type { OwnId, OwnValues } from './own-values.js';
import { maxWords, type ItemSet } from './pair-relation.js';
import type { PairStates } from './pair-states.js';
import type { Effort, ClosureFailure } from './thread-closure.js';

/**
 * Stands in place of a component for the keeper of a cell if no thread's local state includes the
 * cell.
 */
export const noKeeper = -1;

/** The keepers of cells: the threads whose local states include the values of the cells. */
export interface Keeping {
  /**
   * The component that keeps each cell, or `noKeeper`; indexed by cell, absent for unwritten cells.
   */
  readonly keepers: readonly (number | undefined)[];
  /**
   * The inboxes. An inbox is a cell that only its keeper, a thread, reads, and that other threads
   * write.
   */
  readonly inboxes: ReadonlySet<number>;
}

/**
 * A step of a thread at `item`: the thread finds contents in cells, goes to a new local state, and
 * leaves new contents in the cells.
 */
export interface PairStep {
  readonly item: number;
  /** For each accessed cell, the item of the content that the thread finds in the cell. */
  readonly found: readonly number[];
  /** The items that are related to the thread's item and to all items of contents found. */
  readonly together: ItemSet;
  readonly next: number;
  /** The contents that the step leaves in cells, in the order of `found`. */
  readonly left: readonly { readonly cell: number; readonly content: number }[];
}

/**
 * The change of a keeper (a thread whose local state includes a cell) when another thread writes
 * the cell: the keeper's item before the step, and the values of its cells afterwards.
 */
interface Notice {
  readonly item: number;
  readonly own: OwnId;
}

/** A new value in the inbox of a component other than the writer: `keeper`. */
interface Heard {
  readonly keeper: number;
  readonly cell: number;
  readonly value: number;
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

/** Thrown when a component writes a cell that is part of another component's local states. */
export class SecondWriter extends Error {
  constructor(readonly cell: number) {
    super();
  }
}

/** Called for each step of a thread from one local state to another. Both are given as items. */
type Leads = (from: number, to: number) => void;

export interface PairContext {
  readonly own: OwnValues;
  /** Returns the id of the value in the content of a cell. */
  readonly valueOf: (cell: number, content: number) => number;
  readonly keeping: Keeping;
  /**
   * Whether the closure finds the keepers of cells: the first component that writes a cell then
   * becomes the cell's keeper. Otherwise the keepers are known from the start.
   */
  readonly findsKeepers: boolean;
  readonly effort: PairEffort;
}

/** The number of inspected words of a row that count as one unit of work. */
const wordsPerUnit = 16;
/**
 * The number of inspected rows between two checks of the clock, since a check takes as long as some
 * rows.
 */
const rowsPerLook = 1024;

/** Executes single steps of threads, and adds the results to the relation of items. */
export class PairSteps {
  /**
   * The keeper of each cell (the component whose local states include the cell), indexed by cell;
   * completed during the closure if `findsKeepers`.
   */
  readonly keepers: (number | undefined)[];
  readonly #states: PairStates;
  readonly #context: PairContext;
  readonly #leads: Leads;
  #rows = 0;
  /**
   * The sets that `#hear` computes, kept so that their memory is reused. Set `n` is used after `n`
   * threads have received new values in their inboxes.
   */
  readonly #heardBy: ItemSet[] = [];

  constructor(states: PairStates, context: PairContext, leads: Leads) {
    this.#states = states;
    this.#context = context;
    this.#leads = leads;
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

  /**
   * Executes a step; returns whether it writes an inbox of another thread. Throws `GaveUp` and
   * `SecondWriter`.
   */
  perform(step: PairStep): boolean {
    this.spend();
    if (step.next === goalNode) throw new GaveUp('goal');
    const states = this.#states;
    const { valueOf, own: ownValues } = this.#context;
    const component = states.relation.componentOf(step.item);
    let own = states.own(step.item);
    const heard: Heard[] = [];
    step.left.forEach(({ cell, content }, i) => {
      const value = valueOf(cell, content);
      if (valueOf(cell, states.node(at(step.found, i))) === value) return;
      const keeper = this.#keeperOf(cell, component);
      if (keeper === component) own = ownValues.with(own, cell, value);
      else if (keeper !== noKeeper) heard.push({ keeper, cell, value });
    });
    if (!this.#allows(component, step.next, own)) return false;
    if (heard.length === 0) {
      this.#relateResults(this.#resultsOf(step, own), step.together);
      return false;
    }
    const all = new Int32Array(step.together.length);
    let results: readonly number[] | undefined;
    this.#hear(heard, [], step.together, (noticed, together) => {
      results ??= this.#resultsOf(step, own);
      this.#relateNoticed(results, noticed, together);
      for (let w = 0; w < all.length; w++) all[w]! |= together[w]!;
    });
    if (results) this.#relateResults(results, all);
    return true;
  }

  #allows(component: number, node: number, own: OwnId): boolean {
    const threads = at(this.#states.components, component);
    return threads.kind !== 'threads' || (threads.allows?.(node, own) ?? true);
  }

  /**
   * Returns the keeper of a cell (the component whose local states include the cell) to which a
   * thread of component `writer` writes a new value; `noKeeper` for a cell without keeper.
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
   * Calls `take` for each choice of local states of the threads whose inboxes get new values.
   * `take` also receives the items related to all participants of the step, as a set that is valid
   * only during the call.
   */
  #hear(
    [first, ...others]: readonly Heard[],
    noticed: readonly Notice[],
    together: ItemSet,
    take: (noticed: readonly Notice[], together: ItemSet) => void,
  ): void {
    if (!first) {
      if (noticed.every((notice) => this.#allowsNotice(notice))) take(noticed, together);
      return;
    }
    const { relation } = this.#states;
    const { own } = this.#context;
    const { keeper, cell, value } = first;
    const before = noticed.find(({ item }) => relation.componentOf(item) === keeper);
    if (before) {
      const after = { ...before, own: own.with(before.own, cell, value) };
      const changed = noticed.map((notice) => (notice === before ? after : notice));
      this.#hear(others, changed, together, take);
      return;
    }
    const both = this.#setFor(noticed.length, together.length);
    for (const item of relation.membersIn(together, keeper)) {
      this.spend();
      const notice = { item, own: own.with(this.#states.own(item), cell, value) };
      relation.together(together, item, both);
      this.#hear(others, [...noticed, notice], both, take);
    }
  }

  #setFor(depth: number, words: number): ItemSet {
    const known = this.#heardBy[depth];
    if (known?.length === words) return known;
    return (this.#heardBy[depth] = new Int32Array(words));
  }

  #allowsNotice({ item, own }: Notice): boolean {
    return this.#allows(this.#states.relation.componentOf(item), this.#states.node(item), own);
  }

  /**
   * Returns the items after a step: the thread's new local state, and the new contents of cells.
   */
  #resultsOf({ item, next, left }: PairStep, own: OwnId): readonly number[] {
    const after = this.#item(this.#states.relation.componentOf(item), next, own);
    this.#leads(item, after);
    const contents = left.map(({ cell, content }) =>
      this.#item(this.#states.cell(cell), content, 0),
    );
    return [after, ...contents];
  }

  #relateResults(results: readonly number[], together: ItemSet): void {
    for (const result of results) this.#relateAll(result, together);
    this.#relateEach(results);
  }

  /**
   * Relates the new local states of the threads whose inboxes were written: to the results of the
   * step, and to the items that are related to all participants of the step.
   */
  #relateNoticed(results: readonly number[], noticed: readonly Notice[], together: ItemSet): void {
    const items = noticed.map(({ item, own }) => {
      const after = this.#item(
        this.#states.relation.componentOf(item),
        this.#states.node(item),
        own,
      );
      this.#leads(item, after);
      this.#relateAll(after, together);
      return after;
    });
    this.#relateEach([...results, ...items]);
  }

  #relateEach(items: readonly number[]): void {
    const { relation } = this.#states;
    for (const item of items)
      for (const other of items) if (item < other) relation.relate(item, other);
  }

  #item(component: number, node: number, own: OwnId): number {
    const states = this.#states;
    const known = states.find(component, node, own);
    if (known !== undefined) return known;
    if (states.relation.words >= maxWords) throw new GaveUp('effort');
    const item = states.add(component, node, own);
    states.relation.touch(item);
    return item;
  }

  #relateAll(result: number, together: ItemSet): void {
    const fresh = this.#states.relation.relateAll(result, together);
    this.#context.effort.left -= Math.floor(fresh / wordsPerUnit);
  }
}
