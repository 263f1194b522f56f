import type { LocationId, ThreadId, TransitionId } from '../program/ids.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { HappensBefore } from '../trace/trace.js';
import type { UnknownReason, Witness } from './verdict.js';
import type { Templates } from '../program/templates.js';
import type { Domain, Program } from '../program/program.js';

/**
 * An instruction of a program, identified for proofs; an instruction of the templates if threads
 * have copies.
 */
export interface InstructionName {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
}

/**
 * The value of a variable or register in a state that the solver found, with the name that users
 * know.
 */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** Two steps of different threads that do not commute in a state that the invariants allow. */
export interface MoverConflict {
  /**
   * The kind of the access that should commute: a load with steps after the load, a store with
   * steps before the store.
   */
  readonly mover: 'load' | 'store';
  readonly own: InstructionName;
  /** The step of another thread with which the access does not commute, named by its access. */
  readonly other: InstructionName;
  /** Whether the `cas` of the other thread's step succeeds; absent if that step is no `cas`. */
  readonly otherSucceeds?: boolean;
  /** The value that the access reads, if a load, or writes, if a store. */
  readonly ownValue?: string;
  readonly otherRead?: string;
  readonly otherWritten?: string;
  /** The state before both steps; empty if the solver gave up. */
  readonly state: readonly NamedValue[];
  /** Whether the solver gave up; then the existence of such a state is unknown. */
  readonly isUndecided: boolean;
}

/**
 * Why a store counts as immediate ([BEMT18] Def. 1), or why this could not be shown.
 *
 * - `no-loads`: no load from memory can occur while the store is delayed.
 * - `left-mover`: the store moves to the left of all steps of other threads.
 * - `right-movers`: each of these loads moves to the right.
 */
export type StoreArgument =
  | { readonly kind: 'no-loads' }
  | { readonly kind: 'left-mover' }
  | { readonly kind: 'right-movers' }
  | {
      readonly kind: 'none';
      /**
       * The pairs of steps that do not commute. A store in a pair is no left mover, a load in a
       * pair is no right mover.
       */
      readonly conflicts: readonly MoverConflict[];
      /**
       * Present if no invariant of a class shows the store immediate, as the solver of Horn clauses
       * found. `of-pairs`: invariants about two threads at a time. `without-arrays`: invariants
       * about two threads at a time that do not mention arrays.
       */
      readonly noInvariantHelps?: 'of-pairs' | 'without-arrays';
    };

export interface StoreProof {
  readonly store: InstructionName;
  /** The loads from memory that can occur while the store is delayed, as indices of transitions. */
  readonly loads: readonly TransitionId[];
  readonly argument: StoreArgument;
}

/**
 * Whether an access commutes, in one direction, with the steps of other threads next to it
 * ([BEMT18] Sect. 4).
 *
 * - `moves`: with all of them, in every state that the invariants allow.
 * - `stuck`: not with the step of `other`, from a state that the invariants allow.
 * - `unknown`: the solver gave up on the step of `other`.
 */
export type MoveProof =
  | {
      readonly kind: 'moves';
      /**
       * `text`: no other thread accesses the variable, or all other threads only read it. `apart`:
       * no state allows the access and the step of another thread at the same cell. `effects`: both
       * orders end in the same state.
       */
      readonly reason: 'text' | 'apart' | 'effects';
      /** The names of the invariants that the reason relies on. */
      readonly invariants: readonly string[];
    }
  | {
      readonly kind: 'stuck' | 'unknown';
      /** The step of another thread, named by its last access. */
      readonly other: InstructionName;
      /** Whether the `cas` of `other` succeeds; absent if `other` is no `cas`. */
      readonly otherSucceeds?: boolean;
      /**
       * The values of variables and registers in the state before both steps; empty if the solver
       * gave up.
       */
      readonly state: readonly NamedValue[];
    };

/** An access, with the directions in which the access commutes with steps of other threads. */
export interface MoverProof {
  readonly access: InstructionName;
  /**
   * Absent for rmws and for accesses in lock blocks, which count as no movers: store buffers are
   * empty there, and a lock block moves as a whole.
   */
  readonly moves?: { readonly right: MoveProof; readonly left: MoveProof };
}

/** An invariant used by a proof, or rejected. */
export interface InvariantProof {
  readonly name: string;
  /** The origin of the invariant: `given` in the program, or `inferred` by the prover. */
  readonly origin: 'given' | 'inferred';
  readonly verdict: 'inductive' | 'broken' | 'unknown';
  /**
   * The text of an inferred invariant, in the native language; unlabelled locations appear under
   * their internal names.
   */
  readonly text?: string;
  /**
   * How the invariant was inferred: by the solver of Horn clauses; absent if found by trying
   * expressions of the program.
   */
  readonly source?: 'horn-clauses';
  /**
   * For a rejected invariant: the step that breaks it, from the state in `state`; absent if the
   * invariant fails initially.
   */
  readonly step?: InstructionName;
  readonly state?: readonly NamedValue[];
}

/**
 * An access replaced in an abstraction by an access that may do more.
 *
 * - `read`: a read abstraction, `havoc r with e` in place of `r = x`.
 * - `rmw`: an rmw that may fail at any time without effect, `weak_cas` in place of `cas`.
 */
export interface AbstractionProof {
  readonly kind: 'read' | 'rmw';
  /** The load or the rmw that the abstraction replaces. */
  readonly access: InstructionName;
  readonly origin: 'given' | 'inferred';
  /** The access that replaces the original access in the abstraction, in the native language. */
  readonly text: string;
  /** Whether the access in the abstraction allows all behaviours of the replaced access. */
  readonly isSound: boolean;
}

/**
 * The conclusion of a proof.
 *
 * - `robust`: the program is robust, in the given sense; `standard` includes `value`.
 * - `same-states`: SC reaches every state that TSO reaches with empty buffers, except that a
 *   failing cas may fail on a different value.
 * - `abstraction`: under SC the abstraction reaches every state that the program reaches under TSO
 *   with empty buffers.
 */
export type Conclusion =
  | { readonly kind: 'robust'; readonly happensBefore: HappensBefore }
  | { readonly kind: 'same-states' }
  | { readonly kind: 'abstraction' };

/**
 * A witness against robustness in a small instance of the program, with plain loads and rmws in
 * place of their abstractions.
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

/** A word for the reason why a proof failed. */
type UnprovedReason = UnknownReason | 'movers' | 'abstractions';

/** The reason why a proof failed. */
export type WhyUnproved =
  | { readonly kind: 'cancelled' | 'time' | 'work' }
  /** A havoc does not allow all values that a load in its place could read. */
  | { readonly kind: 'abstractions' }
  /**
   * The solver gave no answer to the question whether the premises of the proof can be satisfied.
   */
  | { readonly kind: 'premises' }
  /** For some stores, `open` in number, the proof found no argument that they are immediate. */
  | { readonly kind: 'stores'; readonly open: number }
  | Unprovable;

/** A feature of the program that proofs cannot handle. */
export type Unprovable =
  /** Addresses are computed, and arrays without bounds have no addresses. */
  | { readonly kind: 'computed-addresses' }
  /** Values of the program have more than 32 bits. */
  | { readonly kind: 'wide-values' }
  | { readonly kind: 'heavy-fences' }
  /**
   * The modelled code may continue beyond the end of the model, for example because a pool is
   * empty.
   */
  | { readonly kind: 'model-limit' }
  /** The thread can be at a location both with and without the bus lock. */
  | { readonly kind: 'ambiguous-lock'; readonly thread: ThreadId }
  /** The thread has too many control-flow paths between accesses. */
  | { readonly kind: 'many-paths'; readonly thread: ThreadId }
  /** The thread has a loop inside of a lock block. */
  | { readonly kind: 'loop-in-block'; readonly thread: ThreadId };

/**
 * Whether, under SC, an instance of the abstraction reaches exactly the shared states of the
 * instance with plain loads. A shared state is the content of memory while no thread has the bus
 * lock.
 *
 * - `same`: exactly the same `states` states.
 * - `more`: besides these `states` states, `more` further states; `isLowerBound` if not all choices
 *   and executions could be followed.
 * - `not-compared`: nothing is known.
 */
export type StateComparison = {
  /** The number of copies of each unbounded thread; absent if there are no unbounded threads. */
  readonly copies?: number;
  /**
   * The range of stored values: only executions that store values in this range were followed;
   * absent if all were.
   */
  readonly values?: Domain;
} & (
  | { readonly kind: 'same'; readonly states: number }
  | {
      readonly kind: 'more';
      readonly states: number;
      readonly more: number;
      readonly isLowerBound: boolean;
      /**
       * A state reached only by the abstraction: the values of variables, and of array cells other
       * than 0.
       */
      readonly example: readonly NamedValue[];
    }
  | { readonly kind: 'not-compared'; readonly why: WhyNotCompared }
);

/** Why the states of an instance and of its abstraction were not compared. */
export type WhyNotCompared =
  /** There are more than `maxStates` states, or the search was interrupted. */
  | { readonly kind: 'many-states'; readonly maxStates: number }
  /** Executions of the instance, or of its abstraction, end in faults. */
  | { readonly kind: 'faults'; readonly of: 'instance' | 'abstraction' }
  /** A condition of a `havoc` in the abstraction cannot be evaluated. */
  | { readonly kind: 'condition' }
  /**
   * A condition of the abstraction allows infinitely many values. Only some were tried, and with
   * these the abstraction reaches no further states.
   */
  | { readonly kind: 'endless-values' };

/** Whether all states of an instance were searched, or only states up to a limit. */
export type SearchExtent = 'all' | 'some';

/** A small instance, searched without success for a refutation of a proof. */
export interface SearchedInstance {
  /**
   * The number of copies of each unbounded thread in the instance; absent if there are no unbounded
   * threads.
   */
  readonly copies?: number;
  /** The number of states of all searches of this instance. */
  readonly states: number;
  /**
   * How far the instance was searched for a violation of robustness; only if robustness was proved.
   */
  readonly violation?: SearchExtent;
  /**
   * How far the instance was searched for a state with empty buffers reached under TSO, but not
   * under SC (or not by the abstraction under SC); `none`: SC could not be explored within the
   * limits.
   */
  readonly tsoStates?: SearchExtent | 'none';
  /**
   * The extent to which the instance was searched for a state that breaks an invariant proved
   * inductive; absent if no invariant was proved inductive.
   */
  readonly invariants?: SearchExtent;
}

/**
 * The search of small instances for a refutation of a proof. If a refutation is found, the checker
 * has a bug; no result ever contains one.
 */
export interface Confrontation {
  /**
   * The maximum number of states of each search of an instance, independent of the user's limits.
   */
  readonly maxStates: number;
  readonly instances: readonly SearchedInstance[];
}

/** A property or invariant to be proved. */
export interface ProvedProperty {
  readonly name: string;
  /** `holds`: the property holds in every state that TSO reaches with empty buffers. */
  readonly verdict: 'holds' | 'unknown';
  readonly why: WhyProperty;
}

/** Why a property or invariant was proved, or why not. */
export type WhyProperty =
  /** The property holds in all states that the program, or its abstraction, reaches under SC. */
  | { readonly kind: 'under-sc'; readonly of: 'program' | 'abstraction' }
  /** The invariant is not inductive together with the other invariants. */
  | { readonly kind: 'not-inductive' }
  /** The program has no invariant and no property of this name. */
  | { readonly kind: 'no-such-name' }
  /** The property claims that a state exists, but proofs show only facts about all states. */
  | { readonly kind: 'claims-existence' }
  /** The property is about steps that threads can still take, and not about states. */
  | { readonly kind: 'about-executions' }
  /** The property is about the ends of threads with any number of copies. */
  | { readonly kind: 'ends-of-copies' }
  /** The property is about store buffers, or about a cell without a name. */
  | { readonly kind: 'not-about-memory' };

/**
 * In which instances a search shows that a program without its abstractions is robust: in all, or
 * in those with up to `copies` copies of each thread with any number of copies.
 */
export type OriginalRobustness =
  { readonly kind: 'all' } | { readonly kind: 'copies'; readonly copies: number };

export interface ProveResult {
  readonly verdict: ProveVerdict;
  readonly invariants: readonly InvariantProof[];
  readonly abstractions: readonly AbstractionProof[];
  /**
   * The program with the abstractions inferred by the prover; absent if no abstraction was
   * inferred.
   */
  readonly abstraction?: Templates;
  /**
   * For each store outside of lock blocks, in the order of the program, why it counts as immediate,
   * or not.
   */
  readonly stores: readonly StoreProof[];
  /**
   * For each access, the directions in which it commutes with steps of other threads, in the order
   * of the program; absent unless requested.
   */
  readonly movers?: readonly MoverProof[];
  /** The locations that no thread can reach if the invariants hold. */
  readonly deserted: readonly { readonly thread: ThreadId; readonly location: LocationId }[];
  readonly properties: readonly ProvedProperty[];
  /**
   * If the proof is about an abstraction: a violation of robustness by the program itself, which
   * therefore is not robust.
   */
  readonly violation?: InstanceViolation;
  /**
   * In which instances the program itself is known to be robust, if the proof is about an
   * abstraction and instances are searched.
   */
  readonly original?: OriginalRobustness;
  /**
   * The comparison of the states of abstraction and program, if the proof is about an abstraction
   * and instances are searched.
   */
  readonly comparison?: StateComparison;
  /**
   * The search of instances for refutations of the proof, if robustness or an inductive invariant
   * is proved.
   */
  readonly confrontation?: Confrontation;
  readonly statistics: {
    readonly solver: string;
    /** The number of queries that the proof sent to the solver. */
    readonly obligations: number;
    readonly milliseconds: number;
  };
  readonly diagnostics: readonly Diagnostic[];
}
