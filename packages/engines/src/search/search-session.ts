import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { ProductSearch, type KernelChoice } from '@fencewright/ground/product/product-search.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import {
  createProgramAutomata,
  type AutomataOptions,
  type ProgramAutomata,
} from '../automata/program-automata.js';
import { SettledAttacks } from './settled-attacks.js';

/** The reductions of the search; none changes a verdict. */
export interface SearchReductions {
  /** Keep the nodes of threads with the same code sorted; on by default. */
  readonly symmetry?: boolean;
  /** Set dead registers to 0; on by default. */
  readonly maskDeadRegisters?: boolean;
  /**
   * Take accesses to cells that no other thread accesses, and loads of cells that nobody writes,
   * for local steps; on by default.
   */
  readonly ownedCells?: boolean;
  /** Remember dead states of the last phase across attacks; on by default. */
  readonly shareDeadStates?: boolean;
  /**
   * Make packed layouts as narrow as possible, so that they have to grow all the time; off by
   * default, for tests.
   */
  readonly tightLayout?: boolean;
  /** What expands states; `auto` by default. */
  readonly kernel?: KernelChoice;
  /** States of each phase in the first stage; 100 by default, fewer for tests. */
  readonly firstStage?: number;
  /** How much to search with few threads only, where that is done; a quarter by default. */
  readonly fewThreadsShare?: FewThreadsShare;
}

/** What settles attacks without a search, or with a smaller one; none changes a verdict. */
export interface SearchStages {
  /** Leave out attacks for which addresses give no happens-before path; on by default. */
  readonly staticPath?: boolean;
  /** Refute attacks by closures of threads, each by itself; on by default. */
  readonly localClosure?: boolean;
  /** Refute attacks by closures of threads in pairs; on by default. */
  readonly pairClosure?: boolean;
  /** Search with few active threads first; on by default. */
  readonly fewThreads?: boolean;
  /** Stored states after which the stages that are not free have their turn; 5,000 by default. */
  readonly stagesAfter?: number;
}

/** How much of a search goes into searches in which only few threads run. */
export interface FewThreadsShare {
  /** Their states, for each state that the search of the whole program takes; 0 for none. */
  readonly share: number;
  /** From this stage on, counted from 0. */
  readonly fromStage: number;
}

/** Programs that need no more than some thousand states are not searched twice. */
const defaultShare: FewThreadsShare = { share: 1 / 4, fromStage: 4 };

/** What is searched for, and how. */
export interface SearchOptions extends SearchReductions, SearchStages {
  /** Whose cycles count; `standard` by default. */
  readonly happensBefore?: HappensBefore;
  /** The only attack to be decided, of a thread that stands for its class; all where absent. */
  readonly only?: Attack;
}

/** The groups of threads with the same code without the attacker. */
export function helperGroups(
  groups: readonly (readonly number[])[],
  attacker: ThreadId,
): readonly (readonly number[])[] {
  return groups
    .map((members) => members.filter((member) => member !== attacker))
    .filter((members) => members.length > 1);
}

/** The same groups by the places that helpers have when the attacker is left out. */
export function lastPhaseGroups(
  groups: readonly (readonly number[])[],
  attacker: ThreadId,
): readonly (readonly number[])[] {
  return helperGroups(groups, attacker).map((members) =>
    members.map((member) => (member > attacker ? member - 1 : member)),
  );
}

/**
 * What all searches for attacks on one program share, whatever repairs they try: fences and locked
 * stores make no difference under SC, nor for helpers.
 */
export class SearchSession {
  readonly automata: ProgramAutomata;
  /** The first phase: the SC states, as far as they have been explored. */
  readonly sequential: ProductSearch;
  /** The initial states of the first phase; the parent of the `k`-th is `-1 - k`. */
  readonly initial: (readonly number[])[] = [];
  /** Indexed by thread: the automata of the first phase, by their numbers. */
  readonly sequentialNumbers: readonly number[];
  /** Places of threads with the same code. */
  readonly groups: readonly (readonly number[])[];
  readonly reductions: Required<SearchReductions>;
  readonly stages: Required<SearchStages>;
  /** The attacks that need no search. */
  readonly settled: SettledAttacks;
  readonly happensBefore: HappensBefore;
  /** The only attack to be decided; all where absent. */
  readonly only: Attack | undefined;
  /** The threads that take the bus lock at all. */
  readonly #lockers: readonly ThreadId[];
  /** Indexed by thread. */
  readonly #representatives: ThreadId[] = [];
  readonly #lastPhases = new Map<ThreadId, ProductSearch>();
  /** Indexed by thread: whether it runs at all. */
  readonly #isActive: readonly boolean[];

  /** With `part`, only its threads run, with the automata of the whole program. */
  constructor(
    readonly program: Program,
    options: SearchOptions,
    part?: Pick<SearchSession, 'automata' | 'settled'> & { readonly active: readonly ThreadId[] },
  ) {
    const { symmetry = true, maskDeadRegisters = true, ownedCells = true } = options;
    const { shareDeadStates = true, tightLayout = false, kernel = 'auto' } = options;
    const { firstStage = 100, fewThreadsShare = defaultShare } = options;
    this.happensBefore = options.happensBefore ?? 'standard';
    this.only = options.only;
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
    const { fewThreads = true, stagesAfter = 5000 } = options;
    this.stages = { staticPath, localClosure, pairClosure, fewThreads, stagesAfter };
    this.settled = part?.settled ?? new SettledAttacks(program, staticPath);
    this.automata = part?.automata ?? createProgramAutomata(program, this.automataOptions);
    this.#isActive = program.threads.map((_, t) => part?.active.includes(t) ?? true);
    const { threads, classes, valueTables, idle } = this.automata;
    for (const members of classes)
      for (const member of members) this.#representatives[member] = members[0] ?? member;
    this.groups = classes
      .map((members) => members.filter((member) => this.isActive(member)))
      .filter((members) => members.length > 1);
    this.#lockers = program.threads.flatMap(({ transitions }, t) =>
      transitions.some(({ instruction }) => instruction.kind === 'lock') ? [t] : [],
    );
    this.sequentialNumbers = threads.map(({ sequentialNumber }, t) =>
      this.isActive(t) ? sequentialNumber : idle.value,
    );
    this.sequential = new ProductSearch(valueTables, {
      automata: this.sequentialNumbers,
      groups: this.groups,
      tightLayout,
      kernel,
    });
  }

  /** What the automata of the search were made with; others are made so as well. */
  get automataOptions(): AutomataOptions {
    return { ...this.reductions, happensBefore: this.happensBefore };
  }

  /**
   * The search of a part of the program: only `active` threads run, the others stay where they
   * begin. Its runs are runs of the program, and so is every attack of it one of the program.
   */
  among(active: readonly ThreadId[]): SearchSession {
    const { program, automata, settled, reductions, stages, happensBefore, only } = this;
    const options = { ...reductions, ...stages, happensBefore, ...(only && { only }) };
    return new SearchSession(program, options, { automata, settled, active });
  }

  /** Whether a thread runs, rather than staying where it begins. */
  isActive(thread: ThreadId): boolean {
    return this.#isActive[thread] === true;
  }

  /** Bytes of the first and third phases and of all automata. */
  get bytes(): number {
    return this.ownBytes + this.automata.bytes();
  }

  /** Bytes of the first and third phases. */
  get ownBytes(): number {
    let bytes = this.sequential.table.bytes;
    for (const search of this.#lastPhases.values()) bytes += search.table.bytes;
    return bytes;
  }

  /** The third phase with this attacker; between searches, its table holds dead states only. */
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

  /** Whether an attack is to be decided at all. */
  isWanted({ thread, store, load }: Attack): boolean {
    const { only } = this;
    return !only || (only.thread === thread && only.store === store && only.load === load);
  }

  /** The first thread with the code of `thread`. */
  representative(thread: ThreadId): ThreadId {
    return this.#representatives[thread] ?? thread;
  }

  /** Adds the initial states, if that has not been done. May throw `EndlessComputation`. */
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
