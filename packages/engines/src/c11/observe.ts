import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { C11Code } from './c11-steps.js';
import { isAmong, type ObservedFailure, searchInterleavings } from './interleavings.js';
import { type Edge, lastingStates, lastsOtherwise } from './lasting.js';
import { MonitoredProgram, type MonitorEvent, type StaleStep } from './monitor-steps.js';
import { observedGraph, type OldRead } from './observed-graph.js';
import { RowTable } from '@fencewright/ground/base/row-table.js';

const checkEvery = 1024;

/** The maximum number of executions with reads of old stores that the definitions judge. */
const mostCandidates = 200;

/** The effects of C11's executions without load buffering, compared with the interleavings. */
export interface ObservedEffects {
  /**
   * Whether every lasting state of C11 is one of interleavings, compared by memory, the registers
   * that the code keeps, and the locations of threads. A state lasts if each thread has ended,
   * waits for ever, or runs on a cycle for ever.
   */
  readonly areLastingStatesOfSC: boolean;
  /** Whether every assertion that fails also fails in some interleaving. */
  readonly areAssertionsOfSC: boolean;
  readonly failure?: ObservedFailure;
  readonly states: number;
  readonly incomplete?: Exhaustion;
}

export function hasAssertions({ threads }: Program): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => instruction.kind === 'assert'),
  );
}

/** Searches the executions that consist of interleavings and reads of old stores. */
class ObservationSearch {
  readonly #program: MonitoredProgram;
  readonly #model: C11Model;
  readonly #reached: RowTable;
  /** The assertions that fail in some interleaving. */
  readonly #failures: readonly ObservedFailure[];
  readonly #table: RowTable;
  readonly #parents: number[] = [];
  readonly #steps: (MonitorEvent | OldRead | undefined)[] = [];
  readonly #lastingUnderSC: () => ReadonlySet<number>;
  readonly #edges = new Map<number, readonly Edge[]>();
  /** The numbers of the states found that executions of C11, but no interleavings, reach. */
  readonly #unexplained = new Set<number>();
  #candidates = 0;
  areLastingStatesOfSC = true;
  areAssertionsOfSC = true;
  failure: ObservedFailure | undefined;

  constructor(
    code: C11Code,
    model: C11Model,
    { table, failures, lasting }: Awaited<ReturnType<typeof searchInterleavings>>,
  ) {
    this.#program = new MonitoredProgram(code, model, { purpose: 'observation' });
    this.#model = model;
    this.#reached = table;
    this.#failures = failures;
    this.#lastingUnderSC = lasting;
    this.#table = new RowTable(this.#program.layout.length);
  }

  get states(): number {
    return this.#table.size;
  }

  get bytes(): number {
    return this.#table.bytes + this.#table.size * 400;
  }

  /**
   * Runs the search. With `asksFailure`, the search goes on until an execution fails an assertion,
   * even if both answers (`areLastingStatesOfSC`, `areAssertionsOfSC`) are already `false`. Returns
   * the exhausted limit, if any.
   */
  async search(budget: Budget, asksFailure: boolean): Promise<Exhaustion | undefined> {
    const program = this.#program;
    program.initial(
      (state) => {
        this.#add(state, -1, undefined);
      },
      () => undefined,
    );
    const isOpen = (): boolean =>
      !this.failure && (asksFailure || this.areLastingStatesOfSC || this.areAssertionsOfSC);
    for (let index = 0; index < this.#table.size && isOpen(); index++) {
      let incomplete: Exhaustion | undefined;
      if (index % checkEvery === 0) incomplete = await budget.checkpoint(this.states, this.bytes);
      else if (budget.isDue()) incomplete = await budget.checkTime(this.states, this.bytes);
      if (incomplete) return incomplete;
      this.#expand(index);
    }
    if (this.areLastingStatesOfSC && this.#hasOtherLastingStates())
      this.areLastingStatesOfSC = false;
    return undefined;
  }

  /**
   * Whether some execution of C11 can stay for ever in states in which no interleaving can stay for
   * ever.
   */
  #hasOtherLastingStates(): boolean {
    const { layout } = this.#program;
    const unexplained = new Map([...this.#unexplained].map((at) => [at, this.#edges.get(at)!]));
    if (lastingStates(unexplained, layout.threads).size > 0) return true;
    let lasting: ReadonlySet<number> | undefined;
    const isUnexplained = (state: number): boolean => this.#unexplained.has(state);
    const isTransient = (state: number): boolean => {
      if (isUnexplained(state)) return false;
      lasting ??= this.#lastingUnderSC();
      const row = this.#table.get(state).subarray(0, layout.sequential);
      return !lasting.has(this.#reached.add(row).index);
    };
    return lastsOtherwise(this.#edges, layout.threads, { isUnexplained, isTransient });
  }

  #expand(index: number): void {
    const program = this.#program;
    const { observed } = program.layout;
    const state = this.#table.get(index);
    const taint = state[observed!.taint]!;
    const edges: Edge[] = [];
    const add = (next: Int32Array, thread: ThreadId, step: MonitorEvent | OldRead): void => {
      const isOldRead = step.kind === 'old-read';
      const isDoubtful = isOldRead || ((taint >> thread) & 1) === 1;
      // The location of a stuck thread is not stored in states, so differences in it go unnoticed.
      if (isDoubtful && next[program.layout.location[thread]!]! < 0)
        this.areLastingStatesOfSC = false;
      edges.push({
        ...{ to: this.#add(next, index, step), thread },
        oldCell: step.kind === 'old-read' ? step.stale.cell : undefined,
        writtenCell: step.kind === 'write' || step.kind === 'update' ? step.cell : undefined,
      });
    };
    program.visitSteps(state, {
      onState: (next, event) => {
        add(next, event.thread, event);
      },
      onStale: (stale) => {
        this.#takeOld(state, index, stale, add);
      },
      // An access that races may read any value.
      onRace: () => {
        this.#differs();
      },
      onFailure: (thread, assertion, event) => {
        // A thread that has noticed no read of an old store also fails the assertion in an
        // interleaving.
        if ((taint >> thread) & 1) this.#judge(index, event, thread, assertion);
      },
    });
    this.#edges.set(index, edges);
    if (taint !== 0) this.#unexplained.add(index);
  }

  #differs(): void {
    this.areLastingStatesOfSC = false;
    this.areAssertionsOfSC = false;
  }

  #takeOld(
    state: Int32Array,
    index: number,
    stale: StaleStep,
    add: (next: Int32Array, thread: ThreadId, step: OldRead) => void,
  ): void {
    const program = this.#program;
    const { thread, cell, kind } = stale;
    // The search does not follow two kinds of steps: a store placed directly after an old store,
    // and a read of an old plain store.
    if (kind !== 'read' || program.cells.isRacy[cell]) {
      this.#differs();
      return;
    }
    for (const value of stale.values) {
      const step: OldRead = { kind: 'old-read', stale, value };
      program.skip(
        state,
        stale,
        value,
        (next) => {
          next[program.layout.observed!.taint]! |= 1 << thread;
          add(next, thread, step);
        },
        (_, assertion) => {
          this.#judge(index, step, thread, assertion);
        },
      );
    }
  }

  /**
   * Adds a state, and returns the state's number. If an interleaving reaches the state, its set
   * `taint` (the threads that may have noticed a read of an old store) is made empty.
   */
  #add(state: Int32Array, parent: number, step: MonitorEvent | OldRead | undefined): number {
    const { layout } = this.#program;
    const { taint } = layout.observed!;
    if (this.#reached.has(state.subarray(0, layout.sequential))) state[taint] = 0;
    else {
      const isStore = step && step.kind !== 'old-read' && step.written !== undefined;
      // From here on, every thread may notice an effect that no interleaving has.
      if (isStore && (state[taint]! >> step.thread) & 1) state[taint] = -1;
    }
    const { index, isNew } = this.#table.add(state);
    if (isNew) {
      this.#parents.push(parent);
      this.#steps.push(step);
    }
    return index;
  }

  /** Asks the definitions whether C11 allows the execution in which the assertion fails. */
  #judge(
    index: number,
    step: MonitorEvent | OldRead | undefined,
    thread: ThreadId,
    assertion: TransitionId,
  ): void {
    if (isAmong(this.#failures, thread, assertion)) return;
    this.areAssertionsOfSC = false;
    if (this.failure || this.#candidates >= mostCandidates) return;
    this.#candidates += 1;
    const run: (MonitorEvent | OldRead)[] = step ? [step] : [];
    for (let at = index; at >= 0; at = this.#parents[at]!) {
      const before = this.#steps[at];
      if (before) run.push(before);
    }
    const observed = observedGraph(this.#program, this.#model, run.reverse(), thread);
    if (observed) this.failure = { thread, assertion, observed };
  }
}

/**
 * Compares the executions of C11 without load buffering with the interleavings, by lasting states
 * and by failing assertions. Both are found equal if, in states that no interleaving reaches, no
 * thread that has read an old store makes a store or stays for ever. Throws the exceptions of
 * steps.
 */
export async function observe(
  code: C11Code,
  model: C11Model,
  budget: Budget,
): Promise<ObservedEffects> {
  const interleavings = await searchInterleavings(code, model, budget);
  const { table, failures, incomplete } = interleavings;
  const [failure] = failures;
  const known = { areLastingStatesOfSC: false, areAssertionsOfSC: false, states: table.size };
  if (incomplete) return { ...known, ...(failure && { failure }), incomplete };
  const search = new ObservationSearch(code, model, interleavings);
  const stopped = await search.search(budget, hasAssertions(code.program) && !failure);
  budget.finishSearch(search.states, search.bytes);
  const states = table.size + search.states;
  const found = failure ?? search.failure;
  if (stopped) return { ...known, states, ...(found && { failure: found }), incomplete: stopped };
  const { areLastingStatesOfSC, areAssertionsOfSC } = search;
  return { areLastingStatesOfSC, areAssertionsOfSC, states, ...(found && { failure: found }) };
}
