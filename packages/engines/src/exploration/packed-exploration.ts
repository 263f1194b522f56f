import { at, wordAt } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { computeLiveRegisters, instructionAccess } from '@fencewright/model/analysis/liveness.js';
import { CellDirectory } from '../automata/cell-directory.js';
import { noOwnership, type CellOwnership } from '../automata/cell-ownership.js';
import { ThreadCode } from '../automata/local-closure.js';
import { ancestors, explainStep } from '@fencewright/ground/product/explain-step.js';
import {
  ProductSearch,
  type KernelChoice,
  type ProductState,
} from '@fencewright/ground/product/product-search.js';
import { type Outcome, outcomeSize, ProductTables } from '@fencewright/ground/product/tables.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { isCreated } from '@fencewright/model/program/is-created.js';
import { initialState, type FaultyStep } from '@fencewright/model/semantics/machine.js';
import { memoryModels, type MemoryModel } from '@fencewright/model/trace/memory-model.js';
import { compileProgram, type ProgramCode } from '@fencewright/model/semantics/thread-code.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import { liftExploredRun, type LiftedRun, type ThreadRun } from './lift-run.js';
import {
  MachineAutomaton,
  type AssertionFailure,
  type AutomatonNode,
  type TakenAction,
} from './machine-automaton.js';
import { MachineThread } from './machine-thread.js';
import type { Observation } from './observation.js';
import { unseenOwnership } from './observed-ownership.js';

/** The options of an exploration of a program's states. */
export interface PackedOptions {
  readonly model: MemoryModel;
  readonly observation: Observation;
  /**
   * The maximum number of stores in each buffer; unlimited by default. If stores are issued as late
   * as possible, the executions are some of those with such buffers, SC executions all among them.
   */
  readonly buffer?: number;
  /**
   * Whether cells accessed by a single thread are kept with the thread's registers, if the question
   * does not depend on the cells. Finding these cells takes an analysis of the program.
   */
  readonly ownsCells?: boolean;
  /**
   * Whether nodes record the addresses to which each thread has stored since an instruction last
   * drained its store buffer. Possible only under SC.
   */
  readonly tracksUnfenced?: boolean;
  /** The code that expands states, WebAssembly or TypeScript; `auto` by default. */
  readonly kernel?: KernelChoice;
}

/** A failed assertion, and the state before the failing step. */
interface FoundFailure {
  readonly thread: ThreadId;
  readonly from: number;
  readonly failure: AssertionFailure;
}

/** The facts about a thread at a node that tell whether the whole program has ended. */
interface NodeEnd {
  readonly hasStores: boolean;
  readonly isEnd: boolean;
  /**
   * Whether the thread is at its start, and another thread creates it. Memory tells whether it has
   * been created yet.
   */
  readonly waitsForCreation: boolean;
  /**
   * The location of the thread, its registers' values, and the values of its own cells, as one
   * string.
   */
  readonly locals: string;
}

/** The reason why an exploration ended; `endless`: a thread computes without end on its own. */
export type PackedEnd = 'complete' | 'endless' | 'done' | Exhaustion;

const statesPerCheckpoint = 2048;

/**
 * The number of states found before `visit` is called for the first time. The number is small, so
 * that searches for a state close to the start end soon.
 */
const statesOfFirstTurn = 64;

/**
 * The reachable states of a program, explored as a product of the threads' automata over the cells
 * of memory. States that the observation cannot distinguish may be merged.
 */
export class PackedExploration {
  readonly search: ProductSearch;
  readonly automata: readonly MachineAutomaton[];
  readonly cells: CellDirectory;
  readonly model: MemoryModel;
  readonly #code: ProgramCode;
  readonly #threads: readonly ThreadCode[];
  readonly #tables = new ProductTables();
  /**
   * The outcomes of actions that were asked for, by the offset of the list of outcomes in the
   * tables.
   */
  readonly #outcomes = new Map<number, readonly Outcome[]>();
  /** By thread and node. */
  readonly #ends: readonly NodeEnd[][];
  readonly #ownership: CellOwnership;
  readonly #failures: FoundFailure[] = [];
  readonly #begins: readonly ThreadRun[];
  readonly #initialMemory: MachineState['memory'];
  /**
   * Whether the exploration is expanding a state. If so, the faults and failures that automata
   * report are possible in this state.
   */
  #isRunning = true;

  constructor(program: Program, options: PackedOptions) {
    const { model, observation, buffer, tracksUnfenced = false, kernel } = options;
    const { ownsCells = true } = options;
    const { hasBuffers, isFifo } = memoryModels[model];
    const issuesLate = hasBuffers && isFifo && observation.issuesLate === true;
    const exact = hasBuffers && ((buffer !== undefined && !issuesLate) || observation.buffers);
    this.model = model;
    this.#code = compileProgram(program);
    this.#initialMemory = initialState(program).memory;
    // A thread that waits for the bus lock counts as having no step, even if no other thread would
    // notice its access.
    const sharesAll = !ownsCells || exact || tracksUnfenced || observation.stuck;
    this.#ownership = sharesAll
      ? noOwnership(program)
      : unseenOwnership(program, observation.memory);
    this.cells = new CellDirectory(program);
    this.#threads = program.threads.map((thread, id) => {
      const always = [...at(observation.threads, id).registers, ...at(observation.whenStuck, id)];
      const ends = at(observation.atEnds, id);
      const live = computeLiveRegisters(thread, instructionAccess, always, ends);
      return new ThreadCode(program, id, true, this.#ownership, live);
    });
    const seen = { ...observation, blocks: observation.blocks || exact };
    this.automata = this.#threads.map((code, thread) => {
      const own = new MachineThread(code, {
        model,
        capacity: hasBuffers ? (buffer ?? Number.POSITIVE_INFINITY) : 0,
        directInBlocks: !seen.blocks,
        issuesLate,
        tracksUnfenced,
      });
      return new MachineAutomaton(program, own, this.cells, seen, (failure) => {
        if (this.#isRunning) this.#failures.push({ thread, from: this.search.cursor, failure });
      });
    });
    this.#ends = this.automata.map(() => []);
    const automata = this.automata.map((automaton) => this.#tables.add(automaton));
    this.search = new ProductSearch(this.#tables, {
      automata,
      groups: [],
      ...(kernel && { kernel }),
    });
    const initial = this.automata.map((automaton) => automaton.initial());
    this.#begins = initial.map(({ path }, thread) => ({ thread, steps: path() }));
    this.search.add({ nodes: initial.map(({ node }) => node), values: [] }, -1);
    this.#isRunning = false;
  }

  /** The number of states found so far; states are numbered from 0. */
  get states(): number {
    return this.search.table.count;
  }

  get bytes(): number {
    const { table } = this.search;
    return this.automata.reduce((sum, { bytes }) => sum + bytes, table.bytes + this.#tables.bytes);
  }

  /** Whether a store was left out so far because its buffer was full. */
  get isCut(): boolean {
    return this.automata.some(({ isCut }) => isCut);
  }

  /** The largest number of stores in a buffer in any state found so far. */
  get longestBuffer(): number {
    return Math.max(...this.automata.map(({ longestBuffer }) => longestBuffer));
  }

  /** Whether an assertion was found to fail so far. */
  get hasFailed(): boolean {
    return this.#failures.length > 0;
  }

  /** The steps that ended in a fault so far. */
  get faults(): readonly FaultyStep[] {
    return this.#threads.flatMap(({ faults }) => [...faults.values()]);
  }

  /**
   * Explores the states. `visit` is called now and then with the number of states found, and
   * returns whether to go on. At the end the number of states is charged to the budget.
   */
  async explore(budget: Budget, visit: (states: number) => boolean): Promise<PackedEnd> {
    try {
      return await this.#explore(budget, visit);
    } finally {
      budget.finishSearch(this.states, this.bytes);
    }
  }

  async #explore(budget: Budget, visit: (states: number) => boolean): Promise<PackedEnd> {
    const { search } = this;
    const { table } = search;
    for (let turn = statesOfFirstTurn; ; turn = Math.min(2 * turn, statesPerCheckpoint)) {
      const growth = table.growthFor(statesPerCheckpoint);
      const exhaustion = await budget.checkpoint(table.count, this.bytes, growth);
      if (exhaustion) {
        visit(table.count);
        return exhaustion;
      }
      const room = Math.min(turn, budget.room(table.count));
      this.#isRunning = true;
      const result = search.run(table.count + room);
      this.#isRunning = false;
      if (this.automata.some(({ isEndless }) => isEndless)) return 'endless';
      if (!visit(table.count)) return 'done';
      if (result === 'done') return 'complete';
      if (result === 'full') return 'memory';
    }
  }

  nodeOf(state: number, thread: ThreadId): AutomatonNode {
    return at(this.automata, thread).node(this.search.node(state, thread));
  }

  /**
   * Returns the value at an address in a state; only for a cell that the exploration keeps in
   * memory.
   */
  valueAt(state: number, address: number): number {
    const cell = this.cells.cell(address);
    return this.cells.value(cell, this.search.value(state, cell));
  }

  /** Whether, in a state, all created threads have ended and all buffers are empty. */
  isFinal(state: number): boolean {
    for (let thread = 0; thread < this.automata.length; thread++) {
      if (this.#endAt(state, thread).hasStores) return false;
      if (!this.isGone(state, thread)) return false;
    }
    return true;
  }

  /** Whether a thread has ended, or has not been created, in a state. */
  isGone(state: number, thread: ThreadId): boolean {
    const { isEnd, waitsForCreation } = this.#endAt(state, thread);
    if (isEnd || !waitsForCreation) return isEnd;
    const own = at(this.#code.program.threads, thread);
    return !isCreated(own, own.initial, this.unpack(state).memory);
  }

  #endAt(state: number, thread: ThreadId): NodeEnd {
    const node = this.search.node(state, thread);
    const known = at(this.#ends, thread);
    return (known[node] ??= this.#endOf(thread, at(this.automata, thread).node(node)));
  }

  #endOf(thread: ThreadId, { kind, state }: AutomatonNode): NodeEnd {
    const { created, initial } = at(this.#code.program.threads, thread);
    return {
      hasStores: state.buffer.length > 0,
      isEnd: kind === 'end',
      waitsForCreation: created !== undefined && state.location === initial,
      locals: `${state.location},${state.registers.join()}`,
    };
  }

  /**
   * Returns a string: if the strings of two states are equal, the states have equal locations,
   * registers and memory. The strings of equal states differ if further cells were found between
   * the two calls.
   */
  valuationOf(state: number): string {
    let key = '';
    for (let thread = 0; thread < this.automata.length; thread++)
      key += `${this.#endAt(state, thread).locals}/`;
    for (const value of this.search.state(state).values) key += `${value} `;
    return key;
  }

  /**
   * Whether some thread has a step in a state whose successors have been explored. A faulting step
   * does not count; while a thread holds the bus lock, steps of other threads are ignored.
   */
  hasStep(state: number): boolean {
    const nodes = this.automata.map((_, thread) => this.search.node(state, thread));
    const isHeld = this.automata.some((one, thread) => one.isExclusive(at(nodes, thread)));
    return this.automata.some((automaton, thread) => {
      const node = at(nodes, thread);
      if (isHeld && !automaton.isExclusive(node)) return false;
      return automaton.actionCells(node).some((cell, action) => {
        const value = cell < 0 ? 0 : this.search.value(state, cell);
        const list = this.#tables.outcomes(thread, node, action, value);
        return wordAt(this.#tables.memory, list) > 0;
      });
    });
  }

  /** Returns the outcomes of a thread's action at a node for the given value of its cell. */
  outcomes(thread: ThreadId, { node, action, value }: TakenAction): readonly Outcome[] {
    const list = this.#tables.outcomes(thread, node, action, value);
    const known = this.#outcomes.get(list);
    if (known) return known;
    const { memory } = this.#tables;
    const found = Array.from({ length: wordAt(memory, list) }, (_, i) => {
      const entry = list + 1 + outcomeSize * i;
      return {
        value: wordAt(memory, entry),
        node: wordAt(memory, entry + 1),
        transient: wordAt(memory, entry + 2) === 1,
      };
    });
    this.#outcomes.set(list, found);
    return found;
  }

  /**
   * Converts a state of the exploration to a state of the machine. Registers and locations
   * irrelevant to the observation may differ from the registers and locations in every reachable
   * state of the machine.
   */
  unpack(state: number): MachineState {
    const { nodes, values } = this.search.state(state);
    const memory = new Map(this.#initialMemory);
    const put = (address: number, value: number): void => {
      if (value === 0) memory.delete(address);
      else memory.set(address, value);
    };
    values.forEach((value, cell) => {
      put(this.cells.address(cell), this.cells.value(cell, value));
    });
    const locals = nodes.map((node, thread) => at(this.automata, thread).node(node).state);
    const registers = locals.map((local, thread) => {
      const count = at(this.#code.program.threads, thread).registers.length;
      for (const [address, slot] of at(this.#ownership.owned, thread))
        put(address, at(local.registers, count + slot));
      return local.registers.slice(0, count);
    });
    const lockHolder = locals.findIndex(({ holdsLock }) => holdsLock);
    return {
      locations: locals.map(({ location }) => location),
      registers,
      memory,
      buffers: locals.map(({ buffer }) => buffer),
      ...(lockHolder >= 0 && { lockHolder }),
    };
  }

  /** Returns a computation of the machine that leads to the state. */
  runTo(state: number): LiftedRun {
    return this.#lift(this.#stepsTo(state));
  }

  /**
   * Returns the assertions found to fail, each with a computation of the machine whose last step
   * fails the assertion.
   */
  failures(): readonly {
    readonly thread: ThreadId;
    readonly transition: TransitionId;
    readonly run: LiftedRun;
  }[] {
    return this.#failures.map(({ thread, from, failure }) => {
      const { transition, behind, path } = failure;
      const before = behind
        ? [...this.#stepsTo(from), ...this.#stepsInBlock(from, thread, behind)]
        : [];
      const run = this.#lift([...before, { thread, steps: path }]);
      if (!run.failsAssertion) throw new InternalError('an assertion that holds in the machine');
      return { thread, transition, run };
    });
  }

  #lift(steps: readonly ThreadRun[]): LiftedRun {
    return liftExploredRun(
      this.model,
      this.#code,
      steps,
      (thread, address) => this.#ownership.owned[thread]?.has(address) === true,
    );
  }

  #stepsTo(state: number): readonly ThreadRun[] {
    const path = ancestors(this.search, state);
    const steps = [...this.#begins];
    for (let i = 1; i < path.length; i++) {
      const explained = explainStep(this.search, this.automata, [], at(path, i - 1), at(path, i));
      if (!explained) throw new InternalError('a state of an exploration without a step to it');
      for (const { component, outcome, ...taken } of explained.moves)
        steps.push({ thread: component, steps: this.#path(component, taken, outcome) });
    }
    return steps;
  }

  #path(thread: ThreadId, taken: TakenAction, outcome: number): ThreadRun['steps'] {
    const { nodes } = at(this.automata, thread).continuation(taken);
    return at(nodes, outcome).path();
  }

  /**
   * Finds the steps by which a thread gets from a state to the node of the target action, through
   * nodes inside lock blocks, whose states are not stored.
   */
  #stepsInBlock(from: number, thread: ThreadId, target: TakenAction): readonly ThreadRun[] {
    const automaton = at(this.automata, thread);
    const tried = new Set<string>();
    const search = (node: number, state: ProductState): ThreadRun[] | undefined => {
      const cell = automaton.actionCells(target.node)[target.action] ?? -1;
      const value = cell < 0 ? 0 : (state.values[cell] ?? 0);
      const isBlind = node === target.node && automaton.isBlind(node, target.action);
      if (node === target.node && (isBlind || value === target.value)) return [];
      const key = `${node}|${state.values.join()}`;
      if (tried.has(key)) return undefined;
      tried.add(key);
      for (const [action, own] of automaton.actionCells(node).entries()) {
        const old = own < 0 ? 0 : (state.values[own] ?? 0);
        const taken = { node, action, value: old };
        for (const [outcome, next] of automaton.outcomes(node, action, old).entries()) {
          if (!next.transient) continue;
          const values = [...state.values];
          while (values.length <= own) values.push(0);
          if (own >= 0) values[own] = next.value;
          const rest = search(next.node, { ...state, values });
          if (rest) return [{ thread, steps: this.#path(thread, taken, outcome) }, ...rest];
        }
      }
      return undefined;
    };
    const found = search(this.search.node(from, thread), this.search.state(from));
    if (!found) throw new InternalError('a failed assertion that no step leads to');
    return found;
  }
}
