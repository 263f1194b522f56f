import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import type { Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import type { Hang } from './hang.js';
import type { OpenReason } from './open-reason.js';

/** Something that a program says of itself, which SC and TSO may answer differently. */
export type Claim =
  /** By its place in `Program.properties`. */
  | { readonly kind: 'property'; readonly property: number }
  | { readonly kind: 'assertion'; readonly thread: ThreadId; readonly transition: TransitionId };

/**
 * What TSO makes of a program, as its author asks it; the first that applies. Exact: nothing here
 * follows from a search that was cut short but `unknown`, and what was found.
 */
export type StateAnswer =
  /**
   * These hold under SC and fail under TSO; a property that asks for a state is reached under TSO
   * only. The computation shows the first.
   */
  | {
      readonly kind: 'breaks';
      readonly claims: readonly Claim[];
      readonly computation: Computation;
    }
  /** These fail under SC. */
  | {
      readonly kind: 'wrong-under-sc';
      readonly claims: readonly Claim[];
      readonly computation?: Computation;
    }
  /** Nothing that was claimed fails, but threads wait for ever; the computation shows the first. */
  | {
      readonly kind: 'hangs';
      readonly hangs: readonly [Hang, ...Hang[]];
      readonly computation: Computation;
    }
  /**
   * Nothing that was claimed fails, and no thread waits for ever, unless that is open; this state
   * with empty buffers is reached under TSO only.
   */
  | {
      readonly kind: 'differs';
      readonly state: MachineState;
      readonly computation?: Computation;
      /** Why it is not known whether threads wait for ever. */
      readonly openHangs?: OpenReason;
    }
  /** The program is not robust, yet TSO reaches the states with empty buffers that SC reaches. */
  | { readonly kind: 'stricter' }
  | { readonly kind: 'robust' }
  | {
      readonly kind: 'unknown';
      /** The first question that is open: whether claims fail, states differ, or traces do. */
      readonly open: 'claims' | 'states' | 'traces';
      /** Those that are open, if any. */
      readonly claims: readonly Claim[];
      readonly why: OpenReason;
    };

/** How many copies of a template an instance has. */
export interface TemplateCount {
  readonly template: string;
  readonly count: number;
}

/** An instance of a program with any number of copies. */
export interface Instance {
  readonly copies: readonly TemplateCount[];
  readonly program: Program;
}

/** What an answer about all instances of a program with any number of copies speaks of. */
export interface AnsweredInstances {
  /** What ids in claims mean: it has one thread for each template. */
  readonly templates: Program;
  /** The names of those of which there are any number. */
  readonly names: readonly string[];
  /** The instance that shows it: of it are the state and the computation. */
  readonly shown?: Instance;
}
