import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { type InstantiatedProgram, instantiate } from '@fencewright/model/program/instantiate.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Invariant, Program } from '@fencewright/model/program/program.js';
import {
  exploreMachine,
  machineStateKey,
  type MachineExploration,
  type ReachedState,
} from '@fencewright/model/semantics/explore-machine.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { brokenInSample, toSampledState } from '../invariants/sampled-state.js';
import { spellOutAbstractions } from '../abstractions/spell-out-abstractions.js';
import { withoutAbstractions } from '../abstractions/without-abstractions.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type {
  Conclusion,
  Confrontation,
  SearchedInstance,
  SearchExtent,
} from '@fencewright/model/verdict/prove-result.js';
import type { CycleEdge } from '@fencewright/model/verdict/verdict.js';
import type { RobustnessSearch } from './find-violation.js';

/**
 * The number of states that each search for behaviour excluded by the proof may visit; a proof is
 * confronted whatever limits apply to further searches.
 */
const maxStates = 2000;

/** The maximum number of copies of an unbounded thread in a searched instance. */
const mostCopies = 3;

/**
 * The maximum number of stores in a buffer in a search. With larger buffers TSO reaches more
 * states; whatever a search with this size finds remains reachable.
 */
const buffer = 2;

/** The claim that a proof makes about a program. */
export interface ProofClaim {
  /** The program as given by the user, without inferred abstractions. */
  readonly original: Templates;
  /** The program that the proof is about: the given program with the inferred abstractions. */
  readonly program: ProofProgram;
  /** The conclusion of the proof; absent if the proof claims only invariants. */
  readonly conclusion?: Conclusion;
  /** The invariants that the proof claims to be inductive. */
  readonly invariants: readonly Invariant[];
}

/**
 * An execution of an instance that a proof excludes: evidence that the proof, or the search, is
 * wrong.
 */
interface ProofRefutation {
  readonly instance: Program;
  readonly computation: Computation;
  readonly cycle: readonly CycleEdge[];
  /** The reason why the execution refutes the proof, in words for the user. */
  readonly because: string;
}

/**
 * Searches the program, or its instances with up to three copies, for behaviour that the proof
 * excludes, by means independent of the proof: the machines of `semantics` and the search for
 * attacks. Finding no such behaviour proves nothing; finding some shows that the proof, or the
 * search, is wrong.
 */
export async function confrontProof(
  claim: ProofClaim,
  limits: Limits,
  search: RobustnessSearch,
): Promise<Confrontation | ProofRefutation> {
  const budget = new Budget(limits);
  const instances: SearchedInstance[] = [];
  const most = claim.original.unbounded.length === 0 ? 1 : mostCopies;
  for (let copies = 1; copies <= most; copies++) {
    const found = await new InstanceSearch(claim, copies, budget, search).run();
    if ('because' in found) return found;
    instances.push(claim.original.unbounded.length === 0 ? found : { copies, ...found });
  }
  return { maxStates, instances };
}

/** The searches of one instance for executions that refute a proof, within one budget of states. */
class InstanceSearch {
  readonly #claim: ProofClaim;
  readonly #copies: number;
  readonly #budget: Budget;
  readonly #search: RobustnessSearch;
  #states = 0;

  constructor(claim: ProofClaim, copies: number, budget: Budget, search: RobustnessSearch) {
    this.#claim = claim;
    this.#copies = copies;
    this.#budget = budget;
    this.#search = search;
  }

  async run(): Promise<SearchedInstance | ProofRefutation> {
    const { conclusion, invariants } = this.#claim;
    const violation = conclusion?.kind === 'robust' ? await this.#violation() : undefined;
    if (typeof violation === 'object') return violation;
    const sequential = await this.#sequential();
    if ('because' in sequential) return sequential;
    const tsoStates = conclusion && (await this.#total(sequential));
    if (typeof tsoStates === 'object') return tsoStates;
    return {
      states: this.#states,
      ...(violation && { violation }),
      ...(tsoStates && { tsoStates }),
      ...(invariants.length > 0 && { invariants: sequential.extent }),
    };
  }

  #instance(open: Templates): InstantiatedProgram {
    const counts = open.templates.threads.map(() => this.#copies);
    return instantiate(open, counts, { low: 0, high: this.#copies });
  }

  /**
   * Returns the function that gives keys to states of TSO; states with equal keys are treated as
   * equal. If the proof claims robustness, the keys include registers; otherwise memory only.
   */
  get #keyOf(): (state: MachineState) => string {
    if (this.#claim.conclusion?.kind === 'robust') return machineStateKey;
    return ({ memory }) => [...memory].sort(([a], [b]) => a - b).join(' ');
  }

  /** Searches for a cycle of the happens-before relation that was proved acyclic. */
  async #violation(): Promise<SearchExtent | ProofRefutation> {
    const { conclusion, original } = this.#claim;
    const happensBefore = conclusion?.kind === 'robust' ? conclusion.happensBefore : 'standard';
    const { program } = this.#instance(original);
    const limits = this.#budget.part(maxStates).share(1);
    const { verdict, statistics } = await this.#search(program, { happensBefore, limits });
    this.#states += statistics.states;
    if (verdict.kind === 'robust') return 'all';
    if (verdict.kind !== 'not-robust') return 'some';
    const { computation, cycle } = verdict.witness;
    const because = `the execution has a cycle of happens-before (${happensBefore})`;
    return { instance: program, computation, cycle, because };
  }

  /**
   * Returns the SC states in which nobody has the bus lock, and checks the invariants in these
   * states.
   */
  async #sequential(): Promise<SequentialStates | ProofRefutation> {
    const { program } = this.#claim;
    const guesses = { low: -1, high: this.#copies };
    const { open, isExact } = spellOutAbstractions(program, guesses);
    const instance = this.#instance(open);
    const keys = new Set<string>();
    const keyOf = this.#keyOf;
    let broken: ProofRefutation | undefined;
    const explored = await this.#explore('SC', instance.program, (reached) => {
      keys.add(keyOf(reached.state));
      broken ??= this.#breaks(instance, reached, 'SC');
      return broken !== undefined;
    });
    if (broken) return broken;
    const isAbstract = this.#claim.conclusion?.kind === 'abstraction';
    return {
      keys,
      extent: extentOf(explored),
      // Where the condition of a guess (a load that may return any value its condition allows)
      // faults, the guess may admit the loaded value, so SC states may be missing.
      isComparable: isExact && !explored.incomplete && !(isAbstract && explored.faults.length > 0),
    };
  }

  /**
   * Searches for a state that TSO reaches with empty buffers but SC does not reach; `none` if the
   * search for SC states was incomplete.
   */
  async #total({
    keys,
    isComparable,
  }: SequentialStates): Promise<SearchExtent | 'none' | ProofRefutation> {
    if (!isComparable) return 'none';
    const { original, conclusion } = this.#claim;
    const instance = this.#instance(withoutAbstractions(original));
    const keyOf = this.#keyOf;
    let found: ProofRefutation | undefined;
    const explored = await this.#explore('TSO', instance.program, (reached) => {
      if (reached.state.buffers.some(({ length }) => length > 0)) return false;
      if (!keys.has(keyOf(reached.state)))
        found ??= {
          ...whereTo(instance, reached),
          because: 'the execution ends with empty store buffers in a state that SC does not reach',
        };
      else if (conclusion?.kind === 'robust') found ??= this.#breaks(instance, reached, 'TSO');
      return found !== undefined;
    });
    return found ?? extentOf(explored);
  }

  #breaks(
    instance: InstantiatedProgram,
    reached: ReachedState,
    model: 'SC' | 'TSO',
  ): ProofRefutation | undefined {
    const { program, invariants } = this.#claim;
    const state = toSampledState(program, instance, reached.state);
    const broken = state && invariants.find((each) => brokenInSample(program, each, state));
    if (!broken) return undefined;
    const because = `${model} reaches a state in which the invariant ${broken.name} is false`;
    return { ...whereTo(instance, reached), because };
  }

  /** Explores the states in which nobody has the bus lock, until `visit` returns true. */
  async #explore(
    model: 'SC' | 'TSO',
    program: Program,
    visit: (reached: ReachedState) => boolean,
  ): Promise<MachineExploration> {
    let isDone = false;
    const explored = await exploreMachine(
      model,
      program,
      this.#budget.part(maxStates),
      {
        onState: (reached) => {
          if (!isDone && reached.state.lockHolder === undefined) isDone = visit(reached);
        },
        onFailedAssertion: () => undefined,
        isDone: () => isDone,
      },
      { buffer },
    );
    this.#states += explored.states;
    return explored;
  }
}

interface SequentialStates {
  readonly keys: ReadonlySet<string>;
  readonly extent: SearchExtent;
  /**
   * Whether the search found all SC states. If so, a state missing from `keys` is unreachable under
   * SC.
   */
  readonly isComparable: boolean;
}

function extentOf({ incomplete, isBounded }: MachineExploration): SearchExtent {
  return incomplete || isBounded ? 'some' : 'all';
}

function whereTo(
  { program }: InstantiatedProgram,
  { computation }: ReachedState,
): Pick<ProofRefutation, 'instance' | 'computation' | 'cycle'> {
  return { instance: program, computation: computation(), cycle: [] };
}
