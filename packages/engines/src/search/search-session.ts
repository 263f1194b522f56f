import type { ThreadId } from '@fencewright/model/program/ids.js';
import { hasKind } from '@fencewright/model/program/has-kind.js';
import type { Program } from '@fencewright/model/program/program.js';
import { ProductSearch, type KernelChoice } from '@fencewright/ground/product/product-search.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import {
  createProgramAutomata,
  type AutomataOptions,
  type ClassAutomata,
  type ProgramAutomata,
} from '../automata/program-automata.js';
import { SettledAttacks } from './settled-attacks.js';

/** The reductions of the search; none changes a verdict. */
export interface SearchReductions {
  /** Whether the nodes of threads with equal code are kept sorted; on by default. */
  readonly symmetry?: boolean;
  /** Whether dead registers are set to 0; on by default. */
  readonly maskDeadRegisters?: boolean;
  /**
   * Whether accesses to cells without accesses of other threads, and loads of cells without
   * writers, are local steps; on by default.
   */
  readonly ownedCells?: boolean;
  /**
   * Whether third phases remember the states, across attacks, from which no happens-before path can
   * be completed; on by default.
   */
  readonly shareDeadStates?: boolean;
  /**
   * Whether packed states are made as narrow as possible, so that their layout has to grow all the
   * time; off by default, for tests.
   */
  readonly tightLayout?: boolean;
  /** The code that expands states, WebAssembly or TypeScript; `auto` by default. */
  readonly kernel?: KernelChoice;
  /** The number of states of each phase in the first stage; 100 by default, fewer for tests. */
  readonly firstStage?: number;
  /**
   * The share of the work that searches with few running threads get, if `fewThreads` is on; a
   * quarter by default.
   */
  readonly fewThreadsShare?: FewThreadsShare;
}

/**
 * The stages: methods that settle attacks without a search, or with a smaller search. Switching a
 * stage off changes no verdict.
 */
export interface SearchStages {
  /**
   * Whether an attack is refuted without a search if control flow and addresses alone exclude a
   * happens-before path from its load to its store; on by default.
   */
  readonly staticPath?: boolean;
  /**
   * Whether attacks are refuted by closed sets of the local states that each thread can reach by
   * itself; on by default.
   */
  readonly localClosure?: boolean;
  /**
   * Whether attacks are refuted by closed relations between the local states of two threads; on by
   * default.
   */
  readonly pairClosure?: boolean;
  /** Whether attacks are first searched with only a few threads running; on by default. */
  readonly fewThreads?: boolean;
  /** Whether attacks are searched for by directed searches and write schedules; on by default. */
  readonly directed?: boolean;
  /**
   * The number of stored states after which the stages that take long have their first turn; 5,000
   * by default.
   */
  readonly stagesAfter?: number;
}

/**
 * The number of states that searches with few running threads may store, compared with the search
 * in which all threads run.
 */
export interface FewThreadsShare {
  /**
   * The number of states searched with few threads per state of the search of the whole program; 0
   * for none.
   */
  readonly share: number;
  /**
   * The stage of the search of the whole program in which searches with few running threads begin.
   * Stages are counted from 0.
   */
  readonly fromStage: number;
}

/** The number of threads from which on a program has many threads. */
const manyThreads = 7;

/**
 * Returns the default share of searches with few threads. Because of `fromStage`, programs of no
 * more than some thousand states are not searched twice. If the program has many threads, one turn
 * of all attackers already stores so many states, so searches with few threads begin in an earlier
 * stage.
 */
function defaultShare({ threads }: Program): FewThreadsShare {
  return { share: 1 / 4, fromStage: threads.length < manyThreads ? 4 : 2 };
}

/** The attacks that a search has to decide, with the reductions and stages that it uses. */
export interface SearchOptions extends SearchReductions, SearchStages {
  /** The happens-before relation whose cycles count; `standard` by default. */
  readonly happensBefore?: HappensBefore;
  /**
   * The only attack to be decided, given for the first of the threads with equal code. If absent,
   * all attacks are decided.
   */
  readonly only?: Attack;
  /**
   * The maximum number of delays of an attack; `ownedCells` must be off, since all stores count.
   */
  readonly maxDelays?: number;
}

/** Returns the threads other than the attacker, in groups of equal code. */
export function helperGroups(
  groups: readonly (readonly number[])[],
  attacker: ThreadId,
): readonly (readonly number[])[] {
  return groups
    .map((members) => members.filter((member) => member !== attacker))
    .filter((members) => members.length > 1);
}

/**
 * Returns the groups of two or more helpers with equal code, by positions in states of the third
 * phase. These states leave the attacker out, so threads after the attacker move down by one
 * position.
 */
export function lastPhaseGroups(
  groups: readonly (readonly number[])[],
  attacker: ThreadId,
): readonly (readonly number[])[] {
  return helperGroups(groups, attacker).map((members) =>
    members.map((member) => (member > attacker ? member - 1 : member)),
  );
}

/**
 * The data shared by all searches for attacks on one program. Searches that try repairs share the
 * data, too: added fences and locked stores change neither the SC states nor the steps of helpers.
 */
export class SearchSession {
  readonly automata: ProgramAutomata;
  /** The first phase of the search: the SC states, as far as they have been explored. */
  readonly sequential: ProductSearch;
  /**
   * The initial states of the first phase, each with the node of every thread. In `sequential`, the
   * initial state with index `k` has the parent `-1 - k`.
   */
  readonly initial: (readonly number[])[] = [];
  /** By thread, the number of the thread's first-phase automaton in the tables. */
  readonly sequentialNumbers: readonly number[];
  /** By thread, the number of its automaton as a helper in the second phase, in the tables. */
  readonly delayedNumbers: readonly number[];
  /**
   * The groups of two or more running threads with equal code. A thread's id is also the thread's
   * position in states of the first phase.
   */
  readonly groups: readonly (readonly number[])[];
  readonly reductions: Required<SearchReductions>;
  readonly stages: Required<SearchStages>;
  /** The attacks of the program that were refuted without a search. */
  readonly settled: SettledAttacks;
  readonly happensBefore: HappensBefore;
  readonly #maxDelays: number | undefined;
  /** The only attack to be decided; if absent, the searches decide all attacks. */
  readonly only: Attack | undefined;
  /** The threads whose code takes the bus lock. */
  readonly #lockers: readonly ThreadId[];
  /** By thread, the first thread with the same code. */
  readonly #representatives: ThreadId[] = [];
  readonly #lastPhases = new Map<ThreadId, ProductSearch>();
  /**
   * By thread, whether the thread runs in this session; otherwise the thread stays at the start.
   */
  readonly #isActive: readonly boolean[];

  /**
   * Creates the session of a program; with `part`, only the threads of the part run, with the
   * automata of the whole program.
   */
  constructor(
    readonly program: Program,
    options: SearchOptions,
    part?: Pick<SearchSession, 'automata' | 'settled'> & { readonly active: readonly ThreadId[] },
  ) {
    const { symmetry = true, maskDeadRegisters = true, ownedCells = true } = options;
    const { shareDeadStates = true, tightLayout = false, kernel = 'auto' } = options;
    const { firstStage = 100, fewThreadsShare = defaultShare(program) } = options;
    this.happensBefore = options.happensBefore ?? 'standard';
    this.only = options.only;
    this.#maxDelays = options.maxDelays;
    this.reductions = {
      symmetry,
      maskDeadRegisters,
      ownedCells,
      shareDeadStates,
      tightLayout,
      kernel,
      firstStage,
      fewThreadsShare,
    };
    const { staticPath = true, localClosure = true, pairClosure = true } = options;
    const { fewThreads = true, directed = true, stagesAfter = 5000 } = options;
    this.stages = { staticPath, localClosure, pairClosure, fewThreads, directed, stagesAfter };
    this.settled = part?.settled ?? new SettledAttacks(program, staticPath);
    this.automata = part?.automata ?? createProgramAutomata(program, this.automataOptions);
    this.#isActive = program.threads.map((_, t) => part?.active.includes(t) ?? true);
    const { threads, classes, valueTables, idle } = this.automata;
    for (const members of classes)
      for (const member of members) this.#representatives[member] = members[0] ?? member;
    this.groups = classes
      .map((members) => members.filter((member) => this.isActive(member)))
      .filter((members) => members.length > 1);
    this.#lockers = program.threads.flatMap((thread, t) => (hasKind([thread], 'lock') ? [t] : []));
    const numbered = (number: (own: ClassAutomata) => number): readonly number[] =>
      threads.map((own, t) => (this.isActive(t) ? number(own) : idle.value));
    this.sequentialNumbers = numbered(({ sequentialNumber }) => sequentialNumber);
    this.delayedNumbers = numbered(({ delayedNumber }) => delayedNumber);
    this.sequential = new ProductSearch(valueTables, {
      automata: this.sequentialNumbers,
      groups: this.groups,
      tightLayout,
      kernel,
    });
  }

  /** The options of the automata of the search, for making further automata with equal options. */
  get automataOptions(): AutomataOptions {
    const maxDelays = this.#maxDelays;
    const limit = maxDelays !== undefined && { maxDelays };
    return { ...this.reductions, happensBefore: this.happensBefore, ...limit };
  }

  /**
   * Returns a session for a part of the program: only `active` threads run, all others stay at
   * their start. Every run and every attack of the part is a run or attack of the program.
   */
  among(active: readonly ThreadId[]): SearchSession {
    const { program, automata, settled, reductions, stages, happensBefore, only } = this;
    const options = { ...reductions, ...stages, happensBefore, ...(only && { only }) };
    return new SearchSession(program, options, { automata, settled, active });
  }

  /** Whether a thread runs in this session; otherwise the thread stays at the start. */
  isActive(thread: ThreadId): boolean {
    return this.#isActive[thread] === true;
  }

  /** The number of bytes of the first and third phases and of all automata. */
  get bytes(): number {
    return this.ownBytes + this.automata.bytes();
  }

  /** The number of bytes of the first and third phases. */
  get ownBytes(): number {
    let bytes = this.sequential.table.bytes;
    for (const search of this.#lastPhases.values()) bytes += search.table.bytes;
    return bytes;
  }

  /**
   * Returns the third phase of an attacker; between searches, its table contains only states from
   * which no happens-before path can be completed.
   */
  lastPhase(attacker: ThreadId): ProductSearch {
    const known = this.#lastPhases.get(attacker);
    if (known) return known;
    const { threads, markTables, idle } = this.automata;
    const search = new ProductSearch(markTables, {
      automata: threads.flatMap(({ pathNumber }, t) =>
        t === attacker ? [] : [this.isActive(t) ? pathNumber : idle.mark],
      ),
      groups: lastPhaseGroups(this.groups, attacker),
      tightLayout: this.reductions.tightLayout,
      kernel: this.reductions.kernel,
    });
    this.#lastPhases.set(attacker, search);
    return search;
  }

  /**
   * Whether a thread other than `except` holds the bus lock in a state of the first or second
   * phase.
   */
  isLocked(search: ProductSearch, state: number, except?: ThreadId): boolean {
    const { threads } = this.automata;
    if (this.#lockers.length === 0) return false;
    return this.#lockers.some(
      (t) => t !== except && threads[t]?.sequential.isExclusive(search.node(state, t)) === true,
    );
  }

  /** Whether the search has to decide an attack: all attacks, or only the one in `only`. */
  isWanted({ thread, store, load }: Attack): boolean {
    const { only } = this;
    return !only || (only.thread === thread && only.store === store && only.load === load);
  }

  /**
   * Returns the first thread with the code of `thread`. All threads with this code have equal
   * attacks.
   */
  representative(thread: ThreadId): ThreadId {
    return this.#representatives[thread] ?? thread;
  }

  /** Adds the initial states of the first phase, on the first call. */
  start(): void {
    if (this.initial.length > 0) return;
    let combinations: number[][] = [[]];
    this.automata.threads.forEach(({ sequential }, t) => {
      const nodes = this.isActive(t) ? sequential.initialNodes().map(({ node }) => node) : [0];
      combinations = combinations.flatMap((rest) => nodes.map((node) => [...rest, node]));
    });
    for (const nodes of combinations) {
      this.initial.push(nodes);
      this.sequential.add({ nodes, values: [] }, -this.initial.length);
    }
  }
}
