import type { C11Result } from './c11-result.js';
import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Computation } from '../trace/computation.js';
import type { Admitted, HappensBefore, RelationName } from '../trace/trace.js';
import type { Attack, AttackStage, DecidedAttack } from './attack.js';
import type { RaceFindings } from './data-race.js';
import type { DeadlockFindings } from './hang.js';
import type { AnsweredInstances, StateAnswer, TemplateCount } from './state-answer.js';
import type { UnknownReason } from './unknown-reason.js';

export type { TemplateCount, UnknownReason };

/**
 * An edge of a happens-before cycle between two actions, or between two accesses of a lock block,
 * as indices into the computation; an issue and its store are one node, named by the issue.
 */
export interface CycleEdge {
  readonly from: number;
  readonly to: number;
  readonly relation: RelationName;
}

/**
 * A replayed TSO computation of the program whose happens-before relation is cyclic, with a
 * shortest cycle.
 */
export interface Witness {
  readonly attack: Attack;
  /**
   * The delays of further threads, if no single thread's delays are enough; then `attack` is not
   * feasible by itself. Only for programs with heavy fences.
   */
  readonly others?: readonly Attack[];
  readonly computation: Computation;
  readonly cycle: readonly CycleEdge[];
  /**
   * `true` if no violation of the program has fewer delays (`countDelays`), `false` if it is
   * unknown whether one has; absent if the question did not ask for the fewest delays.
   */
  readonly isMinimal?: boolean;
  /**
   * For the notion `value`: by position in the computation of a load of a read abstraction (a load
   * and a `havoc` on its value), the values that the load could have read; absent if there is no
   * such load.
   */
  readonly admitted?: readonly (readonly [place: number, values: Admitted])[];
}

/** The cause of a missing answer: the program, or a tool that cannot decide the program. */
export type ErrorCause = 'program' | 'tool';

/**
 * The answer to "is the program robust?". A bounded or interrupted search is `unknown`, never
 * `robust`.
 */
export type Verdict =
  | { readonly kind: 'robust' }
  | { readonly kind: 'not-robust'; readonly witness: Witness }
  | {
      readonly kind: 'unknown';
      readonly reason: UnknownReason;
      /**
       * The number of undecided attacks on the program, and the number of infeasible ones; absent
       * if executions end in faults that the engine cannot follow.
       */
      readonly open?: { readonly attacks: number; readonly infeasible: number };
    }
  /**
   * The program is at fault (an execution divides by zero, leaves its domain, ...), or a required
   * tool cannot work here: see the diagnostics.
   */
  | { readonly kind: 'error'; readonly cause: ErrorCause };

/** Whether executions of the program end in faults, as far as known. */
export type FaultFindings =
  /**
   * No execution faults: no instruction can fault with any values (`instructions`); or none can
   * with the computed supersets of register values (`closure`); or all executions were searched
   * (`search`).
   */
  | { readonly kind: 'none'; readonly shownBy: 'instructions' | 'closure' | 'search' }
  /** Some executions fault: see the diagnostics. */
  | { readonly kind: 'found' }
  /** Some executions may fault, as not all executions were searched. */
  | { readonly kind: 'not-looked-for' };

/** Parts of the program that no execution reaches. */
export type VacuityFindings =
  | {
      readonly kind: 'looked-for';
      /**
       * The stores, loads and rmws that no execution runs, one for each place of the program
       * without executions: all copies of a thread share their places, and so do, in C, all calls
       * of a function.
       */
      readonly neverRun: readonly {
        readonly thread: ThreadId;
        readonly transition: TransitionId;
      }[];
      /** The threads with an unreachable end. */
      readonly neverEnd: readonly ThreadId[];
    }
  /**
   * Unreached parts are unknown: not all executions were searched, or the program is not robust.
   */
  | { readonly kind: 'not-looked-for' };

/** The engines that decide robustness. */
export type EngineName = 'search' | 'instrument' | 'single-query' | 'spin' | 'chc';

/**
 * The times of the phases, in ms, of an engine that passes queries to an external program ([BDM13]
 * Table 2).
 */
export interface EnginePhases {
  /** The time in ms for instrumenting the program and writing the model. */
  readonly generating: number;
  /** The time in ms for compiling the model to a verifier. */
  readonly compiling: number;
  /** The time in ms for running the verifier. */
  readonly verifying: number;
}

/**
 * The number of stored states in each phase of the search for an attack, for all attacks together.
 * Searches that only look for a violation, in few of the threads or best states first, are not
 * counted here.
 */
export interface PhaseStates {
  /** The number of states under SC, from which attacks start; stored once for all attacks. */
  readonly sequential: number;
  /** The number of states in which the attacker delays stores. */
  readonly delaying: number;
  /**
   * The number of states after the attacker's last load, in which the other threads build the
   * happens-before path.
   */
  readonly path: number;
}

/** The instances of a parameterised program for which a result holds. */
export type Scope =
  /** All instances, for all numbers of copies of these templates. */
  | { readonly kind: 'all'; readonly templates: readonly string[] }
  /** One instance: the program of the result. */
  | { readonly kind: 'instance'; readonly copies: readonly TemplateCount[] };

export interface CheckStatistics {
  /** The engine that decided; `cover` decides all instances of a parameterised program at once. */
  readonly engine: EngineName | 'cover';
  readonly threads: number;
  /** The number of locations of all threads of the program. */
  readonly labels: number;
  /** The number of transitions of all threads of the program. */
  readonly instructions: number;
  /** The number of states that all queries together have stored. */
  readonly states: number;
  /** The maximum total size of all state tables of the engine, in bytes. */
  readonly bytes: number;
  /** The number of reachability queries that the engine answered. */
  readonly queries: number;
  readonly milliseconds: number;
  readonly phases?: EnginePhases;
  /** The number of states in each phase; absent if the engine does not search phase by phase. */
  readonly phaseStates?: PhaseStates;
  readonly attacks: {
    readonly total: number;
    readonly byCfg: number;
    readonly infeasible: number;
    readonly feasible: number;
    /**
     * By method, the number of attacks that it decided, feasible or not; absent if the engine
     * distinguishes no methods.
     */
    readonly settledBy?: Readonly<Partial<Record<AttackStage, number>>>;
  };
}

/** The numbers of fences in cheapest sets for progress and for robustness. */
export interface ProgressPrice {
  /** The number of fences with which no more threads wait for ever than under SC. */
  readonly progress: number;
  /** The number of fences with which the program is robust. */
  readonly robust: number;
}

export interface CheckResult {
  readonly verdict: Verdict;
  /** The notion of happens-before for which the verdict holds. */
  readonly happensBefore: HappensBefore;
  /** The instances for which the result holds; for parameterised programs only. */
  readonly scope?: Scope;
  /**
   * The number of elements of the checked inductive invariant, for a parameterised program proved
   * robust by search.
   */
  readonly invariant?: number;
  /** The attacks on the program that were decided or tried, in the order of the program. */
  readonly attacks: readonly DecidedAttack[];
  readonly statistics: CheckStatistics;
  readonly faults?: FaultFindings;
  readonly vacuity?: VacuityFindings;
  /** The data races; only of programs in C. */
  readonly races?: RaceFindings;
  /** The effect of TSO on the program's claims and states, if requested. */
  readonly answer?: StateAnswer;
  /**
   * For parameterised programs with `answer`: the templates and the instance to which the answer
   * refers.
   */
  readonly answered?: AnsweredInstances;
  /**
   * The threads that wait for ever without store buffers although the program means them to end;
   * absent if not requested, or for any number of copies.
   */
  readonly deadlocks?: DeadlockFindings;
  /**
   * If TSO makes threads wait for ever, the smallest number of fences that prevents this; absent if
   * not found quickly.
   */
  readonly progressPrice?: ProgressPrice;
  /** Whether the program is also robust against C11, if requested; only of programs in C. */
  readonly portable?: C11Result;
  /**
   * The reason why the work ended early, when the verdict was known already; absent if it is
   * complete.
   */
  readonly cutShort?: UnknownReason;
  readonly diagnostics: readonly Diagnostic[];
}
