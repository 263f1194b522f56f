import type { LocationId, ThreadId, TransitionId } from '../program/ids.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { HappensBefore } from '../trace/trace.js';
import type { UnknownReason, Witness } from './verdict.js';
import type { Templates } from '../program/templates.js';
import type { Domain, Program } from '../program/program.js';

/** An instruction of a program: of the templates where there are copies. */
export interface InstructionName {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
}

/** A value of a state that was found, under the name that users know. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** Two steps that cannot change places, from a state that the invariants allow. */
export interface MoverConflict {
  /** What should move: a load to the right, a store to the left. */
  readonly mover: 'load' | 'store';
  readonly own: InstructionName;
  /** The step of another thread, its access first. */
  readonly other: InstructionName;
  /** For a cas: how it goes. */
  readonly otherSucceeds?: boolean;
  /** The value that the load reads, or the store writes. */
  readonly ownValue?: string;
  readonly otherRead?: string;
  readonly otherWritten?: string;
  /** The state before both steps; empty if the solver gave up. */
  readonly state: readonly NamedValue[];
  /** The solver gave up: nobody knows whether there is such a state. */
  readonly isUndecided: boolean;
}

/**
 * Why a store counts as done at once ([BEMT18] Def. 1), or why nothing shows it.
 *
 * - `no-loads`: no load from memory can come while it is delayed.
 * - `left-mover`: it moves to the left of whatever other threads do.
 * - `right-movers`: each of these loads moves to the right.
 */
export type StoreArgument =
  | { readonly kind: 'no-loads' }
  | { readonly kind: 'left-mover' }
  | { readonly kind: 'right-movers' }
  | {
      readonly kind: 'none';
      /** Why it is no left mover, and why a load is no right mover. */
      readonly conflicts: readonly MoverConflict[];
      /**
       * The solver of Horn clauses says that no invariant about two threads gives one, or none of
       * these that says nothing of arrays.
       */
      readonly noInvariantHelps?: 'of-pairs' | 'without-arrays';
    };

export interface StoreProof {
  readonly store: InstructionName;
  /** The loads from memory that can come while it is delayed. */
  readonly loads: readonly TransitionId[];
  readonly argument: StoreArgument;
}

/** An invariant that a proof uses, or cannot use. */
export interface InvariantProof {
  readonly name: string;
  /** `inferred`: nobody wrote it. */
  readonly origin: 'given' | 'inferred';
  readonly verdict: 'inductive' | 'broken' | 'unknown';
  /**
   * One that nobody wrote, as a line of the native language. A location without label goes by its
   * name.
   */
  readonly text?: string;
  /** Where one that nobody wrote comes from, if not from trying what the program mentions. */
  readonly source?: 'horn-clauses';
  /**
   * For a broken one: the step that breaks it, absent if it does not hold at the start; and from
   * where.
   */
  readonly step?: InstructionName;
  readonly state?: readonly NamedValue[];
}

/**
 * An access that may do more than the one that it stands for.
 *
 * - `read`: a read abstraction, `havoc r with e` in the place of `r = x`.
 * - `rmw`: an rmw that may fail at any time without effect, `weak_cas` in the place of `cas`.
 */
export interface AbstractionProof {
  readonly kind: 'read' | 'rmw';
  /** The load or the rmw. */
  readonly access: InstructionName;
  readonly origin: 'given' | 'inferred';
  /** The abstraction, in the words of the language. */
  readonly text: string;
  /** Whether it may do all that the access does for which it stands. */
  readonly isSound: boolean;
}

/**
 * What a proof shows.
 *
 * - `robust`: the program, in the given sense; `standard` includes `value`.
 * - `same-states`: every state that TSO reaches with empty buffers, SC reaches as well; but a
 *   failing cas may fail on another value.
 * - `abstraction`: every state that the program reaches under TSO with empty buffers, its
 *   abstraction reaches under SC.
 */
export type Conclusion =
  | { readonly kind: 'robust'; readonly happensBefore: HappensBefore }
  | { readonly kind: 'same-states' }
  | { readonly kind: 'abstraction' };

/**
 * A witness in a small instance of the program, abstractions replaced by the loads that they
 * abstract.
 */
export interface InstanceViolation {
  readonly happensBefore: HappensBefore;
  readonly instance: Program;
  readonly witness: Witness;
}

export type ProveVerdict =
  | { readonly kind: 'proved'; readonly conclusion: Conclusion }
  | ({ readonly kind: 'not-robust' } & InstanceViolation)
  | {
      readonly kind: 'unknown';
      readonly reason: UnprovedReason;
      readonly why: WhyUnproved;
    };

/** What is missing for a proof, in a word. */
type UnprovedReason = UnknownReason | 'movers' | 'abstractions';

/** What is missing for a proof. */
export type WhyUnproved =
  | { readonly kind: 'cancelled' | 'time' }
  /** A havoc does not allow all that a load in its place would read. */
  | { readonly kind: 'abstractions' }
  /** The solver does not say whether the premises of the proof can be satisfied. */
  | { readonly kind: 'premises' }
  /** So many stores have no argument. */
  | { readonly kind: 'stores'; readonly open: number }
  | Unprovable;

/** What a program does that proofs cannot treat. */
export type Unprovable =
  /** Addresses are computed, and arrays without bounds have no addresses. */
  | { readonly kind: 'computed-addresses' }
  /** Values have more than 32 bits. */
  | { readonly kind: 'wide-values' }
  /** What the program stands for may go on where the program ends: a pool is empty, say. */
  | { readonly kind: 'model-limit' }
  /** The thread reaches a location both with the bus lock and without. */
  | { readonly kind: 'ambiguous-lock'; readonly thread: ThreadId }
  /** The thread has too many paths between accesses. */
  | { readonly kind: 'many-paths'; readonly thread: ThreadId }
  /** The thread has a loop inside of a lock block. */
  | { readonly kind: 'loop-in-block'; readonly thread: ThreadId };

/**
 * Whether an instance of the abstraction reaches the same shared states under SC as the same
 * instance with plain loads. A shared state is what memory holds while nobody has the bus lock.
 *
 * - `same`: exactly the same `states` ones.
 * - `more`: besides these `states` ones, `more` others; `isLowerBound` if not all guesses and
 *   executions could be followed.
 * - `not-compared`: nothing is known.
 */
export type StateComparison = {
  /** Copies of each thread of which there are any number; absent without such. */
  readonly copies?: number;
  /** Only executions that store no other values were followed. */
  readonly values?: Domain;
} & (
  | { readonly kind: 'same'; readonly states: number }
  | {
      readonly kind: 'more';
      readonly states: number;
      readonly more: number;
      readonly isLowerBound: boolean;
      /** One that only the abstraction reaches: variables, and cells of arrays that are not 0. */
      readonly example: readonly NamedValue[];
    }
  | { readonly kind: 'not-compared'; readonly why: WhyNotCompared }
);

/** Why the states of an instance say nothing. */
export type WhyNotCompared =
  /** There are more, or the search was interrupted. */
  | { readonly kind: 'many-states'; readonly maxStates: number }
  /** Executions of the instance, or of its abstraction, end in faults. */
  | { readonly kind: 'faults'; readonly of: 'instance' | 'abstraction' }
  /** A condition of the abstraction cannot be evaluated. */
  | { readonly kind: 'condition' }
  /** A condition allows values without end; those that were tried reach no more. */
  | { readonly kind: 'endless-values' };

/** How far the search of an instance came: through all states, or until a limit ended it. */
export type SearchExtent = 'all' | 'some';

/** A small instance that was searched for what a proof excludes, in vain. */
export interface SearchedInstance {
  /** Copies of each thread of which there are any number; absent without such. */
  readonly copies?: number;
  /** States of all searches of this instance. */
  readonly states: number;
  /** For a violation of robustness; only where that is what was proved. */
  readonly violation?: SearchExtent;
  /**
   * For a state with empty buffers that TSO reaches and SC, or SC with the abstraction, does not;
   * `none`: SC was too much to explore.
   */
  readonly tsoStates?: SearchExtent | 'none';
  /** For a state that breaks an invariant that was called inductive; only where there are such. */
  readonly invariants?: SearchExtent;
}

/**
 * What was searched for a refutation of a proof. A refutation is no result: it is a fault of ours.
 */
export interface Confrontation {
  /** States of each search, at most; not what the user set. */
  readonly maxStates: number;
  readonly instances: readonly SearchedInstance[];
}

/** A property or invariant that was asked for. */
export interface ProvedProperty {
  readonly name: string;
  /** `holds`: in every state that TSO reaches with empty buffers. */
  readonly verdict: 'holds' | 'unknown';
  readonly why: WhyProperty;
}

/** What is known of a property or invariant. */
export type WhyProperty =
  /** All states that the program, or its abstraction, reaches under SC have it. */
  | { readonly kind: 'under-sc'; readonly of: 'program' | 'abstraction' }
  /** It is not inductive with the other invariants. */
  | { readonly kind: 'not-inductive' }
  /** The program has no invariant and no property of this name. */
  | { readonly kind: 'no-such-name' }
  /** It claims that there is a state, and a proof shows what holds of all. */
  | { readonly kind: 'claims-existence' }
  /** It is about the ends of any number of copies. */
  | { readonly kind: 'ends-of-copies' }
  /** It is about store buffers, or a cell without a name. */
  | { readonly kind: 'not-about-memory' };

export interface ProveResult {
  readonly verdict: ProveVerdict;
  readonly invariants: readonly InvariantProof[];
  readonly abstractions: readonly AbstractionProof[];
  /** The program with the abstractions that were inferred; absent without. */
  readonly abstraction?: Templates;
  /** One for each store outside of lock blocks, in the order of the program. */
  readonly stores: readonly StoreProof[];
  /** Where no thread can stand according to the invariants. */
  readonly deserted: readonly { readonly thread: ThreadId; readonly location: LocationId }[];
  readonly properties: readonly ProvedProperty[];
  /** Where the abstraction is proved: the program itself is not robust. */
  readonly violation?: InstanceViolation;
  /** Where the abstraction is proved, and instances are searched. */
  readonly comparison?: StateComparison;
  /** Where something is proved: robustness, or that an invariant is inductive. */
  readonly confrontation?: Confrontation;
  readonly statistics: {
    readonly solver: string;
    /** Questions that the solver was asked. */
    readonly obligations: number;
    readonly milliseconds: number;
  };
  readonly diagnostics: readonly Diagnostic[];
}
