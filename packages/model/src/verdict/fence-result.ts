import type { Program } from '../program/program.js';
import type { PricedRepair } from '../program/repair.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Computation } from '../trace/computation.js';
import type { HappensBefore } from '../trace/trace.js';
import type { RaceFindings } from './data-race.js';
import type { UnknownReason, Witness } from './verdict.js';

/** What stands for all assertions of a program where a property could be named. */
export const allAssertions = 'assertions';
/**
 * What stands for how a program comes to rest, where a property could be named:
 *
 * - `progress`: no thread waits for ever that does not without store buffers;
 * - `states`: that, and the program comes to rest in no state in which it does not without store
 *   buffers, where all threads have ended or wait for ever;
 * - `final-states`: the same of states in which all threads have ended.
 */
export const restGoals = ['progress', 'states', 'final-states'] as const;
export type RestGoal = (typeof restGoals)[number];

/** Whether a name is one of `restGoals`. */
export function isRestGoal(name: string): name is RestGoal {
  return restGoals.some((goal) => goal === name);
}

/**
 * A set of repairs one of which every repaired program contains, with the computation that shows
 * it.
 */
export interface RepairReason {
  readonly repairs: readonly PricedRepair[];
  readonly computation: Computation;
  /** Whose computation it is, where that is an instance of what was asked about. */
  readonly program?: Program;
}

/** The answer to "which fences does the program need?". */
export type FenceVerdict =
  | {
      readonly kind: 'found';
      readonly repairs: readonly PricedRepair[];
      readonly cost: number;
      /** What may go, when existing fences were minimised: those that do not stay. */
      readonly removable: readonly PricedRepair[];
      readonly reasons: readonly RepairReason[];
      readonly repaired: Program;
    }
  /** No allowed repair stops this attack. */
  | { readonly kind: 'impossible'; readonly witness: Witness }
  /**
   * The property, or an assertion where none is named, fails in this computation: under SC already,
   * so that no repair helps, or under TSO whatever allowed repair is used.
   */
  | {
      readonly kind: 'property-fails';
      readonly under: 'SC' | 'TSO';
      readonly property?: string;
      readonly computation: Computation;
      /** The same as of a `RepairReason`. */
      readonly program?: Program;
    }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly bound: number }
  | { readonly kind: 'error' };

/** How many repairs robustness takes, and what they cost. */
export interface ForRobustness {
  readonly repairs: number;
  readonly cost: number;
}

export interface FenceResult {
  readonly verdict: FenceVerdict;
  /** The happens-before that robustness is about; absent where the verdict is about properties. */
  readonly happensBefore?: HappensBefore;
  readonly statistics: {
    readonly rounds: number;
    readonly clauses: number;
    readonly states: number;
    readonly milliseconds: number;
  };
  /** Only of programs in C. */
  readonly races?: RaceFindings;
  readonly diagnostics: readonly Diagnostic[];
}
