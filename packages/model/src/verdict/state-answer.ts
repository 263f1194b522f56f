import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import type { Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import type { Hang } from './hang.js';
import type { OpenReason } from './open-reason.js';
import type { VaryingParts } from './varying-parts.js';

/** A property or an assertion of a program, on which SC and TSO may differ. */
export type Claim =
  /** A property, by its index in `Program.properties`. */
  | { readonly kind: 'property'; readonly property: number }
  | { readonly kind: 'assertion'; readonly thread: ThreadId; readonly transition: TransitionId };

/**
 * The effect of TSO on a program, in terms of its claims; the first case that applies. All cases
 * but `unknown` are certain; after an incomplete search the answer is `unknown`, unless the search
 * has found something.
 */
export type StateAnswer =
  /**
   * The claims that hold under SC and fail under TSO; a claim that asks for a state: TSO reaches
   * the state, but SC does not. The computation shows the first claim.
   */
  | {
      readonly kind: 'breaks';
      readonly claims: readonly Claim[];
      readonly computation: Computation;
    }
  /** The claims that fail under SC already, not only under TSO. */
  | {
      readonly kind: 'wrong-under-sc';
      readonly claims: readonly Claim[];
      readonly computation?: Computation;
    }
  /**
   * No claim fails, but threads wait for ever; the computation leads to the first state in which
   * threads wait for ever.
   */
  | {
      readonly kind: 'hangs';
      readonly hangs: readonly [Hang, ...Hang[]];
      readonly computation: Computation;
    }
  /**
   * No claim fails, and no thread waits for ever (or that is unknown); this state with empty
   * buffers is reached under TSO only.
   */
  | {
      readonly kind: 'differs';
      readonly state: MachineState;
      /**
       * The cells and registers that have different values in this final state and in the final
       * states of SC; absent if the state is not final.
       */
      readonly varying?: VaryingParts;
      readonly computation?: Computation;
      /** The reason why it is unknown whether threads wait for ever. */
      readonly openHangs?: OpenReason;
    }
  /**
   * The program is not robust, but TSO and SC reach equal states with empty buffers: robustness is
   * stricter than needed.
   */
  | ({ readonly kind: 'stricter' } & SoughtStates)
  | ({ readonly kind: 'robust' } & SoughtStates)
  | {
      readonly kind: 'unknown';
      /**
       * The first undecided question: whether claims fail, whether states differ, or whether traces
       * differ.
       */
      readonly open: 'claims' | 'states' | 'traces';
      /** The undecided claims, if any. */
      readonly claims: readonly Claim[];
      readonly why: OpenReason;
    };

/** The claims that ask for a state, if SC and TSO answer alike. */
export interface SoughtStates {
  /** The claims whose states SC and TSO reach; absent if unknown. */
  readonly reached?: readonly Claim[];
  /** The claims whose states neither SC nor TSO reaches; absent if unknown. */
  readonly neverReached?: readonly Claim[];
}

/** The number of copies of one template in an instance. */
export interface TemplateCount {
  readonly template: string;
  readonly count: number;
}

/** An instance of a program with any number of copies, given by these numbers. */
export interface Instance {
  readonly copies: readonly TemplateCount[];
  readonly program: Program;
}

/** The templates and the instance to which an answer about all instances of a program refers. */
export interface AnsweredInstances {
  /** The program to which the thread ids in claims refer: one thread for each template. */
  readonly templates: Program;
  /** The names of the unbounded templates. */
  readonly names: readonly string[];
  /** The instance to which the state and the computation of the answer belong. */
  readonly shown?: Instance;
}

/**
 * Whether an answer comes first in a report even if the program can deadlock under SC or uses
 * freed memory.
 */
export function isWorseThanDeadlock({ kind }: StateAnswer): boolean {
  return kind === 'breaks' || kind === 'wrong-under-sc' || kind === 'hangs';
}
