import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { AccessMaps, type MapId } from './access-maps.js';
import { computeMayLoop } from './compiled-bodies.js';
import { Config, type LogItem, type Role } from './config.js';
import { addFootprint, computeFootprints, countCells, type Footprint } from './footprints.js';
import { groupInstances, type InstanceGroup } from './instance-groups.js';
import { Interner } from './interner.js';
import { LocalStates, type LocalId, type LocalOptions, type Spawn } from './local-states.js';
import { perform, type MemoryView, type Performed } from './perform.js';

/** Reductions of the searches; no reduction changes a verdict. */
export interface SerialReductions {
  /** Forget cells and accesses between events if no later event can notice the difference. */
  readonly forgetDeadCells: boolean;
  /** Leave out events unnoticeable to later events: such an event may as well not have started. */
  readonly skipIdleEvents: boolean;
  /** Stop a search if nothing is left that could access the postponed cells. */
  readonly dropLostTargets: boolean;
}

export const allReductions: SerialReductions = {
  forgetDeadCells: true,
  skipIdleEvents: true,
  dropLostTargets: true,
};

/** The receiver of configurations after a step. */
interface Sink {
  /** A configuration between two accesses or two events. */
  readonly reach: (config: Config) => void;
  /** A configuration that closes a violation. */
  readonly violate: (config: Config) => void;
}

/** The maximal number of configurations searched for the end of a main task. */
const maxTaskStates = 10_000;

/**
 * The single thread ([BEMR18] Fig. 6) with cuts: background tasks may stop before any access, and
 * waiting tasks may never run. The rules of the search decide on the remembered facts about the
 * attack.
 */
export abstract class SerialMachine {
  readonly locals: LocalStates;
  readonly groups: readonly InstanceGroup[];
  readonly maps = new AccessMaps();
  /** Contents of memory. */
  readonly memories = new Interner();
  /** Lists of tasks: `[task, rest]`, a task being twice a `Spawn`, plus one if the task is late. */
  readonly lists = new Interner();
  readonly lefts = new Interner();
  /** Whether a main task was too long to search for its end. */
  isUnbounded = false;
  /** Whether a configuration was left out because too many tasks would have waited. */
  isCut = false;
  isRecording = false;
  protected sink: Sink = { reach: () => undefined, violate: () => undefined };
  readonly #program: EventProgram;
  readonly #cells: number;
  readonly #depth: number;
  readonly #reductions: SerialReductions;
  readonly #mayLoop: readonly boolean[];
  readonly #footprints: readonly Footprint[];
  readonly #lengths = new Map<number, number>([[0, 0]]);
  readonly #leftFootprints = new Map<number, Footprint>();
  readonly #ends = new Map<number, boolean>();

  constructor(program: EventProgram, local: LocalOptions, reductions: SerialReductions) {
    this.#program = program;
    this.#cells = countCells(program);
    this.#depth = local.depth;
    this.#reductions = reductions;
    this.locals = new LocalStates(program, local);
    this.groups = groupInstances(program);
    this.#mayLoop = computeMayLoop(this.locals.bodies);
    this.#footprints = computeFootprints(program);
  }

  /** The approximate number of bytes of the tables. */
  get bytes(): number {
    const { locals, maps, memories, lists, lefts } = this;
    return locals.bytes + maps.bytes + memories.bytes + lists.bytes + lefts.bytes;
  }

  initial(): Config {
    const config = new Config();
    config.memory = this.memories.id(this.initialMemory());
    config.left = this.lefts.id(this.groups.map(({ count }) => (count === 'any' ? -1 : count)));
    return config;
  }

  /** Returns the initial memory, indexed by cell. */
  initialMemory(): number[] {
    const cells = Array.from({ length: this.#cells }, () => 0);
    for (const { base, initial } of this.#program.symbols)
      initial.forEach((value, i) => (cells[base + i] = value));
    return cells;
  }

  /** Passes all configurations after one step to `sink`. */
  successors(config: Config, sink: Sink): void {
    this.sink = sink;
    // Runs in this phase are runs of the single thread with cuts, and also runs on several threads.
    this.locals.isCertain = config.phase === 'prefix' && !config.isCandidate;
    if (config.node !== 0) this.steps(config);
    else if (config.waiting !== 0) this.#dispatch(config);
    else this.#startEvents(config);
  }

  /** Takes the possible steps and stops of the running task. */
  protected abstract steps(config: Config): void;
  /** Returns the roles in which a task may begin. */
  protected abstract roles(config: Config): readonly Role[];
  /** Whether a task's end leaves a configuration of interest. */
  protected abstract atEnd(config: Config): boolean;
  /** Whether a task's stop before its end leaves a configuration of interest. */
  protected abstract atStop(config: Config): boolean;
  /**
   * Returns the levels of accesses that would close a violation: a future event must be able to
   * make such an access.
   */
  protected abstract targetLevels(config: Config): readonly number[];
  /** Forgets the facts about the attack that nobody with this footprint can notice. */
  protected abstract forget(config: Config, footprint: Footprint): void;

  protected note(config: Config, item: LogItem): void {
    if (this.isRecording) config.log = { item, earlier: config.log };
  }

  #startEvents(config: Config): void {
    this.groups.forEach((group, g) => {
      const counts = this.lefts.list(config.left);
      const count = at(counts, g);
      if (count === 0) return;
      const phases = config.phase === 'prefix' ? (['prefix', 'attack'] as const) : [config.phase];
      for (const phase of phases) {
        const next = config.copy();
        next.phase = phase;
        next.isJoined = phase === 'attack';
        if (count > 0) next.left = this.lefts.id(counts.map((n, i) => (i === g ? n - 1 : n)));
        const spawn = 2 * this.locals.initial(group.event, group.arguments) + 1;
        this.note(next, { kind: 'start', group: g, spawn });
        this.#begin(next, spawn, false);
      }
    });
  }

  #begin(config: Config, spawn: Spawn, isLate: boolean): void {
    config.isMain = (spawn & 1) === 1;
    config.isLate = isLate;
    for (const role of this.roles(config)) {
      const next = config.copy();
      next.role = role;
      this.note(next, { kind: 'begin', role });
      this.settle(next, spawn >> 1);
    }
  }

  /** Advances from a local state of the running task to the next wait for memory. */
  protected settle(config: Config, state: LocalId): void {
    for (const arrival of this.locals.arrivals(state)) {
      const next = config.copy();
      if (arrival.trail.length > 0) this.note(next, { kind: 'silent', trail: arrival.trail });
      if (!this.#post(next, arrival.posts)) continue;
      switch (arrival.kind) {
        case 'access':
        case 'fence':
          next.node = arrival.at;
          this.sink.reach(next);
          break;
        case 'end':
          this.note(next, { kind: 'end' });
          if (this.atEnd(next)) this.#leave(next);
          break;
        case 'stuck':
          this.stop(next);
          break;
      }
    }
  }

  /** Posts tasks of the running task; returns false if too many tasks would wait. */
  #post(config: Config, posts: readonly Spawn[]): boolean {
    const isLate =
      config.isLate || config.role === 'behind' || (config.role === 'delaying' && config.isMain);
    for (const spawn of posts)
      config.children = this.#push(2 * spawn + (isLate ? 1 : 0), config.children);
    if (this.#length(config.children) + this.#length(config.waiting) <= this.#depth) return true;
    this.isCut = true;
    return false;
  }

  #push(task: number, rest: number): number {
    const id = this.lists.id([task, rest]);
    if (!this.#lengths.has(id)) this.#lengths.set(id, this.#length(rest) + 1);
    return id;
  }

  #length(list: number): number {
    return this.#lengths.get(list) ?? 0;
  }

  /** Returns the roles in which a main task may begin in the attack event. */
  protected attackRoles({ isCandidate }: Config): readonly Role[] {
    // A task that has stopped on main for ever is the last task on main.
    return isCandidate ? ['ordinary'] : ['ordinary', 'delaying'];
  }

  /**
   * Stops the running main task for ever. Main tasks later in the serial order must have run
   * before, as the witness will show. Returns false if impossible: another main task has stopped
   * for ever, or `K` is on main and either never ends or comes behind the running task.
   */
  protected takeMain(config: Config): boolean {
    if (config.isCandidate || config.isDelayingOnMain) return false;
    config.isCandidate = true;
    return true;
  }

  /** Stops the running task for ever at its place. */
  protected stop(config: Config): void {
    this.note(config, { kind: 'cut' });
    if (this.atStop(config)) this.#leave(config);
  }

  /**
   * Ends the running task, so that waiting tasks are served, first the tasks posted by the ended
   * one.
   */
  #leave(config: Config): void {
    for (let list = config.children; list !== 0;) {
      const [task = 0, rest = 0] = this.lists.list(list);
      config.waiting = this.#push(task, config.waiting);
      list = rest;
    }
    config.children = 0;
    config.node = 0;
    config.role = 'ordinary';
    config.isMain = false;
    config.isLate = false;
    config.isPromised = false;
    this.#goOn(config);
  }

  /** Goes on between two tasks. */
  #goOn(config: Config): void {
    if (config.waiting === 0) this.#endEvent(config);
    else this.sink.reach(config);
  }

  /** Begins the head of the waiting list; a second successor drops the head for ever if needed. */
  #dispatch(config: Config): void {
    const [task = 0, rest = 0] = this.lists.list(config.waiting);
    const spawn = task >> 1;
    config.waiting = rest;
    if ((spawn & 1) === 1 || !this.#canStopAtOnce(spawn >> 1)) {
      const next = config.copy();
      this.note(next, { kind: 'drop' });
      this.#goOn(next);
    }
    this.#begin(config, spawn, (task & 1) === 1);
  }

  /** Whether a background task may stop before doing anything: such a task need not be dropped. */
  #canStopAtOnce(state: LocalId): boolean {
    return this.locals
      .arrivals(state)
      .some(({ kind, posts }) => kind === 'access' && posts.length === 0);
  }

  #endEvent(config: Config): void {
    if (config.phase === 'attack') return;
    const { skipIdleEvents } = this.#reductions;
    if (config.phase === 'delayed') config.phase = 'suffix';
    else if (skipIdleEvents && !config.hasEffect) return;
    config.hasEffect = false;
    config.isJoined = false;
    config.isTouched = false;
    config.mine = 0;
    const footprint = this.#leftFootprint(config.left);
    if (config.phase === 'suffix' && !this.#meets(config, footprint)) return;
    if (this.#reductions.forgetDeadCells) {
      const values = this.memories.list(config.memory);
      config.memory = this.memories.id(
        values.map((value, cell) => ((footprint[cell] ?? 0) & 1 ? value : 0)),
      );
      this.forget(config, footprint);
    }
    this.sink.reach(config);
  }

  /** Returns the possible accesses of events that have not started. */
  #leftFootprint(left: number): Footprint {
    let sum = this.#leftFootprints.get(left);
    if (!sum) {
      sum = new Uint8Array(this.#cells);
      for (const [g, { event }] of this.groups.entries())
        if (at(this.lefts.list(left), g) !== 0) addFootprint(sum, at(this.#footprints, event));
      this.#leftFootprints.set(left, sum);
    }
    return sum;
  }

  #meets(config: Config, footprint: Footprint): boolean {
    if (!this.#reductions.dropLostTargets) return true;
    return this.targetLevels(config).some((level, cell) => {
      const may = footprint[cell] ?? 0;
      return level === 2 ? may !== 0 : level === 1 && may >= 2;
    });
  }

  /** Whether a waiting task or a future event may access the target. */
  protected canMeetTarget(config: Config): boolean {
    if (!this.#reductions.dropLostTargets) return true;
    if (this.#meets(config, this.#leftFootprint(config.left))) return true;
    for (const first of [config.children, config.waiting])
      for (let list = first; list !== 0;) {
        const [task = 0, rest = 0] = this.lists.list(list);
        const body = this.locals.bodyOf(task >> 2);
        if (this.#meets(config, at(this.#footprints, body))) return true;
        list = rest;
      }
    return false;
  }

  /** Returns the part of a map noticeable to an event with this footprint. */
  protected noticed(levels: readonly number[], footprint: Footprint): number {
    return this.maps.of(
      levels.map((level, cell) => {
        const may = footprint[cell] ?? 0;
        return may >= 2 || (level === 2 && may !== 0) ? level : 0;
      }),
    );
  }

  /** Replaces the accesses of the attack event and of joined events. */
  protected setAll(config: Config, all: MapId): void {
    if (all === config.all) return;
    const footprint = this.#leftFootprint(config.left);
    const noticed = (map: MapId): MapId => this.noticed(this.maps.levels(map), footprint);
    config.hasEffect ||= noticed(all) !== noticed(config.all);
    config.all = all;
  }

  #view(memory: number): MemoryView {
    const values = this.memories.list(memory);
    const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } =
      this.#program.domain ?? {};
    return { cells: this.#cells, low, high, load: (cell) => values[cell] ?? 0 };
  }

  /**
   * Returns the continuations of the running task at memory; `load` gives the task's view of
   * memory.
   */
  protected performed(config: Config, load?: MemoryView['load']): readonly Performed[] {
    const view = this.#view(config.memory);
    return perform(this.locals, config.node, load ? { ...view, load } : view);
  }

  /** Returns the value of a memory cell. */
  protected loaded(config: Config, cell: number): number {
    return this.memories.list(config.memory)[cell] ?? 0;
  }

  protected write(config: Config, writes: Performed['writes']): void {
    if (writes.length === 0) return;
    const values = [...this.memories.list(config.memory)];
    for (const [cell, value] of writes) values[cell] = value;
    const old = this.memories.list(config.memory);
    const footprint = this.#leftFootprint(config.left);
    const isNoticed = (cell: number): boolean => ((footprint[cell] ?? 0) & 1) === 1;
    config.hasEffect ||= writes.some(([cell]) => values[cell] !== old[cell] && isNoticed(cell));
    config.memory = this.memories.id(values);
  }

  /**
   * Whether the running main task may be treated as stopped here: the task is blocked, or can never
   * end.
   */
  protected isHopeless(config: Config, outcomes: readonly Performed[]): boolean {
    if (!outcomes.some(({ isComplete }) => isComplete)) return true;
    if (!this.locals.bodiesIn(config.node).some((body) => this.#mayLoop[body])) return false;
    return !this.#canEnd(config);
  }

  /** Whether a task running alone from here may come to its end. */
  #canEnd({ memory, node, left }: Config): boolean {
    const keyOf = (m: number, n: number): number => m * 0x2000000 + n;
    const known = this.#ends.get(keyOf(memory, node));
    if (known !== undefined) return known;
    const seen = new Set([keyOf(memory, node)]);
    const pending: [number, LocalId][] = [[memory, node]];
    let canEnd = false;
    for (let top = pending.pop(); top && !canEnd; top = pending.pop()) {
      const config = new Config();
      [config.memory, config.node] = top;
      config.left = left;
      for (const { state, writes, isComplete } of this.performed(config)) {
        if (!isComplete) continue;
        const next = config.copy();
        this.write(next, writes);
        for (const { at: node, kind } of this.locals.arrivals(state)) {
          if (kind === 'end') canEnd = true;
          const key = keyOf(next.memory, node);
          if ((kind !== 'access' && kind !== 'fence') || seen.has(key)) continue;
          seen.add(key);
          pending.push([next.memory, node]);
        }
      }
      if (seen.size > maxTaskStates) {
        this.isUnbounded = true;
        canEnd = true;
      }
    }
    this.#ends.set(keyOf(memory, node), canEnd);
    return canEnd;
  }
}
