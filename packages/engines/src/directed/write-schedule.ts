import { at } from '@fencewright/ground/base/at.js';
import { outcomeSize } from '@fencewright/ground/product/tables.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { scheduledSteps, type ScheduledStep } from '../robustness/lift-witness.js';
import type { AttackerAutomaton } from '../automata/attacker-automaton.js';
import type { LocalStep } from '../automata/local-closure.js';
import type { DirectedAttacker, DirectedProgram, ScheduledWrite } from './directed-program.js';
import { pathToGoal, type DirectedPath } from './directed-path.js';
import { behindLoad, DirectedSearch, type DirectedStart } from './directed-search.js';

/** The writes of an execution in their order; loads are left out. */
export interface WriteSchedule {
  readonly attacker: ThreadId;
  /** The writes to memory before the last load of the attack, in their order. */
  readonly writes: readonly ScheduledWrite[];
  /** The number of writes in `writes` before the attacker delays its first store. */
  readonly delayedAfter: number;
  /** The thread that makes the first step of the happens-before path. */
  readonly joiner: ThreadId;
}

/** Returns the write schedule of a path; `writesBefore` are the writes before the path begins. */
export function writeScheduleOf(
  { states, attacker }: DirectedSearch,
  { events }: DirectedPath,
  writesBefore: readonly ScheduledWrite[],
): WriteSchedule {
  const writes = events.flatMap(({ write, from }) => (write ? [{ write, from }] : []));
  const early = writes.filter(({ from }) => states.phase(from) === 1);
  const joining = events.find(({ from }) => states.phase(from) === 3);
  return {
    attacker: attacker.thread,
    writes: [...writesBefore, ...writes.map(({ write }) => write)],
    delayedAfter: writesBefore.length + early.length,
    joiner: joining?.thread ?? attacker.thread,
  };
}

/**
 * Returns the schedule with threads exchanged: first `attacker` with the schedule's attacker, then
 * `joiner` with the schedule's joiner.
 */
export function renameScheduleThreads(
  schedule: WriteSchedule,
  attacker: ThreadId,
  joiner: ThreadId,
): WriteSchedule {
  const exchange = (a: ThreadId, b: ThreadId) => (thread: ThreadId) =>
    thread === a ? b : thread === b ? a : thread;
  const first = exchange(schedule.attacker, attacker);
  const second = exchange(first(schedule.joiner), joiner);
  const writes = schedule.writes.map((write) => ({
    ...write,
    thread: second(first(write.thread)),
  }));
  return { ...schedule, attacker, writes, joiner };
}

/** A possible node of a thread in the run of a schedule, with the steps to the node. */
interface ReachedNode {
  readonly node: number;
  readonly before: ReachedNode | undefined;
  /** The number of writes by all threads before the step with which the thread entered `node`. */
  readonly writes: number;
  readonly isWrite: boolean;
  /** Whether the attacker was delaying stores when the thread entered the node. */
  readonly isDelayed: boolean;
  readonly path: () => readonly LocalStep[];
}

/**
 * The members of a `ReachedNode` for an initial node of a thread; they are the same for all initial
 * nodes.
 */
const start = { before: undefined, writes: 0, isWrite: false, isDelayed: false } as const;

/**
 * A node entered by a thread, with the set of possible nodes that contained the node at the time of
 * entry.
 */
interface Place {
  readonly thread: ThreadId;
  readonly set: ReadonlyMap<number, ReachedNode>;
  readonly entry: ReachedNode;
}

/** An attack that the run of a schedule has found, with the steps of the execution. */
export interface CarriedAttack {
  readonly load: TransitionId;
  /** The thread that makes the first step of the happens-before path. */
  readonly joiner: ThreadId;
  readonly steps: readonly ScheduledStep[];
}

/**
 * The maximum number of states in a search for the happens-before path after a schedule; longer
 * paths are not found.
 */
const statesOfPath = 400;

/**
 * Runs a write schedule. Between two writes, memory is fixed and threads are independent: the run
 * keeps, for each thread, the set of nodes reachable by loads.
 */
export class ScheduledRun {
  /**
   * The number of nodes entered and states stored by the runs of schedules, as a measure of work.
   */
  work = 0;
  readonly #directed: DirectedProgram;
  readonly #attacker: DirectedAttacker;
  readonly #store: TransitionId;
  #isDelaying = false;
  #writes = 0;
  readonly #memory: number[] = [];
  /** For each thread, the possible nodes, each with the steps to the node; the map is by node. */
  readonly #sets: Map<number, ReachedNode>[];
  /** The nodes entered by threads whose next loads have not been executed yet. */
  readonly #pending: Place[] = [];
  /**
   * The nodes entered so far with an access of a cell, indexed by cell; threads may have left these
   * nodes.
   */
  readonly #readers: (Set<Place> | undefined)[] = [];
  /** The steps with which threads entered nodes, as far as computed. */
  readonly #entered = new Map<ReachedNode, readonly ScheduledStep[]>();
  /** The happens-before paths searched for after the schedule, by the start of the third phase. */
  readonly #paths = new Map<string, readonly ScheduledStep[] | undefined>();

  constructor(directed: DirectedProgram, attacker: DirectedAttacker, store: TransitionId) {
    this.#directed = directed;
    this.#attacker = attacker;
    this.#store = store;
    this.#sets = directed.helpers.map(() => new Map<number, ReachedNode>());
    for (const [thread, { sequential }] of directed.helpers.entries())
      for (const { node, path } of sequential.initialNodes())
        this.#enter(thread, { node, ...start, path: () => path });
  }

  /**
   * Runs a schedule, in which the attacker is the attacker of the run. Returns the attacks found
   * whose last load is wanted.
   */
  run(schedule: WriteSchedule, isWanted: (load: TransitionId) => boolean): CarriedAttack[] {
    const { writes, delayedAfter } = schedule;
    this.#load();
    for (let i = 0; i <= writes.length; i++) {
      if (i === delayedAfter && !this.#delay()) return [];
      const write = writes[i];
      if (write && !this.#write(write)) return [];
    }
    return this.#complete(isWanted);
  }

  #enter(thread: ThreadId, entry: ReachedNode): void {
    const set = at(this.#sets, thread);
    if (set.has(entry.node)) return;
    set.set(entry.node, entry);
    this.#pending.push({ thread, set, entry });
    this.work++;
  }

  /**
   * Lets threads load from the nodes entered since the last call, and notes the nodes' accesses.
   */
  #load(): void {
    for (const place of this.#pending) {
      const { thread, entry } = place;
      // A cell may be accessed without an outcome now, and with one after the next write.
      for (const cell of this.#source(thread).actionCells(entry.node))
        if (cell >= 0) (this.#readers[cell] ??= new Set()).add(place);
      for (const { next, isWrite, path } of this.#outcomes(thread, entry.node))
        if (!isWrite) this.#enter(thread, this.#behind(entry, next, false, path));
    }
    this.#pending.length = 0;
  }

  /** Returns the automaton whose nodes a thread has at present. */
  #source(thread: ThreadId): Pick<AttackerAutomaton, 'actionCells'> {
    const { automaton, thread: attacker } = this.#attacker;
    const isAttacker = this.#isDelaying && thread === attacker;
    return isAttacker ? automaton : at(this.#directed.automata.threads, thread).sequential;
  }

  /**
   * Yields the outcomes of the accesses of a thread at a node, with the present memory. Lock blocks
   * and heavy fences have no cell and no outcomes here: no run of a schedule passes one, so no run
   * has to end the delays of stores there.
   */
  *#outcomes(thread: ThreadId, node: number) {
    const { valueTables: tables, threads } = this.#directed.automata;
    const isAttacker = this.#isDelaying && thread === this.#attacker.thread;
    const { sequential, sequentialNumber } = at(threads, thread);
    const { automaton } = this.#attacker;
    const number = isAttacker ? this.#attacker.number : sequentialNumber;
    const cells = this.#source(thread).actionCells(node);
    for (const [action, cell] of cells.entries()) {
      if (cell < 0) continue;
      const value = this.#memory[cell] ?? 0;
      const list = tables.outcomes(number, node, action, value);
      const count = tables.memory[list]!;
      const isStore = !isAttacker && sequential.isBlind(node, action);
      for (let i = 0; i < count; i++) {
        const written = tables.memory[list + 1 + outcomeSize * i]!;
        const next = tables.memory[list + 2 + outcomeSize * i]!;
        const path = (): readonly LocalStep[] =>
          isAttacker
            ? at(automaton.explainedOutcomes(node, action, value), i).path
            : at(sequential.continuation(node, action, value).nodes, i).path;
        yield { action, cell, next, written, isWrite: isStore || written !== value, path };
      }
    }
  }

  #behind(
    before: ReachedNode,
    node: number,
    isWrite: boolean,
    path: ReachedNode['path'],
  ): ReachedNode {
    return { node, before, writes: this.#writes, isWrite, isDelayed: this.#isDelaying, path };
  }

  /**
   * Makes a thread execute a write: the instruction at the place of the schedule, otherwise the
   * first possible one. Returns whether a write was possible.
   */
  #write({ thread, place }: ScheduledWrite): boolean {
    if (this.#isDelaying && thread === this.#attacker.thread) return false;
    const { sequential } = at(this.#directed.helpers, thread);
    const possible = [...at(this.#sets, thread).values()].flatMap((entry) =>
      [...this.#outcomes(thread, entry.node)].flatMap((outcome) =>
        outcome.isWrite ? [{ ...outcome, entry }] : [],
      ),
    );
    const isAtPlace = ({ entry: { node }, action }: (typeof possible)[number]): boolean =>
      this.#directed.placeOf(thread, at(sequential.actions(node), action).step.id) === place;
    const made = possible.find(isAtPlace) ?? possible[0];
    this.#sets[thread] = new Map();
    for (const { cell, written, next, path, entry } of possible)
      if (made?.cell === cell && made.written === written)
        this.#enter(thread, this.#behind(entry, next, true, path));
    if (!made) return false;
    this.#writes++;
    this.#memory[made.cell] = made.written;
    for (const reader of this.#readers[made.cell] ?? [])
      if (reader.set === this.#sets[reader.thread]) this.#pending.push(reader);
    this.#readers[made.cell]?.clear();
    this.#load();
    return true;
  }

  /**
   * Makes the attacker delay its first store; returns whether the attacker can delay the store at
   * one of its possible nodes.
   */
  #delay(): boolean {
    const { thread, starts, automaton } = this.#attacker;
    const before = at(this.#sets, thread);
    this.#sets[thread] = new Map();
    this.#isDelaying = true;
    for (const entry of before.values())
      for (const { action, store, entries } of starts.at(entry.node))
        if (store === this.#store)
          for (const { node, index } of entries) {
            const path = () => at(automaton.enter(entry.node, action), index).path;
            this.#enter(thread, this.#behind(entry, node, false, path));
          }
    this.#load();
    return at(this.#sets, thread).size > 0;
  }

  #complete(isWanted: (load: TransitionId) => boolean): CarriedAttack[] {
    const { thread, automaton } = this.#attacker;
    const found = new Map<TransitionId, CarriedAttack>();
    for (const entry of at(this.#sets, thread).values())
      for (const { transition: load, cell, isEnd } of automaton.loads(entry.node)) {
        if (!isEnd || found.has(load) || !isWanted(load)) continue;
        const ending = this.#endWith(entry, load, cell);
        if (ending) found.set(load, { load, ...ending });
      }
    return [...found.values()];
  }

  /**
   * Returns the steps of an execution in which the load is the attacker's last load and helpers
   * complete the happens-before path, together with the thread that begins the path; `undefined` if
   * no helper can complete the path.
   */
  #endWith(
    entry: ReachedNode,
    load: TransitionId,
    cell: number,
  ): Pick<CarriedAttack, 'joiner' | 'steps'> | undefined {
    const { helpers, distances, automata, program } = this.#directed;
    const { thread, automaton } = this.#attacker;
    const target = automaton.target(entry.node).cell;
    const lasts = this.#sets.map((set, t) => (t === thread ? entry : [...set.values()].at(-1)));
    const values = Array.from(
      { length: automata.valueTables.cells },
      (_, c) => this.#memory[c] ?? 0,
    );
    for (const [joiner, helper] of helpers.entries()) {
      if (joiner === thread) continue;
      const joining = [...at(this.#sets, joiner).values()].find(
        ({ node }) => distances.afterJoining(helper, node, cell, target) >= 0,
      );
      if (!joining) continue;
      const entries = lasts.with(joiner, joining);
      const nodes = entries.map((one) => one?.node ?? 0);
      for (const last of automaton.lastLoads(entry.node, load, values[cell] ?? 0)) {
        const begin = behindLoad(this.#directed, this.#attacker, nodes, values, { cell, last });
        const path = this.#pathFrom(begin, { thread, store: this.#store, load });
        if (!path) continue;
        const ending = scheduledSteps(program, thread, last.path, false);
        return { joiner, steps: [...this.#stepsTo(entries), ...ending, ...path] };
      }
    }
    return undefined;
  }

  /**
   * Returns the steps of a happens-before path from the start of the third phase; `undefined` if
   * none is found. Loads of one cell often end attacks with equal starts, so paths are kept.
   */
  #pathFrom(begin: DirectedStart, attack: Attack): readonly ScheduledStep[] | undefined {
    const { nodes, values, cells } = begin;
    const name = `${nodes.join()}:${values.join()}:${cells?.target}:${cells?.load}`;
    if (this.#paths.has(name)) return this.#paths.get(name);
    const search = new DirectedSearch(this.#directed, this.#attacker, attack);
    search.begin(begin);
    const isFound = search.run(statesOfPath);
    this.work += search.states.count;
    const path = isFound ? pathToGoal(search).events.flatMap(({ steps }) => steps) : undefined;
    this.#paths.set(name, path);
    return path;
  }

  /**
   * Returns the steps of all threads to the nodes in `entries`, in an order that keeps the
   * schedule's order of writes.
   */
  #stepsTo(entries: readonly (ReachedNode | undefined)[]): ScheduledStep[] {
    const all = entries.flatMap((last, thread) => {
      const own: { readonly entry: ReachedNode; readonly thread: ThreadId }[] = [];
      for (let entry = last; entry; entry = entry.before) own.push({ entry, thread });
      return own.reverse();
    });
    // The sort is stable, so the steps of one thread keep their order.
    all.sort(
      ({ entry: a }, { entry: b }) => a.writes - b.writes || Number(a.isWrite) - Number(b.isWrite),
    );
    return all.flatMap(({ entry, thread }) => this.#stepsInto(entry, thread));
  }

  #stepsInto(entry: ReachedNode, thread: ThreadId): readonly ScheduledStep[] {
    let steps = this.#entered.get(entry);
    if (!steps) {
      const isDelayed = entry.isDelayed && thread === this.#attacker.thread;
      steps = scheduledSteps(this.#directed.program, thread, entry.path(), isDelayed);
      this.#entered.set(entry, steps);
    }
    return steps;
  }
}
