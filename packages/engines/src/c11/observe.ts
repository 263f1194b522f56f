import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { C11Code } from './c11-steps.js';
import { type Edge, lastingStates, lastsOtherwise } from './lasting.js';
import { MonitoredProgram, type MonitorEvent, type StaleStep } from './monitor-steps.js';
import { type ObservedGraph, observedGraph, type OldRead } from './observed-graph.js';
import { RowTable } from '@fencewright/ground/base/row-table.js';

const checkEvery = 1024;

/** The maximum number of executions with reads of old stores that the definitions judge. */
const mostCandidates = 200;

/** An assertion that fails in an execution of C11. */
export interface ObservedFailure {
  readonly thread: ThreadId;
  readonly assertion: TransitionId;
  /** The execution; absent if it is an interleaving. */
  readonly observed?: ObservedGraph;
}

/** The effects of C11's executions without load buffering, compared with the interleavings. */
export interface ObservedEffects {
  /**
   * Whether every lasting state of C11 is one of an interleaving, by memory, registers that the
   * code keeps, and places.
   * A state lasts if each thread has ended, waits for ever, or goes round for ever.
   */
  readonly areLastingStatesOfSC: boolean;
  /** Whether every assertion that fails also fails in some interleaving. */
  readonly areAssertionsOfSC: boolean;
  readonly failure?: ObservedFailure;
  readonly states: number;
  readonly incomplete?: Exhaustion;
}

/** Whether the program has assertions. */
export function hasAssertions({ threads }: Program): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => instruction.kind === 'assert'),
  );
}

function isAmong(
  failures: readonly ObservedFailure[],
  thread: ThreadId,
  assertion: TransitionId,
): boolean {
  return failures.some((one) => one.thread === thread && one.assertion === assertion);
}

/** The states of all interleavings, without the monitor. Throws the exceptions of steps. */
async function searchInterleavings(
  code: C11Code,
  model: C11Model,
  budget: Budget,
): Promise<{
  readonly table: RowTable;
  /** The assertions that fail. */
  readonly failures: readonly ObservedFailure[];
  /** Returns the states that last. */
  readonly lasting: () => ReadonlySet<number>;
  readonly incomplete?: Exhaustion;
}> {
  const program = new MonitoredProgram(code, model, { purpose: 'interleavings' });
  const { sequential } = program.layout;
  const [table, whole] = [new RowTable(sequential), new RowTable(program.layout.length)];
  const failures: ObservedFailure[] = [];
  let incomplete: Exhaustion | undefined;
  const onState = (state: Int32Array): void => {
    if (table.add(state.subarray(0, sequential)).isNew) whole.add(state);
  };
  const onFailure = (thread: ThreadId, assertion: TransitionId): void => {
    if (!isAmong(failures, thread, assertion)) failures.push({ thread, assertion });
  };
  const visitor = { onState, onFailure, onStale: () => undefined, onRace: () => undefined };
  program.initial(onState, onFailure);
  for (let index = 0; index < whole.size; index++) {
    if (index % checkEvery === 0)
      incomplete = await budget.checkpoint(whole.size, table.bytes + whole.bytes);
    else if (budget.isDue())
      incomplete = await budget.breathe(whole.size, table.bytes + whole.bytes);
    if (incomplete) break;
    program.visitSteps(whole.get(index), visitor);
  }
  budget.finishSearch(whole.size, table.bytes);
  const lasting = (): ReadonlySet<number> => {
    const edges = new Map<number, readonly Edge[]>();
    for (let index = 0; index < whole.size; index++) {
      const own: Edge[] = [];
      const add = (next: Int32Array, { thread }: MonitorEvent): void => {
        own.push({ to: table.add(next.subarray(0, sequential)).index, thread });
      };
      program.visitSteps(whole.get(index), { ...visitor, onState: add });
      edges.set(index, own);
    }
    return lastingStates(edges, program.layout.threads);
  };
  return { table, failures, lasting, ...(incomplete && { incomplete }) };
}

/** Searches the executions that consist of interleavings and reads of old stores. */
class ObservationSearch {
  readonly #program: MonitoredProgram;
  readonly #model: C11Model;
  readonly #reached: RowTable;
  /** The assertions that fail in interleavings. */
  readonly #failures: readonly ObservedFailure[];
  readonly #table: RowTable;
  readonly #parents: number[] = [];
  readonly #steps: (MonitorEvent | OldRead | undefined)[] = [];
  readonly #lastingUnderSC: () => ReadonlySet<number>;
  readonly #edges = new Map<number, readonly Edge[]>();
  /** The states that no interleaving reaches. */
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
   * With `asksFailure`, the search goes on until an execution fails an assertion, even if both
   * answers are already `false`. Returns the exhausted limit, if any.
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
      else if (budget.isDue()) incomplete = await budget.breathe(this.states, this.bytes);
      if (incomplete) return incomplete;
      this.#expand(index);
    }
    if (this.areLastingStatesOfSC && this.#doOthersLast()) this.areLastingStatesOfSC = false;
    return undefined;
  }

  /**
   * Whether an execution of C11 can stay for ever in states in which no interleaving can stay for
   * ever.
   */
  #doOthersLast(): boolean {
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
      // States do not have the place of a stuck thread, so a stuck thread may differ unnoticed.
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
    // The search follows no store that is placed behind an old store, and no read of an old plain
    // store.
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
   * Adds a state, and returns its number. In a state that an interleaving reaches, the set of
   * threads that may have noticed an old read becomes empty (`taint`).
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
 * Compares the executions of C11 without load buffering with the interleavings: the lasting states,
 * and the assertions that fail. Both are those of SC if, in states that no interleaving reaches, no
 * thread that has read an old store stores or stays. Throws the exceptions of steps.
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
