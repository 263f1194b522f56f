import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import type { Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import type { Hang } from './hang.js';
import type { OpenReason } from './open-reason.js';

/** A claim in a program, on which SC and TSO may differ. */
export type Claim =
  /** Identified by its index in `Program.properties`. */
  | { readonly kind: 'property'; readonly property: number }
  | { readonly kind: 'assertion'; readonly thread: ThreadId; readonly transition: TransitionId };

/**
 * The effect of TSO on a program, in terms of its claims; the first case that applies. Exact: only
 * `unknown`, and positive findings, can result from an incomplete search.
 */
export type StateAnswer =
  /**
   * The claims hold under SC and fail under TSO; for a property that asks for a state: the state is
   * reached under TSO only. The computation shows the first claim.
   */
  | {
      readonly kind: 'breaks';
      readonly claims: readonly Claim[];
      readonly computation: Computation;
    }
  /** The claims fail under SC. */
  | {
      readonly kind: 'wrong-under-sc';
      readonly claims: readonly Claim[];
      readonly computation?: Computation;
    }
  /** No claim fails, but threads wait for ever; the computation shows the first hang. */
  | {
      readonly kind: 'hangs';
      readonly hangs: readonly [Hang, ...Hang[]];
      readonly computation: Computation;
    }
  /**
   * No claim fails, and no thread waits for ever (or hangs are unknown); this state with empty
   * buffers is reached under TSO only.
   */
  | {
      readonly kind: 'differs';
      readonly state: MachineState;
      readonly computation?: Computation;
      /** Why hangs are unknown. */
      readonly openHangs?: OpenReason;
    }
  /** The program is not robust, but TSO and SC reach equal states with empty buffers. */
  | { readonly kind: 'stricter' }
  | { readonly kind: 'robust' }
  | {
      readonly kind: 'unknown';
      /** The first open question: whether claims fail, states differ, or traces differ. */
      readonly open: 'claims' | 'states' | 'traces';
      /** The open claims, if any. */
      readonly claims: readonly Claim[];
      readonly why: OpenReason;
    };

/** The number of copies of a template in an instance. */
export interface TemplateCount {
  readonly template: string;
  readonly count: number;
}

/** An instance of a program with any number of copies. */
export interface Instance {
  readonly copies: readonly TemplateCount[];
  readonly program: Program;
}

/** The subject of an answer about all instances of a program with any number of copies. */
export interface AnsweredInstances {
  /** The program for the ids in claims: one thread for each template. */
  readonly templates: Program;
  /** The names of the unbounded templates. */
  readonly names: readonly string[];
  /** The instance shown, with the state and the computation. */
  readonly shown?: Instance;
}
