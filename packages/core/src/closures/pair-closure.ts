import { at, wordAt } from '../base/at.js';
import {
  actionRecord,
  blindRow,
  goalNode,
  nodeRecord,
  outcomeSize,
  type ProductTables,
} from '../product/tables.js';
import type { OwnId, OwnValues } from './own-values.js';
import { lowestBit, PairRelation, type ItemSet } from './pair-relation.js';

/** Threads that run one automaton, each for itself; or a cell. */
export type PairComponent =
  | {
      readonly kind: 'threads';
      /** Number of the automaton in the tables. */
      readonly automaton: number;
      /** How many there are; 0 for those that take no part any more. */
      readonly count: number;
      /** Whether a local state counts; all do where absent. */
      readonly allows?: (node: number, own: OwnId) => boolean;
      /** Whether to note which items lead to which. */
      readonly notesSteps?: boolean;
    }
  | { readonly kind: 'cell'; readonly cell: number };

/** Units of work that are left. */
export interface Effort {
  left: number;
}

/** Why there is no closed relation: the goal is met; too much work; a writer that was none. */
export type Failure = 'goal' | 'effort' | 'writer';

export class GaveUp extends Error {
  constructor(readonly failure: Failure) {
    super();
  }
}

/** A cell turned out to have another writer than was known. */
export class SecondWriter extends Error {
  constructor(readonly cell: number) {
    super();
  }
}

/** Instead of a component: nobody keeps the cell. */
export const nobody = -1;

const ownsPerNode = 2 ** 24;
/** Items beyond this take too much memory: 32 MB for a relation. */
const maxWords = 512;

/** What the items of a relation are. */
export class PairStates {
  relation: PairRelation;
  readonly components: PairComponent[];
  /** Indexed by item: the node of a thread, the content of a cell. */
  readonly nodes: number[] = [];
  /** Indexed by item of threads: what the cells hold that only it writes. */
  readonly owns: OwnId[] = [];
  /** Indexed by component: items by nodes and own values, or by contents. */
  readonly #numbers: Map<number, number>[];
  /** Indexed by cell. */
  readonly cellComponents: (number | undefined)[] = [];

  constructor(components: readonly PairComponent[], relation = new PairRelation()) {
    this.components = [...components];
    this.relation = relation;
    this.#numbers = components.map(() => new Map<number, number>());
    components.forEach((component, c) => {
      if (component.kind === 'cell') this.cellComponents[component.cell] = c;
    });
  }

  find(component: number, node: number, own: OwnId): number | undefined {
    return at(this.#numbers, component).get(node * ownsPerNode + own);
  }

  /** A new item, related to nothing. */
  add(component: number, node: number, own: OwnId): number {
    const item = this.relation.add(component);
    this.put(item, component, node, own);
    return item;
  }

  /** Says what an item is that the relation has already. */
  put(item: number, component: number, node: number, own: OwnId): void {
    this.nodes[item] = node;
    this.owns[item] = own;
    at(this.#numbers, component).set(node * ownsPerNode + own, item);
  }

  /** The component of a cell; a cell that is new holds 0, whatever the others do. */
  cell(cell: number): number {
    const known = this.cellComponents[cell];
    if (known !== undefined) return known;
    const component = this.components.push({ kind: 'cell', cell }) - 1;
    this.cellComponents[cell] = component;
    this.#numbers.push(new Map<number, number>());
    const fresh = this.add(component, 0, 0);
    for (const item of this.items()) if (item !== fresh) this.relation.relate(fresh, item);
    return component;
  }

  /** All items. */
  *items(): Generator<number> {
    for (const numbers of this.#numbers) yield* numbers.values();
  }

  /** The items of a component. */
  itemsOf(component: number): Iterable<number> {
    return at(this.#numbers, component).values();
  }
}

/** An action of a thread that waits for contents of its cell, or a lock block. */
interface Task {
  readonly item: number;
  readonly action: number;
  /** -1 for a lock block. */
  readonly cell: number;
  readonly isBlind: boolean;
  /** The versions of both rows when a content was last tried. */
  readonly tried: Map<number, number>;
  isPending: boolean;
}

export interface PairProblem {
  readonly tables: ProductTables;
  readonly own: OwnValues;
  /** The id of the value that a content of a cell has. */
  readonly valueOf: (cell: number, content: number) => number;
  /**
   * Indexed by cell: the component whose local states know what it holds, or `nobody`. While
   * closing, the first that writes a cell becomes its keeper, unless `isFixed`.
   */
  readonly keepers: (number | undefined)[];
  readonly isFixed: boolean;
  /** The cells that others than their keepers may write. */
  readonly inboxes: ReadonlySet<number>;
  /** Whether a pair has to have a third in every other component. */
  readonly thirds: boolean;
}

/** Inside a lock block: which contents it found, what its cells hold, and what goes with that. */
interface InBlock {
  readonly node: number;
  readonly found: readonly number[];
  readonly held: readonly (readonly [cell: number, content: number])[];
  readonly with: ItemSet;
}

/** A thread at `item` finds contents in cells, all of them together; goes on and leaves others. */
interface Step {
  readonly item: number;
  readonly found: readonly number[];
  /** What may be together with all of these. */
  readonly together: ItemSet;
  readonly next: number;
  /** What it knew of its cells before. */
  readonly own: OwnId;
  /** In the order of `found`. */
  readonly left: readonly (readonly [cell: number, content: number])[];
}

/** What other threads notice of a step, and what may be together with them and the step. */
interface Change {
  readonly noticed: readonly {
    readonly item: number;
    readonly node: number;
    readonly own: OwnId;
  }[];
  readonly together: ItemSet;
}

/** Closes a relation under the steps of its components. */
export class PairClosure {
  readonly states: PairStates;
  readonly #problem: PairProblem;
  readonly #effort: Effort;
  readonly #tasks: Task[][] = [];
  readonly #tasksOfCell: Task[][] = [];
  readonly #versions: number[] = [];
  readonly #dirty: number[] = [];
  readonly #isDirty: boolean[] = [];
  #pending: Task[] = [];
  #stamps: number[] = [];
  #stamp = 0;
  /** By item: those that lead to it. */
  readonly before = new Map<number, Set<number>>();

  constructor(states: PairStates, problem: PairProblem, effort: Effort) {
    this.states = states;
    this.#problem = problem;
    this.#effort = effort;
  }

  /** Throws `GaveUp` and `SecondWriter`. */
  close(): void {
    for (const item of this.states.items()) this.#touch(item);
    for (;;) {
      this.#schedule();
      const tasks = this.#pending;
      if (tasks.length === 0) return;
      this.#pending = [];
      for (const task of tasks) {
        task.isPending = false;
        if (task.cell < 0) this.#runBlock(task);
        else this.#access(task);
      }
    }
  }

  /** The one component that reads a cell, if there is just one. */
  soleReader(cell: number): number | undefined {
    const readers = new Set<number>();
    for (const { item, isBlind } of this.#tasksOfCell[cell] ?? [])
      if (!isBlind) readers.add(this.states.relation.componentOf(item));
    const [reader] = readers;
    return readers.size === 1 ? reader : undefined;
  }

  #spend(units: number): void {
    this.#effort.left -= units;
    if (this.#effort.left < 0) throw new GaveUp('effort');
  }

  #touch(item: number): void {
    this.#versions[item] = (this.#versions[item] ?? 0) + 1;
    if (this.#isDirty[item] === true) return;
    this.#isDirty[item] = true;
    this.#dirty.push(item);
  }

  #schedule(): void {
    // Expanding nodes may make cells, which touches more.
    for (let item = this.#dirty.pop(); item !== undefined; item = this.#dirty.pop()) {
      this.#isDirty[item] = false;
      const { relation, components } = this.states;
      const component = at(components, relation.componentOf(item));
      if (component.kind === 'threads') {
        if (component.count > 0) for (const task of this.#tasksAt(item)) this.#add(task);
      } else
        for (const task of this.#tasksOfCell[component.cell] ?? [])
          if (relation.has(task.item, item)) this.#add(task);
    }
  }

  #add(task: Task): void {
    if (task.isPending) return;
    task.isPending = true;
    this.#pending.push(task);
  }

  #tasksAt(item: number): readonly Task[] {
    const known = this.#tasks[item];
    if (known) return known;
    const tasks = this.#actionsOf(this.#automatonOf(item), at(this.states.nodes, item)).map(
      ({ cell, isBlind }, action): Task => ({
        item,
        action,
        cell,
        isBlind,
        tried: new Map<number, number>(),
        isPending: false,
      }),
    );
    this.#tasks[item] = tasks;
    for (const task of tasks) if (task.cell >= 0) this.#waitFor(task, task.cell);
    return tasks;
  }

  #waitFor(task: Task, cell: number): void {
    this.#cell(cell);
    const tasks = (this.#tasksOfCell[cell] ??= []);
    if (!tasks.includes(task)) tasks.push(task);
  }

  /** The component of a cell. */
  #cell(cell: number): number {
    const known = this.states.cellComponents[cell];
    if (known !== undefined) return known;
    const component = this.states.cell(cell);
    for (const item of this.states.items()) this.#touch(item);
    return component;
  }

  #automatonOf(item: number): number {
    const { components, relation } = this.states;
    const component = at(components, relation.componentOf(item));
    return component.kind === 'threads' ? component.automaton : -1;
  }

  #actionsOf(
    automaton: number,
    node: number,
  ): { readonly cell: number; readonly isBlind: boolean }[] {
    const { tables } = this.#problem;
    const record = tables.node(automaton, node);
    return Array.from({ length: wordAt(tables.memory, record + nodeRecord.count) }, (_, action) => {
      const offset = record + nodeRecord.actions + nodeRecord.actionSize * action;
      return {
        cell: wordAt(tables.memory, offset + actionRecord.cell),
        isBlind: tables.memory[offset + actionRecord.rowCapacity] === blindRow,
      };
    });
  }

  #isExclusive(automaton: number, node: number): boolean {
    const { tables } = this.#problem;
    const record = tables.node(automaton, node);
    return tables.memory[record + nodeRecord.exclusive] === 1;
  }

  #eachOutcome(
    automaton: number,
    node: number,
    action: number,
    content: number,
    take: (after: number, next: number) => void,
  ): void {
    const { tables } = this.#problem;
    const list = tables.outcomes(automaton, node, action, content);
    const count = wordAt(tables.memory, list);
    for (let i = 0; i < count; i++) {
      const entry = list + 1 + outcomeSize * i;
      take(wordAt(tables.memory, entry), wordAt(tables.memory, entry + 1));
    }
  }

  /** The items of a component in a set. */
  #membersIn(set: ItemSet, component: number): number[] {
    const members: number[] = [];
    for (const w of this.states.relation.wordsOf[component] ?? [])
      for (let rest = set[w] ?? 0; rest !== 0; rest &= rest - 1)
        members.push(32 * w + lowestBit(rest));
    return members;
  }

  #access(task: Task): void {
    const { item, action, cell } = task;
    const { relation, nodes, owns } = this.states;
    const component = this.#cell(cell);
    const automaton = this.#automatonOf(item);
    const node = at(nodes, item);
    const own = at(owns, item);
    for (const found of this.#membersIn(relation.row(item), component)) {
      const version = at(this.#versions, item) + at(this.#versions, found);
      if (task.tried.get(found) === version) continue;
      task.tried.set(found, version);
      this.#eachOutcome(automaton, node, action, at(nodes, found), (after, next) => {
        const together = relation.row(item);
        relation.keepRelated(together, found);
        this.#step({ item, found: [found], together, next, own, left: [[cell, after]] });
      });
    }
  }

  /**
   * Who has to take notice when a thread changes the value of a cell: itself, another component, or
   * nobody.
   */
  #keeperAt(component: number, cell: number): number {
    const { keepers, isFixed, inboxes } = this.#problem;
    let keeper = keepers[cell];
    if (keeper === undefined) {
      if (isFixed) throw new SecondWriter(cell);
      const threads = at(this.states.components, component);
      keeper = threads.kind === 'threads' && threads.count > 1 ? nobody : component;
      keepers[cell] = keeper;
    }
    if (keeper === component || keeper === nobody) return keeper;
    if (!inboxes.has(cell)) throw new SecondWriter(cell);
    const other = at(this.states.components, keeper);
    return other.kind === 'threads' && other.count > 0 ? keeper : nobody;
  }

  /** A step of a thread, with all that it changes. */
  #step(step: Step): void {
    const { item, found, next } = step;
    const { together } = step;
    this.#spend(1 + (this.states.relation.words >>> 4));
    if (!this.#hasThirds(together, [item, ...found])) return;
    if (next === goalNode) throw new GaveUp('goal');
    const { states } = this;
    const { relation } = states;
    const component = relation.componentOf(item);
    let { own } = step;
    let changes: Change[] = [{ noticed: [], together }];
    const { valueOf, own: ownValues } = this.#problem;
    step.left.forEach(([cell, after], i) => {
      const value = valueOf(cell, after);
      if (valueOf(cell, at(states.nodes, at(found, i))) === value) return;
      const keeper = this.#keeperAt(component, cell);
      if (keeper === component) own = ownValues.with(own, cell, value);
      else if (keeper !== nobody)
        changes = changes.flatMap((change) => this.#noticing(change, keeper, cell, value));
    });
    if (!this.#allows(component, next, own)) return;
    for (const change of changes) this.#change(step, own, change);
  }

  #allows(component: number, node: number, own: OwnId): boolean {
    const threads = at(this.states.components, component);
    return threads.kind !== 'threads' || (threads.allows?.(node, own) ?? true);
  }

  /** The changes together with the ways in which the keeper of a cell may notice what it holds. */
  #noticing(change: Change, keeper: number, cell: number, value: number): readonly Change[] {
    const { relation, nodes, owns } = this.states;
    const before = change.noticed.find(({ item }) => relation.componentOf(item) === keeper);
    if (before) {
      const own = this.#problem.own.with(before.own, cell, value);
      return [
        { ...change, noticed: [...change.noticed.filter((n) => n !== before), { ...before, own }] },
      ];
    }
    return this.#membersIn(change.together, keeper).map((item): Change => {
      const together = Int32Array.from(change.together);
      relation.keepRelated(together, item);
      const own = this.#problem.own.with(at(owns, item), cell, value);
      return { together, noticed: [...change.noticed, { item, node: at(nodes, item), own }] };
    });
  }

  #change({ item, found, next, left }: Step, own: OwnId, { noticed, together }: Change): void {
    const { states } = this;
    const { relation } = states;
    const those = [item, ...found];
    if (noticed.length > 0) {
      this.#spend(1 + (relation.words >>> 4));
      for (const other of noticed) those.push(other.item);
      if (!this.#hasThirds(together, those)) return;
      for (const other of noticed)
        if (!this.#allows(relation.componentOf(other.item), other.node, other.own)) return;
    }
    const component = relation.componentOf(item);
    const result = this.#item(component, next, own);
    this.#note(component, result, item);
    const results = [result];
    for (const [cell, content] of left) results.push(this.#item(this.#cell(cell), content, 0));
    for (const other of noticed) {
      const its = relation.componentOf(other.item);
      const after = this.#item(its, other.node, other.own);
      this.#note(its, after, other.item);
      results.push(after);
    }
    for (const one of results) this.#relateAll(one, together, those);
    for (const one of results)
      for (const other of results)
        if (one !== other && relation.relate(one, other)) {
          this.#touch(one);
          this.#touch(other);
        }
  }

  #note(component: number, to: number, from: number): void {
    const threads = at(this.states.components, component);
    if (threads.kind !== 'threads' || threads.notesSteps !== true) return;
    const known = this.before.get(to);
    if (known) known.add(from);
    else this.before.set(to, new Set([from]));
  }

  #item(component: number, node: number, own: OwnId): number {
    const known = this.states.find(component, node, own);
    if (known !== undefined) return known;
    if (this.states.relation.words >= maxWords) throw new GaveUp('effort');
    this.#spend(this.states.relation.words);
    const item = this.states.add(component, node, own);
    this.#touch(item);
    return item;
  }

  #relateAll(result: number, set: ItemSet, those: readonly number[]): void {
    const { relation } = this.states;
    let changed = false;
    for (let w = 0; w < set.length; w++) {
      const row = result * relation.width;
      for (
        let rest = set[w]! & ~relation.matrix[row + w]!;
        rest !== 0;
        rest &= rest - 1
      ) {
        const other = 32 * w + lowestBit(rest);
        if (this.#problem.thirds && !this.#hasThirdsWith(set, those, other)) continue;
        if (!relation.relate(result, other)) continue;
        changed = true;
        this.#touch(other);
      }
    }
    if (changed) this.#touch(result);
  }

  #hasThirdsWith(set: ItemSet, those: readonly number[], other: number): boolean {
    const { relation } = this.states;
    this.#spend(1 + (set.length >>> 4));
    const row = other * relation.width;
    return this.#covers([...those, other], (w) => set[w]! & relation.matrix[row + w]!, set.length);
  }

  /** Whether `set` has an item of every component, beside `those`. */
  #hasThirds(set: ItemSet, those: readonly number[]): boolean {
    return this.#covers(those, (w) => set[w]!, set.length);
  }

  #covers(those: readonly number[], wordOf: (w: number) => number, words: number): boolean {
    const { relation, components } = this.states;
    const stamp = ++this.#stamp;
    for (let w = 0; w < words; w++)
      if (wordOf(w) !== 0) this.#stamps[relation.componentOfWord[w]!] = stamp;
    for (let c = 0; c < components.length; c++) {
      if (this.#stamps[c] === stamp) continue;
      const component = components[c]!;
      let others = component.kind === 'cell' ? 1 : component.count;
      for (const item of those) if (relation.componentOf(item) === c) others--;
      if (others > 0) return false;
    }
    return true;
  }

  /** Every way through a lock block, with all contents that can be together. */
  #runBlock(task: Task): void {
    const { item, action } = task;
    const { states } = this;
    const automaton = this.#automatonOf(item);
    const seen = new Set<string>();
    const pending: InBlock[] = [];
    const reach = (state: InBlock): void => {
      this.#spend(1);
      const { node, found, held } = state;
      if (node !== goalNode && this.#isExclusive(automaton, node)) {
        const name = `${node}:${found.join()}:${held.join(';')}`;
        if (seen.has(name)) return;
        seen.add(name);
        pending.push(state);
      } else {
        const left = found.map((content): readonly [number, number] => {
          const component = at(states.components, states.relation.componentOf(content));
          const cell = component.kind === 'cell' ? component.cell : -1;
          return held.find(([other]) => other === cell) ?? [cell, at(states.nodes, content)];
        });
        const start = at(states.owns, item);
        this.#step({ item, found, together: state.with, next: node, own: start, left });
      }
    };
    const start = { found: [], held: [] };
    this.#eachOutcome(automaton, at(states.nodes, item), action, 0, (_, node) => {
      reach({ ...start, node, with: states.relation.row(item) });
    });
    for (let state = pending.pop(); state; state = pending.pop()) this.#goOn(task, state, reach);
  }

  #goOn(task: Task, state: InBlock, reach: (next: InBlock) => void): void {
    const { relation, nodes } = this.states;
    const { node, found, held } = state;
    const automaton = this.#automatonOf(task.item);
    this.#actionsOf(automaton, node).forEach(({ cell }, action) => {
      if (cell < 0) {
        this.#eachOutcome(automaton, node, action, 0, (_, next) => {
          reach({ ...state, node: next });
        });
        return;
      }
      const others = held.filter(([other]) => other !== cell);
      const take = (content: number, its: Pick<InBlock, 'found' | 'with'>): void => {
        this.#eachOutcome(automaton, node, action, content, (after, next) => {
          const left = [...others, [cell, after] as const].sort(([a], [b]) => a - b);
          reach({ ...its, node: next, held: left });
        });
      };
      const known = held.find(([other]) => other === cell);
      if (known) {
        take(known[1], { found, with: state.with });
        return;
      }
      this.#waitFor(task, cell);
      for (const content of this.#membersIn(state.with, this.#cell(cell))) {
        this.#spend(1 + (relation.words >>> 4));
        const together = Int32Array.from(state.with);
        relation.keepRelated(together, content);
        take(at(nodes, content), { found: [...found, content], with: together });
      }
    });
  }
}
