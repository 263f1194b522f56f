import type { LocationId, ThreadId, TransitionId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import type { Diagnostic } from '../source/diagnostic.js';
import type { Computation } from '../trace/computation.js';
import type { HappensBefore } from '../trace/trace.js';
import type { UnknownReason, Witness } from './verdict.js';

/** What stands for all assertions of a program where a property could be named. */
export const allAssertions = 'assertions';

/** A repair that was chosen: a fence at a location, a locked exchange in place of a store, or something that stays. */
export interface PlacedRepair {
  readonly kind: 'fence' | 'xchg' | 'keep';
  readonly thread: ThreadId;
  /** Where the fence stands, or where the instruction starts. */
  readonly location: LocationId;
  /** The instruction that is exchanged or kept; absent for fences. */
  readonly transition?: TransitionId;
  readonly cost: number;
}

/** A set of repairs one of which every repaired program contains, with the computation that shows it. */
export interface RepairReason {
  readonly repairs: readonly PlacedRepair[];
  readonly computation: Computation;
}

/** The answer to "which fences does the program need?". */
export type FenceVerdict =
  | {
      readonly kind: 'found';
      readonly repairs: readonly PlacedRepair[];
      readonly cost: number;
      /** What may go, when existing fences were minimised: those that do not stay. */
      readonly removable: readonly PlacedRepair[];
      readonly reasons: readonly RepairReason[];
      readonly repaired: Program;
    }
  /** No allowed repair stops this attack. */
  | { readonly kind: 'impossible'; readonly witness: Witness }
  /**
   * The property, or an assertion where none is named, fails in this computation: under SC already, so that no repair helps, or under TSO
   * whatever allowed repair is used.
   */
  | {
      readonly kind: 'property-fails';
      readonly under: 'SC' | 'TSO';
      readonly property?: string;
      readonly computation: Computation;
    }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly bound: number }
  | { readonly kind: 'error' };

export interface FenceResult {
  readonly verdict: FenceVerdict;
  /** The happens-before that robustness is about; absent where the verdict is about properties. */
  readonly notion?: HappensBefore;
  readonly statistics: {
    readonly rounds: number;
    readonly clauses: number;
    readonly states: number;
    readonly milliseconds: number;
  };
  readonly diagnostics: readonly Diagnostic[];
}
