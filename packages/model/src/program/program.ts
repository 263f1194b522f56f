import type { Span } from '@fencewright/ground/source/span.js';
import type { Assumption } from './assumption.js';
import type { Expression } from './expression.js';
import type { LocationId, RegisterId, SymbolId, ThreadId } from './ids.js';
import type { Instruction } from './instruction.js';

/**
 * A shared variable: `length` consecutive cells from address `base`; `isArray` tells `a[1]` from a
 * scalar.
 */
export interface SharedSymbol {
  readonly name: string;
  readonly base: number;
  readonly length: number;
  readonly isArray: boolean;
  /**
   * `a[*]`: any integer is an index, and cells without an initial value are 0. Only in an
   * `Templates`; `length` is then that of its instances.
   */
  readonly isBoundless?: true;
  /** Indexed by cell, `length` entries. */
  readonly initial: readonly number[];
  /** This value in a cell says that nothing was stored there; absent where any is a value. */
  readonly noValue?: number;
  /** Values are shown as numbers without sign of so many bits; absent where they have a sign. */
  readonly unsignedBits?: number;
}

/**
 * A register; registers start at 0. `hidden` ones were made by a front end and never shown to
 * users.
 */
export interface Register {
  readonly name: string;
  readonly hidden: boolean;
  /**
   * What users call it, where it stands for something of the source that the thread alone knows at
   * its end: a cell, or what it has returned or printed.
   */
  readonly shown?: string;
  /** This value says that there is none; absent where any is a value. */
  readonly noValue?: number;
  /** As of a shared variable. */
  readonly unsignedBits?: number;
  /** Its values are addresses where they are some, as `PointerNames` names them. */
  readonly holdsPointers?: true;
  /** Of values that are addresses of texts: the texts. */
  readonly texts?: ReadonlyMap<number, string>;
}

/**
 * A control location, a "label" of [BDM13] Fig. 1. `hidden` ones were made by a front end (`name`
 * is then still unique in its thread).
 */
export interface Location {
  readonly name: string;
  readonly hidden: boolean;
  readonly span?: Span;
}

/** A call that was put in line: what is called, and where. */
export interface CallPlace {
  readonly function: string;
  readonly span?: Span;
}

/**
 * What it means that an instruction faults which a front end wrote for that. What C leaves
 * undefined: nothing is at an address (`no-object`), nothing was stored there (`no-value`), an
 * index leaves its array (`index`), or control gets where it must not (`trap`). C++ calls
 * `std::terminate` (`terminated`). Where the model ends: no block is left in the pool of a call
 * (`empty-pool`), a block may come again and is not followed (`block-again`), a function is called
 * that is not known (`unknown-function`), a structure of 16 bytes is stored whose numbers have no
 * place in a value (`wide-integer`), or a function of the library has no more room than it got
 * (`library-limit`).
 */
export type FaultMeaning = 'no-object' | 'no-value' | 'index' | 'trap' | 'terminated' | ModelLimit;

/** Why the model ends where the program goes on. */
export type ModelLimit =
  'empty-pool' | 'block-again' | 'unknown-function' | 'wide-integer' | 'library-limit';

/**
 * How C accesses memory. An access that is neither atomic nor volatile is plain: it may race with
 * others. Those that find out what memory may be given out again are none of the program's.
 */
export type AccessKind = 'plain' | 'volatile' | 'atomic' | 'allocation';

/** Where a transition comes from; witnesses are lifted through it, never through names. */
export interface Origin {
  /** The source text of the instruction. */
  readonly span?: Span;
  /** The calls in which it is, the innermost first; absent outside of calls. */
  readonly calls?: readonly CallPlace[];
  /** Absent where the instruction itself says why it faults. */
  readonly fault?: FaultMeaning;
  /** What the library says of the fault, if it says something. */
  readonly said?: string;
  /** Of an access in C. */
  readonly access?: AccessKind;
  /** The number of the mark of its text that it is the place of: see `text-mark.ts`. */
  readonly mark?: number;
}

/**
 * What a step that nobody can count on comes from. `chance`: a waking for no reason. `time-out`: a
 * wait that ends because its time is over, which can be counted on unless a question says
 * otherwise.
 */
export type Luck = 'chance' | 'time-out';

/**
 * `from: instruction; goto to`. Several transitions may leave one location. `I` is the instruction
 * set.
 */
export interface Transition<I = Instruction> {
  readonly from: LocationId;
  readonly to: LocationId;
  readonly instruction: I;
  readonly origin: Origin;
  /** Cost of a fence before this instruction (`@cost(n)`), positive. */
  readonly cost?: number;
  /** No fence may stand before this instruction (`@nofence`). */
  readonly nofence?: boolean;
  /**
   * The step may be taken as any other, and what it leads to is reached. Whether a thread can still
   * get on is asked without steps of `chance` (`@luck`; `@timeout` for a `time-out`).
   */
  readonly luck?: Luck;
}

/**
 * Which copy of a template a thread is; copies have the same locations and transitions, ids
 * included.
 */
export interface ThreadCopy {
  /** The template's name, for which the program has no other use. */
  readonly template: string;
  /** From 0 on. */
  readonly index: number;
}

/** One thread: an automaton. A location without outgoing transitions is an end. */
export interface Thread<I = Instruction> {
  readonly name: string;
  /** Absent for a thread that was written for itself. */
  readonly copy?: ThreadCopy;
  readonly registers: readonly Register[];
  readonly locations: readonly Location[];
  readonly initial: LocationId;
  readonly transitions: readonly Transition<I>[];
}

/** What a condition on a whole state is about: thread positions, registers and shared memory. */
export type StateLeaf =
  | {
      readonly kind: 'at';
      readonly thread: ThreadId;
      readonly location: LocationId;
    }
  | { readonly kind: 'ended'; readonly thread: ThreadId }
  /** Whether the thread's store buffer is empty; it always is under SC. */
  | { readonly kind: 'drained'; readonly thread: ThreadId }
  | {
      readonly kind: 'register';
      readonly thread: ThreadId;
      readonly register: RegisterId;
    }
  /** The value in memory of the cell at a constant address (buffers are not looked at). */
  | { readonly kind: 'memory'; readonly address: number };

/** A condition on a whole state. Non-zero is true. */
export type StateExpression = Expression<StateLeaf>;

/**
 * A named safety property. `never`: no reachable state satisfies the condition. `finally`: every
 * reachable state in which all threads have ended and all store buffers are empty satisfies it.
 * `exists`: some such final state does (litmus tests). `stuck`: some reachable state satisfies it
 * in which all store buffers are empty, no step is left, and some thread has not ended; a step that
 * would fault is one that is left.
 */
export interface Property {
  readonly name: string;
  readonly kind: 'never' | 'finally' | 'exists' | 'stuck';
  readonly condition: StateExpression;
  readonly span?: Span;
}

/** What an invariant is about: a whole state, and the threads that it binds. */
export type InvariantLeaf =
  /** `binder` is an index into `Invariant.binders`, here and below. */
  | { readonly kind: 'at'; readonly binder: number; readonly location: LocationId }
  | { readonly kind: 'ended'; readonly binder: number }
  | { readonly kind: 'register'; readonly binder: number; readonly register: RegisterId }
  /** The value in memory; `index` is absent for a scalar. */
  | {
      readonly kind: 'cell';
      readonly symbol: SymbolId;
      readonly index?: InvariantExpression;
    }
  /** Any integer, the same wherever it occurs: `a[*]` is every cell of `a`. */
  | { readonly kind: 'every-index' };

/** An expression over a whole state and the threads that an invariant binds. Non-zero is true. */
export type InvariantExpression = Expression<InvariantLeaf>;

/** A thread that an invariant speaks of. */
export interface InvariantBinder {
  readonly name: string;
  /** Of a thread in any number of copies: each of them. */
  readonly thread: ThreadId;
}

/**
 * A claim about all states that are reachable under SC: the condition holds whichever distinct
 * threads the binders stand for. It is checked by `prove`, and believed by nobody before.
 */
export interface Invariant {
  readonly name: string;
  readonly binders: readonly InvariantBinder[];
  readonly condition: InvariantExpression;
  /**
   * It is claimed wherever its threads stand, not only where others can tell their place: what a
   * property says.
   */
  readonly isEverywhere?: true;
  readonly span?: Span;
}

/** Every stored value has to lie in `low..high`, both included; a store of another value faults. */
export interface Domain {
  readonly low: number;
  readonly high: number;
}

/** What a front end knows of pointers: how reports tell them. */
export interface PointerNames {
  /** Addresses of cells that hold addresses, or 0. */
  readonly cells: ReadonlySet<number>;
  /** By address, what the source calls what is there: `nodes[1]`, where no cell may be. */
  readonly names: ReadonlyMap<number, string>;
}

/** How the process of a program ends, and with it all threads, wherever they are. */
export interface ProcessEnd {
  /** Where a thread is then, and goes no further; absent where it is no thread of the program. */
  readonly at?: { readonly thread: ThreadId; readonly location: LocationId };
  /** Threads that are waited for before that, and where. */
  readonly awaits: readonly { readonly thread: ThreadId; readonly span?: Span }[];
}

/**
 * A parallel program with shared memory ([BDM13] Sect. 2). Memory cells without a symbol start at
 * 0.
 */
export interface Program<I = Instruction> {
  readonly name: string;
  readonly symbols: readonly SharedSymbol[];
  readonly domain?: Domain;
  readonly threads: readonly Thread<I>[];
  readonly properties: readonly Property[];
  readonly invariants?: readonly Invariant[];
  readonly pointers?: PointerNames;
  /**
   * Places of the source at which accesses may run that are no transitions: a front end has done
   * them beforehand, or knows what they give.
   */
  readonly alsoRun?: readonly Span[];
  /** Absent where the process ends when all threads have ended. */
  readonly processEnds?: readonly ProcessEnd[];
  /** What the front end took for granted, each once; absent where nothing. */
  readonly assumptions?: readonly Assumption[];
}
