import { at, wordAt } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import {
  actionRecord,
  blindRow,
  goalNode,
  nodeRecord,
  outcomeSize,
  type ProductTables,
} from '@fencewright/ground/product/tables.js';
import type { OwnId, OwnValues } from './own-values.js';

/** A component of a closure: threads with equal code, each running the automaton by itself. */
export interface ClosureComponent {
  /** The number of the threads' automaton in the `ProductTables`. */
  readonly automaton: number;
  /** The number of threads of the component. */
  readonly count: number;
  /** The nodes of the automaton that the threads may visit. If absent, they may visit all nodes. */
  readonly allowed?: ReadonlySet<number>;
}

/**
 * The writer of a cell: the index of a component, or one of the values of `writer` if no thread or
 * several threads write the cell.
 */
export type Writer = number;
export const writer = { nobody: -1, several: -2 } as const;

/**
 * The local states of a component: nodes, each with the values of the cells that only the thread
 * writes.
 */
interface ComponentStates {
  readonly nodes: readonly number[];
  /**
   * The values of the cells written only by the component's threads, one entry for each of `nodes`.
   */
  readonly owns: readonly OwnId[];
}

/**
 * Closed sets: local states for each component, contents for each cell. Plain data; ids are those
 * of the tables and automata.
 */
export interface ClosedSets {
  /**
   * For each component, the possible local states of the component's threads; indexed by component.
   */
  readonly locals: readonly ComponentStates[];
  /**
   * The possible contents of each cell, indexed by cell; a cell without an entry keeps the initial
   * content, 0.
   */
  readonly contents: readonly (readonly number[] | undefined)[];
  /**
   * For each cell, the writing component, or a value of `writer`; absent for cells that no thread
   * writes.
   */
  readonly writers: readonly (Writer | undefined)[];
}

/** The components, cells and goal for which a closure is computed. */
interface ClosureProblem {
  readonly tables: ProductTables;
  readonly components: readonly ClosureComponent[];
  readonly own: OwnValues;
  /** Returns the id of the value in the content of a cell. */
  readonly valueOf: (cell: number, content: number) => number;
  /**
   * The writer of each cell, if known: no other component writes the cell. If absent, the closure
   * determines the writers.
   */
  readonly writers?: readonly (Writer | undefined)[];
  readonly start: {
    /** The initial local states of each component, indexed by component. */
    readonly locals: readonly ComponentStates[];
    /** The initial contents of each cell, indexed by cell; 0 if absent. */
    readonly contents: readonly (readonly number[] | undefined)[];
  };
  /** Whether the closure records the direct predecessors of each node. */
  readonly notesSteps?: boolean;
}

/** Closed sets, and for each component the predecessors of each node, if recorded. */
export interface Closure {
  readonly sets: ClosedSets;
  readonly before: readonly ReadonlyMap<number, ReadonlySet<number>>[];
  /** For each component, the cells accessed by the component's threads, indexed by component. */
  readonly accessed: readonly ReadonlySet<number>[];
}

/** The work that a closure may still do, counted in evaluations of the outcomes of an action. */
export interface Effort {
  left: number;
  /** Returns whether the time limit is reached; called now and then. */
  readonly isOver?: () => boolean;
}

/**
 * The reason why there are no closed sets. `goal`: a step meets the goal. `effort`: the closure
 * needs too much work. `growth`: the closure needs too much work, and some cell has so many
 * contents that its numbers seem to grow for ever.
 */
export type ClosureFailure = 'goal' | 'effort' | 'growth';

/** An action of a node, to be executed with each content of the accessed cell. */
interface AccessTask {
  readonly kind: 'access';
  readonly component: number;
  readonly local: number;
  readonly action: number;
  readonly cell: number;
  /** The contents that the thread may find in the cell, as far as known: a list that grows. */
  readonly contents: readonly number[];
  /** The number of contents with which the action has been executed so far. */
  seen: number;
  isPending: boolean;
}

/** A lock block at a node, executed as one step on several cells. */
interface LockBlock {
  readonly kind: 'block';
  readonly component: number;
  readonly local: number;
  readonly action: number;
  readonly cells: Set<number>;
  isPending: boolean;
}

type ClosureTask = AccessTask | LockBlock;

/** The contents of a cell with one value, and the tasks of threads that find only this value. */
interface Share {
  readonly contents: number[];
  readonly tasks: ClosureTask[];
}

/** The state of a thread inside a lock block, with the contents of the accessed cells. */
interface InBlock {
  readonly node: number;
  readonly own: OwnId;
  readonly held: readonly (readonly [cell: number, content: number])[];
}

/** Thrown at the end of a closure that took cells with several writers for cells with one. */
class SecondWriters extends Error {
  constructor(readonly cells: ReadonlySet<number>) {
    super();
  }
}

class GaveUp extends Error {
  constructor(readonly failure: ClosureFailure) {
    super();
  }
}

const ownsPerNode = 2 ** 24;
const manyContents = 100;
/**
 * The maximum size of tables in bytes: numbers that grow for ever make tables grow quadratically.
 */
const maxTableBytes = 2 ** 28;
/**
 * The number of units of work between two checks of the tables' size, since a check takes longer
 * than a unit.
 */
const spendsPerLook = 256;

class ClosureRun {
  readonly #problem: ClosureProblem;
  readonly #effort: Effort;
  readonly #locals: { readonly nodes: number[]; readonly owns: OwnId[] }[];
  readonly #numbers: readonly Map<number, number>[];
  readonly #contents: number[][] = [];
  readonly #known: boolean[][] = [];
  readonly #writers: (Writer | undefined)[];
  /**
   * The cells whose second writer this run has met. The run then goes on as if these cells always
   * had several writers, to find further such cells. All its steps are steps of the next run.
   */
  readonly #seconds = new Set<number>();
  readonly #tasksOf: ClosureTask[][] = [];
  /**
   * By cell, and by value: the contents with this value, and the tasks of the only component that
   * writes the cell. Without shares, each of these tasks would look at each content: quadratic work
   * for a counter.
   */
  readonly #shares: (Map<number, Share> | undefined)[] = [];
  readonly #newLocals: (readonly [component: number, local: number])[] = [];
  /**
   * The tasks that are executed after the present list of tasks is done. A task that becomes due
   * again waits in this list, so no task has to wait for a task whose values grow for ever.
   */
  #pending: ClosureTask[] = [];
  readonly #before: readonly Map<number, Set<number>>[];
  readonly #accessed: readonly Set<number>[];

  constructor(problem: ClosureProblem, several: ReadonlySet<number>, effort: Effort) {
    this.#problem = problem;
    this.#effort = effort;
    this.#locals = problem.components.map(() => ({ nodes: [], owns: [] }));
    this.#numbers = problem.components.map(() => new Map<number, number>());
    this.#before = problem.components.map(() => new Map<number, Set<number>>());
    this.#accessed = problem.components.map(() => new Set<number>());
    this.#writers = problem.writers ? [...problem.writers] : [];
    for (const cell of several) this.#writers[cell] = writer.several;
  }

  /** Computes the closure. Throws `SecondWriters` and `GaveUp`. */
  close(): Closure {
    const { start } = this.#problem;
    start.contents.forEach((contents, cell) => {
      this.#contents[cell] = [];
      this.#known[cell] = [];
      for (const content of contents ?? [0]) this.#addContent(cell, content);
    });
    start.locals.forEach(({ nodes, owns }, component) =>
      nodes.forEach((node, i) => this.#visit(component, node, at(owns, i))),
    );
    this.#expandNew();
    while (this.#pending.length > 0) {
      const tasks = this.#pending;
      this.#pending = [];
      for (const task of tasks) {
        task.isPending = false;
        if (task.kind === 'access') this.#read(task);
        else this.#runBlock(task);
        this.#expandNew();
      }
    }
    if (this.#seconds.size > 0) throw new SecondWriters(this.#seconds);
    const sets = { locals: this.#locals, contents: this.#contents, writers: this.#writers };
    return { sets, before: this.#before, accessed: this.#accessed };
  }

  #expandNew(): void {
    for (let fresh = this.#newLocals.pop(); fresh; fresh = this.#newLocals.pop())
      this.#expand(...fresh);
  }

  #noteStep(component: number, from: number, to: number): void {
    if (this.#problem.notesSteps !== true) return;
    const before = at(this.#before, component);
    const known = before.get(to);
    if (known) known.add(from);
    else before.set(to, new Set([from]));
  }

  #spend(): void {
    const { left, isOver } = this.#effort;
    const isTooMuch =
      left % spendsPerLook === 0 &&
      (this.#problem.tables.bytes > maxTableBytes || isOver?.() === true);
    if (--this.#effort.left >= 0 && !isTooMuch) return;
    const isGrowing = this.#contents.some(
      (list) => list !== undefined && list.length > manyContents,
    );
    throw new GaveUp(isGrowing ? 'growth' : 'effort');
  }

  #contentsOf(cell: number): number[] {
    const known = this.#contents[cell];
    if (known) return known;
    this.#known[cell] = [true];
    return (this.#contents[cell] = [0]);
  }

  #addContent(cell: number, content: number): void {
    const contents = this.#contentsOf(cell);
    const known = at(this.#known, cell);
    if (known[content]) return;
    known[content] = true;
    contents.push(content);
    for (const task of this.#tasksOf[cell] ?? []) this.#schedule(task);
    if (!this.#shares[cell]) return;
    const share = this.#shareOf(cell, this.#problem.valueOf(cell, content));
    share.contents.push(content);
    for (const task of share.tasks) this.#schedule(task);
  }

  #shareOf(cell: number, value: number): Share {
    if (!this.#shares[cell]) {
      this.#shares[cell] = new Map();
      for (const content of this.#contentsOf(cell))
        this.#shareOf(cell, this.#problem.valueOf(cell, content)).contents.push(content);
    }
    const shares = at(this.#shares, cell)!;
    const known = shares.get(value);
    if (known) return known;
    const share: Share = { contents: [], tasks: [] };
    shares.set(value, share);
    return share;
  }

  #schedule(task: ClosureTask): void {
    if (task.isPending) return;
    task.isPending = true;
    this.#pending.push(task);
  }

  #isAllowed(component: number, node: number): boolean {
    return at(this.#problem.components, component).allowed?.has(node) ?? true;
  }

  #visit(component: number, node: number, own: OwnId): void {
    if (!this.#isAllowed(component, node)) return;
    const numbers = at(this.#numbers, component);
    const key = node * ownsPerNode + own;
    if (numbers.has(key)) return;
    const { nodes, owns } = at(this.#locals, component);
    numbers.set(key, nodes.length);
    owns.push(own);
    this.#newLocals.push([component, nodes.push(node) - 1]);
  }

  #recordOf(component: number, node: number): number {
    return this.#problem.tables.node(at(this.#problem.components, component).automaton, node);
  }

  #isExclusive(component: number, node: number): boolean {
    const record = this.#recordOf(component, node);
    return this.#problem.tables.memory[record + nodeRecord.exclusive] === 1;
  }

  /**
   * Calls `take` for each action of a node, with the accessed cell; `isBlind`: the action has equal
   * outcomes for all contents of the cell.
   */
  #eachAction(
    component: number,
    node: number,
    take: (action: number, cell: number, isBlind: boolean) => void,
  ): void {
    const { tables } = this.#problem;
    const record = this.#recordOf(component, node);
    const accessed = at(this.#accessed, component);
    const count = wordAt(tables.memory, record + nodeRecord.count);
    for (let action = 0; action < count; action++) {
      // Steps of an earlier action may have replaced `memory`.
      const offset = record + nodeRecord.actions + nodeRecord.actionSize * action;
      const cell = wordAt(tables.memory, offset + actionRecord.cell);
      if (cell >= 0) accessed.add(cell);
      take(action, cell, tables.memory[offset + actionRecord.rowCapacity] === blindRow);
    }
  }

  #expand(component: number, local: number): void {
    const { nodes, owns } = at(this.#locals, component);
    const node = at(nodes, local);
    this.#eachAction(component, node, (action, cell, isBlind) => {
      const own = { component, local, action, isPending: false };
      if (cell < 0) this.#runBlock({ kind: 'block', ...own, cells: new Set() });
      else if (isBlind) this.#offer(component, local, action, cell, 0, true);
      else {
        const share =
          this.#writers[cell] === component
            ? this.#shareOf(cell, this.#problem.own.value(at(owns, local), cell))
            : undefined;
        const contents = share?.contents ?? this.#contentsOf(cell);
        const reader: AccessTask = { kind: 'access', ...own, cell, contents, seen: 0 };
        (share?.tasks ?? (this.#tasksOf[cell] ??= [])).push(reader);
        this.#schedule(reader);
      }
    });
  }

  #read(reader: AccessTask): void {
    const { component, local, action, cell, contents } = reader;
    while (reader.seen < contents.length) {
      const content = at(contents, reader.seen++);
      if (this.#isSeen(component, at(at(this.#locals, component).owns, local), cell, content))
        this.#offer(component, local, action, cell, content, false);
    }
  }

  /**
   * Whether a thread may find the content in the cell, given the values `own` of the cells that
   * only this thread writes.
   */
  #isSeen(component: number, own: OwnId, cell: number, content: number): boolean {
    if (this.#writers[cell] !== component) return true;
    return this.#problem.valueOf(cell, content) === this.#problem.own.value(own, cell);
  }

  /**
   * Returns the values of the thread's own cells (cells that only this thread writes) after an
   * access that found `before` in a cell (any content if `isBlind`) and left `after` in the cell.
   */
  #ownAfter(
    component: number,
    own: OwnId,
    cell: number,
    before: number,
    after: number,
    isBlind: boolean,
  ): OwnId {
    const { valueOf, components, own: ownValues } = this.#problem;
    const value = valueOf(cell, after);
    if (!isBlind && valueOf(cell, before) === value) return own;
    const known = this.#writers[cell] ?? writer.nobody;
    if (known === writer.several) return own;
    if (known !== component && this.#problem.writers)
      throw new InternalError('a writer that was none before');
    if (known === writer.nobody)
      this.#writers[cell] = at(components, component).count > 1 ? writer.several : component;
    else if (known !== component) this.#addSecondWriter(cell);
    return this.#writers[cell] === component ? ownValues.with(own, cell, value) : own;
  }

  #addSecondWriter(cell: number): void {
    this.#seconds.add(cell);
    this.#writers[cell] = writer.several;
  }

  #offer(
    component: number,
    local: number,
    action: number,
    cell: number,
    content: number,
    isBlind: boolean,
  ): void {
    const { nodes, owns } = at(this.#locals, component);
    const node = at(nodes, local);
    const own = at(owns, local);
    this.#eachOutcome(component, node, action, content, (after, next) => {
      if (!this.#isAllowed(component, next)) return;
      const nextOwn = this.#ownAfter(component, own, cell, content, after, isBlind);
      this.#addContent(cell, after);
      this.#noteStep(component, node, next);
      this.#visit(component, next, nextOwn);
    });
  }

  #eachOutcome(
    component: number,
    node: number,
    action: number,
    content: number,
    take: (after: number, next: number) => void,
  ): void {
    this.#spend();
    const { tables, components } = this.#problem;
    const list = tables.outcomes(at(components, component).automaton, node, action, content);
    const count = wordAt(tables.memory, list);
    for (let i = 0; i < count; i++) {
      const entry = list + 1 + outcomeSize * i;
      const next = wordAt(tables.memory, entry + 1);
      if (next === goalNode) throw new GaveUp('goal');
      take(wordAt(tables.memory, entry), next);
    }
  }

  /**
   * Executes every path through a lock block, with each combination of contents of the accessed
   * cells.
   */
  #runBlock(block: LockBlock): void {
    const { component, local } = block;
    const { nodes, owns } = at(this.#locals, component);
    const from = at(nodes, local);
    const seen = new Set<string>();
    const pending: InBlock[] = [];
    const reach = (node: number, own: OwnId, held: InBlock['held']): void => {
      if (this.#isExclusive(component, node)) {
        const name = `${node}:${own}:${held.join(';')}`;
        if (seen.has(name)) return;
        seen.add(name);
        pending.push({ node, own, held });
      } else if (this.#isAllowed(component, node)) {
        for (const [cell, content] of held) this.#addContent(cell, content);
        this.#noteStep(component, from, node);
        this.#visit(component, node, own);
      }
    };
    this.#eachOutcome(component, from, block.action, 0, (_, next) =>
      reach(next, at(owns, local), []),
    );
    for (let state = pending.pop(); state; state = pending.pop()) {
      const { node, own, held } = state;
      this.#eachAction(component, node, (action, cell, isBlind) => {
        if (cell < 0) {
          this.#eachOutcome(component, node, action, 0, (_, next) => reach(next, own, held));
          return;
        }
        for (const content of isBlind ? [0] : this.#contentsInBlock(block, state, cell))
          this.#eachOutcome(component, node, action, content, (after, next) =>
            reach(
              next,
              this.#ownAfter(component, own, cell, content, after, isBlind),
              [...held.filter(([other]) => other !== cell), [cell, after] as const].sort(
                ([a], [b]) => a - b,
              ),
            ),
          );
      });
    }
  }

  #contentsInBlock(block: LockBlock, { own, held }: InBlock, cell: number): readonly number[] {
    const known = held.find(([other]) => other === cell);
    if (known) return [known[1]];
    if (!block.cells.has(cell)) {
      block.cells.add(cell);
      (this.#tasksOf[cell] ??= []).push(block);
    }
    return this.#contentsOf(cell).filter((content) =>
      this.#isSeen(block.component, own, cell, content),
    );
  }
}

/**
 * Computes closed sets. A thread finds in a cell any content that the cell ever had; in an own
 * cell, the content that it wrote last. Returns `goal` if a step meets the goal; `effort` or
 * `growth` if too much work is needed.
 */
export function closeThreads(problem: ClosureProblem, effort: Effort): Closure | ClosureFailure {
  const several = new Set<number>();
  for (;;) {
    try {
      return new ClosureRun(problem, several, effort).close();
    } catch (error) {
      if (error instanceof GaveUp) return error.failure;
      if (!(error instanceof SecondWriters)) throw error;
      for (const cell of error.cells) several.add(cell);
    }
  }
}
