import { throughBlock } from './pair-blocks.js';
import type { PairStates } from './pair-states.js';
import { PairSteps, type Keeping, type PairContext } from './pair-steps.js';
import type { TabulatedActions } from './tabulated-actions.js';

/**
 * A task: to execute an access of a thread in a local state (an item) with each content of the
 * accessed cell, or to execute a whole lock block.
 */
interface PairTask {
  readonly item: number;
  readonly action: number;
  /** The cell that the access accesses; -1 for a lock block. */
  readonly cell: number;
  readonly isBlind: boolean;
  /**
   * By item found in the cell: the sum of two version numbers at the last execution of the access.
   * The two versions are those of the item found and of the local state's item.
   */
  readonly tried: Map<number, number>;
  isPending: boolean;
  /**
   * Whether the access, when last executed, wrote an inbox of another thread. Executing such an
   * access takes long.
   */
  isHeard: boolean;
}

/** The result of a closure: a closed relation, and the steps and readers found meanwhile. */
export interface ClosedPairs {
  readonly states: PairStates;
  readonly keeping: Keeping;
  /**
   * For each item of a local state, the items of the direct predecessors: local states with a step
   * to the item.
   */
  readonly before: ReadonlyMap<number, ReadonlySet<number>>;
  /** For each cell, the components of threads that read the cell, indexed by cell. */
  readonly readers: readonly (ReadonlySet<number> | undefined)[];
}

class PairClosure {
  readonly #states: PairStates;
  readonly #actions: TabulatedActions;
  readonly #context: PairContext;
  readonly #steps: PairSteps;
  /** For each item (local state of a thread), its accesses and lock blocks, indexed by item. */
  readonly #tasks: (readonly PairTask[] | undefined)[] = [];
  /**
   * For each cell, the accesses and lock blocks that depend on the cell's contents, indexed by
   * cell.
   */
  readonly #tasksOf: Set<PairTask>[] = [];
  readonly #before = new Map<number, Set<number>>();
  #pending: PairTask[] = [];
  /**
   * The tasks that write inboxes. They are executed only when `#pending` is empty, so that fewer of
   * them have to be repeated.
   */
  #later: PairTask[] = [];

  constructor(states: PairStates, actions: TabulatedActions, context: PairContext) {
    this.#states = states;
    this.#actions = actions;
    this.#context = context;
    this.#steps = new PairSteps(states, context, (from, to) => {
      const known = this.#before.get(to);
      if (known) known.add(from);
      else this.#before.set(to, new Set([from]));
    });
  }

  close(): ClosedPairs {
    this.#touchAll();
    for (;;) {
      this.#schedule();
      const isLate = this.#pending.length === 0;
      const tasks = isLate ? this.#later : this.#pending;
      if (tasks.length === 0) break;
      if (isLate) this.#later = [];
      else this.#pending = [];
      for (const task of tasks) {
        task.isPending = false;
        if (task.cell >= 0) this.#access(task);
        else this.#enterBlock(task);
      }
    }
    return {
      states: this.#states,
      keeping: { keepers: this.#steps.keepers, inboxes: this.#context.keeping.inboxes },
      before: this.#before,
      readers: this.#tasksOf.map(
        (tasks) =>
          new Set(
            [...tasks]
              .filter(({ isBlind }) => !isBlind)
              .map(({ item }) => this.#states.relation.componentOf(item)),
          ),
      ),
    };
  }

  #touchAll(): void {
    for (const item of this.#states.items()) this.#states.relation.touch(item);
  }

  /** Schedules again the tasks of the items that were related to further items. */
  #schedule(): void {
    const { relation } = this.#states;
    // A new task may make a component for a cell, which touches all items.
    for (let item = relation.takeTouched(); item >= 0; item = relation.takeTouched()) {
      const component = this.#states.component(item);
      if (component.kind === 'cell') {
        for (const task of this.#tasksOf[component.cell] ?? [])
          if (relation.has(task.item, item)) this.#add(task);
      } else if (component.count > 0) {
        for (const task of (this.#tasks[item] ??= this.#tasksAt(item, component.automaton)))
          this.#add(task);
        this.#touchInboxes(item);
      }
    }
  }

  /**
   * Marks the contents of the inboxes of the item's thread as touched, so that steps that write the
   * inboxes are executed again: a step of this kind changes the local state of the inbox's thread,
   * and so depends on the items related to this local state.
   */
  #touchInboxes(item: number): void {
    const { relation } = this.#states;
    const keeper = relation.componentOf(item);
    for (const cell of this.#context.keeping.inboxes) {
      const component = this.#states.knownCell(cell);
      if (this.#steps.keepers[cell] !== keeper || component === undefined) continue;
      for (const content of relation.relatedIn(item, component)) relation.touch(content);
    }
  }

  #add(task: PairTask): void {
    if (task.isPending) return;
    task.isPending = true;
    (task.isHeard ? this.#later : this.#pending).push(task);
  }

  #tasksAt(item: number, automaton: number): readonly PairTask[] {
    return this.#actions.at(automaton, this.#states.node(item)).map(({ cell, isBlind }, action) => {
      const tried = new Map<number, number>();
      const task = { item, action, cell, isBlind, tried, isPending: false, isHeard: false };
      if (cell >= 0) this.#waitFor(task, cell);
      return task;
    });
  }

  /**
   * Registers a task to be scheduled again when the contents of a cell change; returns the
   * component of the cell.
   */
  #waitFor(task: PairTask, cell: number): number {
    (this.#tasksOf[cell] ??= new Set()).add(task);
    const known = this.#states.knownCell(cell);
    if (known !== undefined) return known;
    const component = this.#states.cell(cell);
    this.#touchAll();
    return component;
  }

  #access(task: PairTask): void {
    const { item, action, cell, tried } = task;
    const states = this.#states;
    const { relation } = states;
    const component = states.component(item);
    if (component.kind === 'cell') return;
    for (const found of relation.relatedIn(item, states.cell(cell))) {
      const version = relation.version(item) + relation.version(found);
      if (tried.get(found) === version) continue;
      tried.set(found, version);
      const { automaton } = component;
      const [node, content] = [states.node(item), states.node(found)];
      this.#actions.eachOutcome(automaton, node, action, content, (after, next) => {
        const together = relation.relatedToBoth(item, found);
        const left = [{ cell, content: after }];
        task.isHeard = this.#steps.perform({ item, found: [found], together, next, left });
      });
    }
  }

  #enterBlock(task: PairTask): void {
    const walker = {
      states: this.#states,
      actions: this.#actions,
      readsCell: (cell: number) => this.#waitFor(task, cell),
      spend: () => {
        this.#steps.spend();
      },
    };
    for (const step of throughBlock(walker, task.item, task.action)) this.#steps.perform(step);
  }
}

/**
 * Closes a relation under the steps of all components. A step is possible if all participating
 * items are related to each other; its results are related to all items that are related to every
 * participant. Throws `GaveUp` if a step meets the goal or too much work is needed, and
 * `SecondWriter` if an own cell has a second writer.
 */
export function closePairs(
  states: PairStates,
  actions: TabulatedActions,
  context: PairContext,
): ClosedPairs {
  return new PairClosure(states, actions, context).close();
}
