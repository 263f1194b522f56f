import type { ModelLimit } from '@fencewright/ground/source/model-limits.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { Assumption } from './assumption.js';
import type { Expression } from './expression.js';
import type { LocationId, RegisterId, SymbolId, ThreadId } from './ids.js';
import type { Instruction } from './instruction.js';

/**
 * A shared variable: `length` consecutive cells from address `base`. `isArray` distinguishes an
 * array, even of length 1, from a scalar.
 */
export interface SharedSymbol {
  readonly name: string;
  readonly base: number;
  readonly length: number;
  readonly isArray: boolean;
  /**
   * Present if every integer is an index of the array, as in `a[*]`; cells without an initial value
   * are 0. Only in `Templates`; `length` is then the length in instances.
   */
  readonly isBoundless?: true;
  /**
   * Present if accesses to the variable's cells are not atomic in C11: they have no memory order,
   * and may race. Under TSO, they are accesses like any other.
   */
  readonly isPlain?: true;
  /** The initial values of the variable's cells, `length` in number. */
  readonly initial: readonly number[];
  /**
   * The value of a cell of the variable that means "nothing stored"; absent if every value is a
   * proper value.
   */
  readonly noValue?: number;
  /**
   * The number of bits of the variable's values, which are shown as unsigned numbers; absent if
   * they are signed.
   */
  readonly unsignedBits?: number;
  /**
   * Present if a front end added the variable, such as for the end of a thread: left out where
   * values are listed for users.
   */
  readonly isInternal?: true;
}

/**
 * A register; registers start at 0. `hidden` registers were made by a front end and are never shown
 * to users.
 */
export interface Register {
  readonly name: string;
  readonly hidden: boolean;
  /**
   * The user's name for the register, if it represents a part of the source known only to the
   * thread at its end: a cell, a return value, or output.
   */
  readonly shown?: string;
  /** The value that is shown for the register if the thread is never created; 0 if absent. */
  readonly ifNotCreated?: number;
  /** The value of the register that means "no value"; absent if every value is a proper value. */
  readonly noValue?: number;
  /**
   * The number of bits of the register's values, which are shown as unsigned numbers; absent if
   * they are signed.
   */
  readonly unsignedBits?: number;
  /** Whether values of the register may be addresses, which have names in `PointerNames`. */
  readonly holdsPointers?: true;
  /** By address, the texts to which values of the register may point. */
  readonly texts?: ReadonlyMap<number, string>;
}

/**
 * A control location, a "label" of [BDM13] Fig. 1. `hidden` locations were added by a front end
 * (`name` is still unique in the thread).
 */
export interface Location {
  readonly name: string;
  readonly hidden: boolean;
  readonly span?: Span;
}

/** An inlined call: the called function, and the place of the call. */
export interface CallPlace {
  readonly function: string;
  readonly span?: Span;
}

/**
 * The meaning of a fault in an instruction added by a front end. Undefined behaviour in C: no
 * object at an address (`no-object`), no value stored there (`no-value`), an index out of bounds
 * (`index`), or control reaches a forbidden place (`trap`). C++ calls `std::terminate`
 * (`terminated`). Limits of the model: the pool of a call is empty (`empty-pool`), a block may be
 * reused, which is not modelled (`block-again`), an unknown function is called
 * (`unknown-function`), a structure of 16 bytes is stored whose numbers do not fit into a value
 * (`wide-integer`), a store may wait in the store buffer when a single instruction loads several
 * cells (`waiting-store`), a result depends on where objects lie (`layout`), a variable that the
 * thread alone accesses is uninitialised (`unset-variable`), a library function exceeds its space
 * (`library-limit`), or a statement has no model (`unsupported`).
 */
export type FaultMeaning = 'no-object' | 'no-value' | 'index' | 'trap' | 'terminated' | ModelLimit;

/**
 * The kind of a memory access in C. An access that is neither atomic nor volatile is plain: it may
 * race. `allocation` accesses determine the memory available for reuse, and are not part of the
 * program.
 */
export type AccessKind = 'plain' | 'volatile' | 'atomic' | 'allocation';

/**
 * A step on a block of allocated memory: the block is freed; a freed block is allocated again; a
 * cell of the block is loaded or stored by an access that is no other step.
 */
export type BlockStep = 'freed' | 'again' | 'loaded' | 'stored';

/**
 * The source place and meaning of a transition. Witnesses are translated back to the source by
 * origin, never by name.
 */
export interface Origin {
  /** The span in the source text from which the instruction comes. */
  readonly span?: Span;
  /** The calls that contain the transition, innermost first; absent outside of calls. */
  readonly calls?: readonly CallPlace[];
  /**
   * The name of the library function to which the transition belongs; `span` is the place of the
   * call.
   */
  readonly libraryCall?: string;
  /**
   * The meaning of a fault in the instruction; absent if the instruction is from the source and
   * explains its faults itself.
   */
  readonly fault?: FaultMeaning;
  /** The message of the library, or of the lowering, about the fault, if there is one. */
  readonly said?: string;
  /**
   * The advice to users about the fault; absent if the general advice about such faults applies.
   */
  readonly advice?: string;
  /** The kind of access (plain, volatile or atomic), if the transition is an access in C. */
  readonly access?: AccessKind;
  /**
   * Present if the transition assigns the address of a block to an unused register, and the block
   * is freed here, or allocated again; or the address of a cell, and the cell is accessed.
   */
  readonly block?: BlockStep;
  /**
   * Present if the transition belongs to a load of several cells at one moment. The `lock` before
   * the loads is no fence: executions in which a store may wait in the buffer end in a fault before
   * the `lock`.
   */
  readonly isWideLoad?: true;
  /**
   * Present if the access is not atomic in C11; for languages other than C, whose programs are not
   * searched for data races. In C, `access` says so.
   */
  readonly isPlain?: true;
  /**
   * The number of the text mark (a mark of a place, put into the text before compilation) at this
   * transition: see `text-mark.ts`.
   */
  readonly mark?: number;
  /**
   * The name that a progress claim of a program in C gives to the location before the transition.
   */
  readonly label?: string;
}

/**
 * The reason why threads must not rely on a step. `chance`: the step may never happen, such as a
 * wake-up without a signal. `time-out`: a wait ends after some time; threads rely on such a step
 * unless a question says otherwise. `choice`: the thread has guessed an alternative before, such as
 * the freed block that `malloc` returns again, and the step tests a condition of this alternative.
 * If the condition fails, the guess was wrong, and the thread does not count as waiting.
 */
export type Luck = 'chance' | 'time-out' | 'choice';

/**
 * A transition of an automaton, `from: instruction; goto to`. Several transitions may leave one
 * location. `I` is the instruction set.
 */
export interface Transition<I = Instruction> {
  readonly from: LocationId;
  readonly to: LocationId;
  readonly instruction: I;
  readonly origin: Origin;
  /** The cost of a fence before the instruction of this transition (`@cost(n)`), positive. */
  readonly cost?: number;
  /** Whether no fence may be inserted before the instruction of this transition (`@nofence`). */
  readonly nofence?: boolean;
  /**
   * The reason why threads must not rely on the step, if there is one (`@luck`, `@timeout`,
   * `@choice`). Searches for states take the step. The search for threads that wait for ever omits
   * steps of `chance` and the alternatives of a `choice`.
   */
  readonly luck?: Luck;
}

/**
 * Identifies a thread as a copy of a template; all copies have equal locations and transitions, ids
 * included.
 */
export interface ThreadCopy {
  /** The name of the template; no name of another part of the program. */
  readonly template: string;
  /** The index of the thread among the copies of its template, from 0. */
  readonly index: number;
}

/** One thread: an automaton. A location without outgoing transitions is an end. */
export interface Thread<I = Instruction> {
  readonly name: string;
  /** The template and the number of the copy; absent for a thread that is not a copy. */
  readonly copy?: ThreadCopy;
  readonly registers: readonly Register[];
  readonly locations: readonly Location[];
  readonly initial: LocationId;
  readonly transitions: readonly Transition<I>[];
  /**
   * The address of the cell set to 1 at the end of the thread; other threads join the thread by
   * reading this cell.
   */
  readonly done?: number;
  /**
   * For a thread that is created during the execution, the address of the cell that its creator
   * sets to 1. The thread waits for the 1 at its initial location.
   */
  readonly created?: number;
}

/** A thread that a condition on states names. */
interface NamedThread {
  readonly thread: ThreadId;
  /**
   * Only if the thread is a template with any number of copies: the number by which the condition
   * names a copy. Different numbers mean different copies.
   */
  readonly copy?: number;
}

/**
 * The leaves of conditions on a whole state: the positions of threads, registers and shared memory.
 */
export type StateLeaf =
  | ({ readonly kind: 'at'; readonly location: LocationId } & NamedThread)
  | ({ readonly kind: 'ended' } & NamedThread)
  /** Whether the thread's store buffer is empty; always true under SC. */
  | ({ readonly kind: 'drained' } & NamedThread)
  | ({ readonly kind: 'register'; readonly register: RegisterId } & NamedThread)
  /** The value in memory of the cell at a constant address, without regard to store buffers. */
  | { readonly kind: 'memory'; readonly address: number };

/** A condition on a whole state. It holds if its value is not 0. */
export type StateExpression = Expression<StateLeaf>;

/**
 * A named property. `never`: no reachable state satisfies the condition. `finally`: every reachable
 * final state, with all created threads ended and all store buffers empty, satisfies the condition.
 * `exists`: some final state does (litmus tests). `stuck`: some reachable state with all store
 * buffers empty, no step left, and some thread not ended satisfies the condition; a faulting step
 * counts as a step left. `progress`: from every reachable state with empty buffers, some execution
 * without store buffers and without luck brings a thread to its end, or once more to a location of
 * the condition, see `progressGoal`.
 */
export interface Property {
  readonly name: string;
  readonly kind: 'never' | 'finally' | 'exists' | 'stuck' | 'progress';
  readonly condition: StateExpression;
  readonly span?: Span;
}

/**
 * The leaves of an invariant: facts about a whole state, and about the threads that the invariant
 * binds.
 */
export type InvariantLeaf =
  /**
   * Whether a bound thread is at the location. `binder` is an index into `Invariant.binders`, here
   * and below.
   */
  | { readonly kind: 'at'; readonly binder: number; readonly location: LocationId }
  | { readonly kind: 'ended'; readonly binder: number }
  | { readonly kind: 'register'; readonly binder: number; readonly register: RegisterId }
  /** The value in memory of a shared variable; `index` is absent for a scalar. */
  | {
      readonly kind: 'cell';
      readonly symbol: SymbolId;
      readonly index?: InvariantExpression;
    }
  /**
   * An arbitrary integer, the same at all occurrences in an invariant: the invariant holds for
   * every cell of `a` in `a[*]`.
   */
  | { readonly kind: 'every-index' };

/**
 * An expression over a whole state and the threads that an invariant binds. As a condition, it
 * holds if its value is not 0.
 */
export type InvariantExpression = Expression<InvariantLeaf>;

/** A name in an invariant for a thread of the program. */
export interface InvariantBinder {
  readonly name: string;
  /**
   * The thread or template named by the binder; for a thread with any number of copies, each copy.
   */
  readonly thread: ThreadId;
}

/**
 * A claim about all states reachable under SC: the condition holds for all distinct threads as
 * binders. `prove` checks invariants; before the check nothing relies on them.
 */
export interface Invariant {
  readonly name: string;
  readonly binders: readonly InvariantBinder[];
  readonly condition: InvariantExpression;
  /**
   * Whether the invariant is claimed at all locations of its threads, even at locations invisible
   * to other threads. Properties to be proved, and invariants named by a question, are claimed
   * everywhere.
   */
  readonly isEverywhere?: true;
  readonly span?: Span;
}

/** The range `low..high`, inclusive, of stored values; a store of any other value faults. */
export interface Domain {
  readonly low: number;
  readonly high: number;
}

/** A block of allocated memory: its cells have addresses from `address` on, below its end. */
export interface MemoryBlock {
  readonly name: string;
  readonly address: number;
  readonly size: number;
}

/** The names and cells of pointers, as the front end knows them, for reports. */
export interface PointerNames {
  /** The addresses of the cells that hold addresses or 0. */
  readonly cells: ReadonlySet<number>;
  /**
   * By address, the name in the source of the object at the address: `nodes[1]`, even if there is
   * no cell at the address.
   */
  readonly names: ReadonlyMap<number, string>;
}

/** How the process of a program ends, and with it all threads, wherever they are. */
export interface ProcessEnd {
  /**
   * The thread that ends the process, and the location of the end; absent if the program does not
   * contain the thread.
   */
  readonly at?: { readonly thread: ThreadId; readonly location: LocationId };
  /**
   * The threads that the ending thread joins before the end of the process, each with the place of
   * the join.
   */
  readonly awaits: readonly { readonly thread: ThreadId; readonly span?: Span }[];
}

/** A part of the text that has no meaning in C11, so that no question about C11 is answered. */
export interface OutsideC11 {
  readonly span: Span;
  /**
   * `assembler`: code of a processor. `kernel`: a function of the Linux kernel, whose memory model
   * is another. `operator`: an operator on an atomic variable, plain in some tools, `seq_cst` in C.
   */
  readonly reason: 'assembler' | 'kernel' | 'operator';
}

/**
 * A place of the text with a memory order, whose access or fence is no transition of the program.
 * `alone`: the place is executed before threads start; `own-cell`: no other thread accesses the
 * cell; `not-executed`: the front end has found no execution of the place.
 */
export interface OrderAside {
  readonly span: Span;
  readonly why: 'alone' | 'own-cell' | 'not-executed';
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
  /** The blocks of allocated memory that threads may free; absent if no thread frees memory. */
  readonly freedBlocks?: readonly MemoryBlock[];
  /**
   * Source places whose accesses may be executed without being transitions of the program: the
   * front end has executed these accesses beforehand, or knows their results.
   */
  readonly alsoRun?: readonly Span[];
  /**
   * The accesses and fences of the text with memory orders that are no transitions of the program;
   * absent if there are none.
   */
  readonly ordersAside?: readonly OrderAside[];
  readonly processEnds?: readonly ProcessEnd[];
  /**
   * The facts that the front end assumes about the program and its environment, without duplicates;
   * absent if none.
   */
  readonly assumptions?: readonly Assumption[];
  /** The facts that answers about C11 assume, besides `assumptions`; absent if none. */
  readonly assumptionsOfC11?: readonly Assumption[];
  /** The first part of the text without a meaning in C11; absent if there is none. */
  readonly outsideC11?: OutsideC11;
}
