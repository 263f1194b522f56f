import { wordAt } from '@fencewright/ground/base/at.js';
import { computeLiveRegisters } from '@fencewright/model/analysis/liveness.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { ExecutionFault, type FaultKind } from '@fencewright/model/program/evaluate.js';
import type { FaultyStep } from '@fencewright/model/semantics/machine.js';
import type {
  GoalRun,
  ReachabilityAnswer,
  ReachabilityEngine,
  ReachabilityQuery,
  TransitionOfRun,
} from '@fencewright/model/reach/engine.js';
import { compileMoves, type LocationMoves, type Move, type MoveOptions } from './compile-moves.js';
import type { Scratch } from './compile-steps.js';
import { instrumentedAccess } from '@fencewright/model/reach/register-access.js';
import {
  createStateLayout,
  initialVector,
  type StateLayout,
} from '@fencewright/model/reach/state-layout.js';
import { StateStore } from './state-store.js';

const statesPerCheckpoint = 1024;

/** The search for one query: breadth first, every new state stored. */
class Exploration {
  readonly store = new StateStore();
  readonly #layout: StateLayout;
  readonly #moves: readonly (readonly LocationMoves[])[];
  readonly #moveList: readonly Move[];
  readonly #moveNumber = new Map<Move, number>();
  readonly #choices = new Map<number, number>();
  readonly #faults = new Map<string, FaultyStep>();
  readonly #goals = new Map<string, GoalRun>();
  readonly #isGoal: readonly (readonly boolean[])[];
  readonly #query: ReachabilityQuery;
  readonly #current: Scratch;
  readonly #next: Scratch;

  constructor(query: ReachabilityQuery, options: MoveOptions) {
    const { program, goals } = query;
    this.#query = query;
    this.#layout = createStateLayout(program);
    const live = program.threads.map((thread) => computeLiveRegisters(thread, instrumentedAccess));
    this.#moves = compileMoves(program, this.#layout, goals, options, live);
    this.#moveList = this.#moves.flat().flatMap(({ moves }) => moves);
    this.#moveList.forEach((move, number) => this.#moveNumber.set(move, number));
    this.#isGoal = program.threads.map((thread, t) =>
      thread.locations.map((_, location) =>
        goals.some((goal) => goal.thread === t && goal.location === location),
      ),
    );
    const initial = initialVector(program, this.#layout);
    this.#current = { values: new Int32Array(initial.length + 64) };
    this.#next = { values: new Int32Array(initial.length + 64) };
    this.store.add(initial, initial.length, -1, -1);
    initial.subarray(1, 1 + program.threads.length).forEach((location, t) => {
      if (this.#isGoal[t]?.[location]) this.#record(0, initial);
    });
  }

  get finished(): boolean {
    return this.#goals.size > 0 && this.#query.allGoals !== true;
  }

  answer(incomplete: ReachabilityAnswer['incomplete']): ReachabilityAnswer {
    return {
      goals: [...this.#goals.values()],
      states: this.store.count,
      faults: [...this.#faults.values()],
      ...(incomplete && { incomplete }),
    };
  }

  /** Stores the states after each move from a state. */
  expand(state: number): void {
    const length = this.#layout.length();
    if (this.#current.values.length < length) this.#current.values = new Int32Array(length * 2);
    this.store.read(state, this.#current.values, this.#current.values.length);
    const { values } = this.#current;
    if (this.#isGoal.some((goals, thread) => goals[wordAt(values, 1 + thread)])) return;
    for (let thread = 0; thread < this.#moves.length; thread++) {
      const here = this.#moves[thread]?.[wordAt(values, 1 + thread)];
      if (here?.runsAlone && this.#run(here, state)) return;
    }
    for (let thread = 0; thread < this.#moves.length; thread++) {
      const here = this.#moves[thread]?.[wordAt(values, 1 + thread)];
      if (here && !here.runsAlone) this.#run(here, state);
      if (this.finished) return;
    }
  }

  /** Makes the moves of a location from a state; returns whether some move was enabled. */
  #run({ moves }: LocationMoves, state: number): boolean {
    let enabled = false;
    for (const move of moves) {
      const holder = wordAt(this.#current.values, 0);
      if (move.needsBus && holder !== 0 && holder !== move.thread + 1) continue;
      const { choices } = move;
      if (!choices) {
        if (this.#execute(move, state, undefined)) enabled = true;
        continue;
      }
      for (let choice = choices.low; choice <= choices.high; choice++)
        if (this.#execute(move, state, choice)) enabled = true;
    }
    return enabled;
  }

  #execute(move: Move, state: number, choice: number | undefined): boolean {
    const next = this.#next;
    const { values } = this.#current;
    if (next.values.length < values.length) next.values = new Int32Array(values.length);
    next.values.set(values);
    if (next.values.length > values.length) next.values.fill(0, values.length);
    if (choice !== undefined && move.choices) next.values[move.choices.slot] = choice;
    try {
      if (!move.execute(next)) return false;
    } catch (error) {
      if (!(error instanceof ExecutionFault)) throw error;
      this.#recordFault(move, error.kind);
      return false;
    }
    const after = next.values;
    after[1 + move.thread] = move.to;
    for (const slot of move.deadSlots) after[slot] = 0;
    const number = this.store.add(
      after,
      this.#layout.length(),
      state,
      this.#moveNumber.get(move) ?? -1,
    );
    if (number >= 0) {
      if (choice !== undefined) this.#choices.set(number, choice);
      if (this.#isGoal[move.thread]?.[move.to]) this.#record(number, after);
    }
    return true;
  }

  #recordFault({ thread, transition }: Move, fault: FaultKind): void {
    this.#faults.set(`${thread}.${transition}.${fault}`, { thread, transition, fault });
  }

  #record(state: number, values: Int32Array): void {
    const observed = (this.#query.observe ?? []).map((address) => {
      const slot = this.#layout.findCell('control', address);
      return slot < 0 ? 0 : wordAt(values, slot);
    });
    const key = observed.join(',');
    if (!this.#goals.has(key)) this.#goals.set(key, { observed, run: this.#runTo(state) });
  }

  #runTo(state: number): TransitionOfRun[] {
    const run: TransitionOfRun[] = [];
    for (let at = state; this.store.parentOf(at) >= 0; at = this.store.parentOf(at)) {
      const move = this.#moveList[this.store.moveOf(at)];
      const choice = this.#choices.get(at);
      if (move)
        run.push({
          thread: move.thread,
          transition: move.transition,
          ...(choice !== undefined && { choice }),
        });
    }
    return run.reverse();
  }
}

/**
 * Returns an engine that explores the SC states of any program breadth first, and finds runs with
 * fewest steps. Both reductions are on unless switched off.
 */
export function createExplicitEngine(options: Partial<MoveOptions> = {}): ReachabilityEngine {
  const { localFirst = true, maskDeadRegisters = true } = options;
  return {
    name: 'explicit',
    async explore(query: ReachabilityQuery, budget: Budget): Promise<ReachabilityAnswer> {
      const exploration = new Exploration(query, { localFirst, maskDeadRegisters });
      const { store } = exploration;
      const { slice = Number.POSITIVE_INFINITY } = query;
      let incomplete: ReachabilityAnswer['incomplete'];
      for (let state = 0; state < store.count && !exploration.finished; state++) {
        incomplete =
          state % statesPerCheckpoint === 0
            ? await budget.checkpoint(store.count, store.bytes)
            : budget.exceededBy(store.count, store.bytes);
        if (store.count > slice) incomplete ??= 'slice';
        if (incomplete) break;
        exploration.expand(state);
      }
      budget.finishSearch(store.count, store.bytes);
      return exploration.answer(incomplete);
    },
  };
}
