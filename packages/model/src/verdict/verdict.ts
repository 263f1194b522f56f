import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Computation } from '../trace/computation.js';
import type { Admitted, HappensBefore, Relation } from '../trace/trace.js';
import type { Attack, AttackStage, DecidedAttack } from './attack.js';
import type { RaceFindings } from './data-race.js';
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
  readonly relation: Relation;
}

/**
 * A TSO computation of the program, replayed, with a shortest cycle of its happens-before relation.
 */
export interface Witness {
  readonly attack: Attack;
  readonly computation: Computation;
  readonly cycle: readonly CycleEdge[];
  /**
   * Under the notion `value`, what read abstractions admit, by the places of their loads in the
   * computation; absent if there are none.
   */
  readonly admitted?: readonly (readonly [place: number, values: Admitted])[];
}

/** Who is at fault where there is no answer: the program, or nothing here can decide it. */
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
       * Attacks that nothing is known of, and those that were found infeasible; absent where
       * executions end in faults that the engine cannot follow.
       */
      readonly open?: { readonly attacks: number; readonly infeasible: number };
    }
  /**
   * The program itself is at fault (an execution divides by zero, leaves its domain, ...), or what
   * was to decide it cannot work here: see the diagnostics.
   */
  | { readonly kind: 'error'; readonly cause: ErrorCause };

/** Whether executions end in faults. */
export type FaultFindings =
  /**
   * None does: no instruction can fault; or not with the values that a closure gives; or all
   * executions were searched.
   */
  | { readonly kind: 'none'; readonly shownBy: 'instructions' | 'closure' | 'search' }
  /** Some do: see the diagnostics. */
  | { readonly kind: 'found' }
  /** Some may: not all executions were searched. */
  | { readonly kind: 'not-looked-for' };

/** What no execution does although the program says it. */
export type VacuityFindings =
  | {
      readonly kind: 'looked-for';
      /**
       * Stores, loads and rmws that no execution runs, one for each place of the program where none
       * runs: all copies of a thread have the same places, and so have, in C, all calls of a
       * function.
       */
      readonly neverRun: readonly {
        readonly thread: ThreadId;
        readonly transition: TransitionId;
      }[];
      /** Threads whose code has an end that no execution reaches. */
      readonly neverEnd: readonly ThreadId[];
    }
  /** Not all executions were searched, or the program is not robust. */
  | { readonly kind: 'not-looked-for' };

/** The engines that decide robustness. */
export type EngineName = 'search' | 'instrument' | 'single-query' | 'spin' | 'chc';

/**
 * Where the time of an engine went that hands its queries to another program, in ms ([BDM13] Table
 * 2).
 */
export interface EnginePhases {
  /** Instrumenting, and writing the model. */
  readonly generating: number;
  /** Making a verifier of the model. */
  readonly compiling: number;
  /** Running the verifier. */
  readonly verifying: number;
}

/** Which instances of a parameterised program a result is about. */
export type Scope =
  /** All of them, whatever the numbers of copies of these templates. */
  | { readonly kind: 'all'; readonly templates: readonly string[] }
  /** One of them: the program of the result is this instance. */
  | { readonly kind: 'instance'; readonly copies: readonly TemplateCount[] };

export interface CheckStatistics {
  /** `cover` decides all instances of a parameterised program at once. */
  readonly engine: EngineName | 'cover';
  readonly threads: number;
  /** Locations of all threads. */
  readonly labels: number;
  /** Transitions of all threads. */
  readonly instructions: number;
  /** Stored states, of all queries together. */
  readonly states: number;
  /** Bytes of all tables, when they were largest. */
  readonly bytes: number;
  /** Reachability queries that were run. */
  readonly queries: number;
  readonly milliseconds: number;
  readonly phases?: EnginePhases;
  readonly attacks: {
    readonly total: number;
    readonly byCfg: number;
    readonly infeasible: number;
    readonly feasible: number;
    /** How many each stage settled, feasible or not; absent where the engine has no stages. */
    readonly settledBy?: Readonly<Partial<Record<AttackStage, number>>>;
  };
}

export interface CheckResult {
  readonly verdict: Verdict;
  /** The happens-before that the verdict is about. */
  readonly happensBefore: HappensBefore;
  /** Of parameterised programs only. */
  readonly scope?: Scope;
  /**
   * Of a parameterised program that was proved robust by search: how many elements the checked
   * inductive invariant has.
   */
  readonly invariant?: number;
  /** The attacks that were decided or tried, in the order of the program. */
  readonly attacks: readonly DecidedAttack[];
  readonly statistics: CheckStatistics;
  readonly faults?: FaultFindings;
  readonly vacuity?: VacuityFindings;
  /** Only of programs in C. */
  readonly races?: RaceFindings;
  /** What follows for claims and states, where that was asked for. */
  readonly answer?: StateAnswer;
  /** Of parameterised programs, with `answer`: what that is about. */
  readonly answered?: AnsweredInstances;
  /** What ended the work when the verdict was known; absent where all else was looked at, too. */
  readonly cutShort?: UnknownReason;
  readonly diagnostics: readonly Diagnostic[];
}
