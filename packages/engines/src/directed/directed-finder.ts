import { at } from '@fencewright/ground/base/at.js';
import { isBuffered } from '@fencewright/model/program/instruction.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { nothingBlocked, type BlockedSteps } from '../automata/attacker-automaton.js';
import type { AutomataOptions } from '../automata/program-automata.js';
import { scheduledSteps, type ScheduledStep } from '../robustness/lift-witness.js';
import { DirectedProgram, type DirectedAttacker, type ScheduledWrite } from './directed-program.js';
import { pathToGoal } from './directed-path.js';
import { DirectedSearch, type DirectedStart } from './directed-search.js';
import { WriteSearch } from './write-search.js';
import {
  renameScheduleThreads,
  ScheduledRun,
  writeScheduleOf,
  type WriteSchedule,
} from './write-schedule.js';

/** A feasible attack, with the steps of an execution as evidence. */
export interface DirectedWitness {
  readonly attack: Attack;
  readonly steps: readonly ScheduledStep[];
}

/** A state reachable under SC, from which searches start, with a path to the state. */
interface Seed {
  readonly start: DirectedStart;
  readonly before: Seed | undefined;
  /**
   * The steps that lead to this state from the state of `before`, or from the initial state if
   * there is no `before`.
   */
  readonly steps: readonly ScheduledStep[];
  /** The writes on the path from the initial state to this state, in order. */
  readonly writes: readonly ScheduledWrite[];
}

function stepsTo(seed: Seed): ScheduledStep[] {
  const parts: (readonly ScheduledStep[])[] = [];
  for (let at: Seed | undefined = seed; at; at = at.before) parts.push(at.steps);
  return parts.reverse().flat();
}

/**
 * The maximum number of known states with which a search starts; states found later take
 * precedence.
 */
const mostSeeds = 200;
/**
 * The maximum number of initial states for searches. With more states, searches start without
 * initial states.
 */
const mostInitial = 64;
/**
 * The maximum number of schedules tried for the attacks with one delayed store; the latest
 * schedules are tried.
 */
const mostSchedules = 12;
/** The number of units of work in running a write schedule that count as one state. */
const workPerState = 8;

/**
 * Finds witnesses of attacks by directed searches and by the write schedules of known witnesses.
 * Refutes nothing. Work is counted in states.
 */
export class DirectedFinder {
  /**
   * The number of states that all searches have stored, plus the work of running write schedules,
   * converted into states.
   */
  states = 0;
  readonly #program: Program;
  readonly #directed: DirectedProgram;
  #last: { readonly attacker: DirectedAttacker; readonly blocked: BlockedSteps } | undefined;
  readonly #attackers = new Map<ThreadId, DirectedAttacker>();
  /**
   * The write schedules of known witnesses: in which order threads write to memory. The index is
   * the position of the witness's delayed store among the stores of its thread.
   */
  readonly #schedules: WriteSchedule[][] = [];
  /** The number of schedules tried for the attacks of each store, by attacker. */
  readonly #tried = new Map<DirectedAttacker, Map<TransitionId, number>>();
  readonly #initial: readonly Seed[];
  /** The states under SC on the paths of known witnesses, by attacking thread. */
  readonly #seeds = new Map<ThreadId, Seed[]>();

  constructor(program: Program, options: AutomataOptions) {
    this.#program = program;
    this.#directed = new DirectedProgram(program, options);
    this.#initial = this.#initialSeeds();
  }

  /** Whether the relaxation can direct the searches; otherwise the finder finds nothing. */
  get isDirected(): boolean {
    return this.#directed.isDirected && this.#initial.length > 0;
  }

  /** The estimated number of bytes of the automata and tables. */
  get bytes(): number {
    return this.#directed.automata.bytes();
  }

  /**
   * Returns the thread as attacker. The attacker drains the store buffer at the steps in `blocked`.
   */
  attacker(thread: ThreadId, blocked: BlockedSteps): DirectedAttacker {
    if (blocked !== nothingBlocked) {
      if (this.#last?.blocked !== blocked || this.#last.attacker.thread !== thread)
        this.#last = { blocked, attacker: this.#directed.attacker(thread, blocked) };
      return this.#last.attacker;
    }
    const known = this.#attackers.get(thread) ?? this.#directed.attacker(thread, blocked);
    this.#attackers.set(thread, known);
    return known;
  }

  /**
   * Returns attacks that delay `store`, found by schedules of known witnesses. Tried are the
   * schedules whose delayed store has the same number as `store` among the stores of the thread.
   */
  carryOver(
    attacker: DirectedAttacker,
    store: TransitionId,
    isWanted: (load: TransitionId) => boolean,
  ): DirectedWitness[] {
    const { thread } = attacker;
    const schedules = this.#schedules[this.placeOf(thread, store)] ?? [];
    const tried = this.#tried.get(attacker) ?? new Map<TransitionId, number>();
    this.#tried.set(attacker, tried);
    const from = Math.max(tried.get(store) ?? 0, schedules.length - mostSchedules);
    tried.set(store, schedules.length);
    const found = new Map<TransitionId, DirectedWitness>();
    const isOpen = (load: TransitionId) => isWanted(load) && !found.has(load);
    for (const schedule of schedules.slice(from))
      for (const joiner of this.#program.threads.keys()) {
        if (joiner === thread || !this.#isOpen(attacker, isOpen)) continue;
        const run = new ScheduledRun(this.#directed, attacker, store);
        const carried = run.run(renameScheduleThreads(schedule, thread, joiner), isOpen);
        this.states += Math.ceil(run.work / workPerState);
        for (const { load, steps } of carried)
          found.set(load, { attack: { thread, store, load }, steps });
      }
    return [...found.values()];
  }

  /**
   * Searches for the attack with at most `mostStates` states; returns a witness if the search finds
   * the attack. With `helpers`, only that many threads run beside the attacker: the threads that
   * follow the attacker in the cyclic order of the program's threads. The search then meets fewer
   * states near the attack.
   */
  search(
    attacker: DirectedAttacker,
    attack: Attack,
    mostStates: number,
    helpers?: number,
  ): DirectedWitness | undefined {
    const { thread } = attack;
    const { length } = this.#program.threads;
    const isActive = (other: ThreadId): boolean =>
      helpers === undefined || (other - thread + length) % length <= helpers;
    const search = new DirectedSearch(this.#directed, attacker, attack, isActive);
    const seeds = new Map<number, Seed>();
    const known = this.#seeds.get(thread) ?? [];
    for (const seed of [...known.slice(-mostSeeds), ...this.#initial]) {
      const state = search.begin(seed.start);
      if (state >= 0) seeds.set(state, seed);
    }
    const isFound = search.run(mostStates);
    this.states += search.states.count;
    if (!isFound) return undefined;
    const path = pathToGoal(search);
    const seed = seeds.get(path.start)!;
    this.#keep(attack, writeScheduleOf(search, path, seed.writes));
    this.#addSeeds(search, path, seed);
    return { attack, steps: [...stepsTo(seed), ...path.events.flatMap(({ steps }) => steps)] };
  }

  /**
   * Searches for a write schedule of the attack; returns a witness of the attack if a schedule is
   * found that leads to the attack.
   */
  searchWrites(
    attacker: DirectedAttacker,
    attack: Attack,
    mostStates: number,
  ): DirectedWitness | undefined {
    const search = new WriteSearch(this.#directed, attacker, attack);
    search.run(workPerState * mostStates);
    this.states += Math.ceil(search.work / workPerState);
    if (!search.found) return undefined;
    const { carried, schedule } = search.found;
    this.#keep(attack, schedule);
    return { attack, steps: carried.steps };
  }

  #keep({ thread, store }: Attack, schedule: WriteSchedule): void {
    (this.#schedules[this.placeOf(thread, store)] ??= []).push(schedule);
  }

  #isOpen({ goals }: DirectedAttacker, isOpen: (load: TransitionId) => boolean): boolean {
    return [...goals.keys()].some((load) => isOpen(load));
  }

  /** Returns the number of stores before the given store in the text of the thread. */
  placeOf(thread: ThreadId, store: TransitionId): number {
    const { transitions } = at(this.#program.threads, thread);
    return transitions.slice(0, store).filter(({ instruction }) => isBuffered(instruction)).length;
  }

  /** Returns the initial states of the program; none if there are more than `mostInitial`. */
  #initialSeeds(): Seed[] {
    const { helpers } = this.#directed;
    const size = (all: number, { sequential }: (typeof helpers)[number]) =>
      all * sequential.initialNodes().length;
    if (helpers.reduce(size, 1) > mostInitial) return [];
    let all: Seed[] = [
      { start: { phase: 1, nodes: [], values: [] }, before: undefined, steps: [], writes: [] },
    ];
    for (const [thread, { sequential }] of helpers.entries())
      all = all.flatMap((seed) =>
        sequential.initialNodes().map(({ node, path }) => ({
          ...seed,
          start: { ...seed.start, nodes: [...seed.start.nodes, node] },
          steps: [...seed.steps, ...scheduledSteps(this.#program, thread, path, false)],
        })),
      );
    return all;
  }

  /** Adds the states of the first phase that directly follow a write to the known states. */
  #addSeeds(
    { states, attacker: { thread } }: DirectedSearch,
    { events }: ReturnType<typeof pathToGoal>,
    first: Seed,
  ): void {
    const seeds = this.#seeds.get(thread) ?? [];
    this.#seeds.set(thread, seeds);
    let last = first;
    let steps: ScheduledStep[] = [];
    for (const [i, event] of events.entries()) {
      const next = events[i + 1]?.from;
      steps.push(...event.steps);
      if (next === undefined || states.phase(next) !== 1) return;
      if (!event.write) continue;
      const nodes = Array.from({ length: states.threads }, (_, t) => states.node(next, t));
      const values = Array.from({ length: states.cells }, (_, cell) => states.value(next, cell));
      const writes = [...last.writes, event.write];
      last = { start: { phase: 1, nodes, values }, before: last, steps, writes };
      seeds.push(last);
      steps = [];
    }
  }
}
