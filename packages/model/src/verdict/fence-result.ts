import type { Program } from '../program/program.js';
import type { FencePart, PricedRepair } from '../program/repair.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Computation } from '../trace/computation.js';
import type { HappensBefore } from '../trace/trace.js';
import type { RaceFindings } from './data-race.js';
import type { UnknownReason, Witness } from './verdict.js';

/** The name that stands for all assertions of a program where a property can be named. */
export const allAssertions = 'assertions';
/**
 * Names of goals, usable in place of a property name. `progress`: every thread that waits for ever
 * also waits for ever in some execution without store buffers. `states`: store buffers add no state
 * in which the program comes to rest; `final-states`: store buffers add no final state.
 */
export const restGoals = ['progress', 'states', 'final-states'] as const;
export type RestGoal = (typeof restGoals)[number];

/** Whether a name is one of `restGoals`. */
export function isRestGoal(name: string): name is RestGoal {
  return restGoals.some((goal) => goal === name);
}

/** The reason why a cheapest set of repairs for a goal has no certificate. */
export type NoRepairProof =
  /** No certificates exist for the goal with this name. */
  | { readonly kind: 'goal'; readonly goal: string }
  /**
   * The end of the process ends threads that no thread joins. Certificates cannot express such an
   * end.
   */
  | { readonly kind: 'process-end' }
  /** The goal is progress, and some thread exists only after another thread has created it. */
  | { readonly kind: 'created' }
  /** The chosen repairs cannot be written between statements of the program's own file. */
  | { readonly kind: 'places' };

/**
 * The reason why some repair is needed: a set of repairs of which every sufficient set contains at
 * least one, with a computation as evidence.
 */
export interface RepairReason {
  readonly repairs: readonly PricedRepair[];
  readonly computation: Computation;
  /** The program of the computation, if it is an instance of the program in question. */
  readonly program?: Program;
}

/** The answer to "which fences does the program need?". */
export type FenceVerdict =
  | {
      readonly kind: 'found';
      readonly repairs: readonly PricedRepair[];
      readonly cost: number;
      /**
       * The fences that can be removed, if existing fences are minimised: all fences that the
       * verdict does not keep.
       */
      readonly removable: readonly PricedRepair[];
      /**
       * The places that need no fence because of the chosen heavy fences. In the text, a light
       * fence there keeps the compiler from moving accesses. Absent if there are none.
       */
      readonly light?: readonly FencePart[];
      readonly reasons: readonly RepairReason[];
      readonly repaired: Program;
    }
  /**
   * No allowed repair prevents the attack of the witness, so that the program cannot be made
   * robust.
   */
  | { readonly kind: 'impossible'; readonly witness: Witness }
  /**
   * The property, or an assertion if none is named, fails in this computation: under SC, so that no
   * repair helps, or under TSO with every allowed repair.
   */
  | {
      readonly kind: 'property-fails';
      readonly under: 'SC' | 'TSO';
      readonly property?: string;
      readonly computation: Computation;
      /** The program of the computation, if it is an instance of the program in question. */
      readonly program?: Program;
    }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly bound: number }
  | { readonly kind: 'error' };

/** The fence verdict of a search that found fences. */
export type FencesFound = Extract<FenceVerdict, { readonly kind: 'found' }>;

/** The repairs needed for robustness, for comparison with the weaker goal of the search. */
export interface ForRobustness {
  readonly repairs: number;
  readonly cost: number;
}

export interface FenceResult {
  readonly verdict: FenceVerdict;
  /** The happens-before notion for robustness; absent if the verdict is about properties. */
  readonly happensBefore?: HappensBefore;
  readonly statistics: {
    readonly rounds: number;
    readonly clauses: number;
    readonly states: number;
    readonly milliseconds: number;
  };
  /** The data races; only of programs in C. */
  readonly races?: RaceFindings;
  readonly diagnostics: readonly Diagnostic[];
}
