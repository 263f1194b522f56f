import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { RelaxedModel } from '@fencewright/model/trace/memory-model.js';
import type { OrdersGoal } from '@fencewright/model/verdict/orders-result.js';
import type { OrderTarget } from '@fencewright/model/program/order-target.js';
import type { EventSemantics } from '@fencewright/model/events/machine.js';
import type { KernelChoice } from '@fencewright/ground/product/product-search.js';
import type { RepairMode } from '@fencewright/model/program/repair.js';
import type { Timeouts } from '@fencewright/model/program/timeouts.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Against, Criterion } from '@fencewright/model/verdict/event-check-result.js';
import type { EngineName } from '@fencewright/model/verdict/verdict.js';
import type { CostChoice } from './cost-model.js';
import type { InputFormat } from '@fencewright/languages/read/front-ends.js';
import type { NetKind, OutputFormat } from './output-formats.js';
import type { ReductionName } from './reductions.js';

/** The SMT solver to use: an installed one, or Z3 in WebAssembly. */
export type SolverChoice = 'native' | 'wasm';

/** Options only for programs of events; `defaults` hold for absent options. */
export interface EventWishes {
  /** The criteria of robustness; by default `both`, or `tso` for the engine `two-threads`. */
  readonly against?: Against;
  /**
   * How tasks are posted: `plain`, or `fenced`, where a posting waits until the store buffer of the
   * posting thread is empty.
   */
  readonly posting?: 'plain' | 'fenced';
  /**
   * The maximum number of frames on the stack of a thread, and of posted tasks that wait; each
   * search has its own default.
   */
  readonly depth?: number;
  /** The semantics of event programs to explore; all three if absent. */
  readonly semantics?: readonly EventSemantics[];
  /**
   * Decide robustness against TSO by the construction 2-threads of [BEMR18] instead of the
   * searches; the construction can only confirm violations.
   */
  readonly engine?: 'two-threads';
  /**
   * Decide only the attacks with this name, against TSO alone: `task:store:end`, with the label or
   * line of a store in a procedure or event, and of the overtaking load or posting.
   */
  readonly attack?: string;
}

/** Options of questions about robustness; `defaults` hold for absent options. */
export interface RobustnessQuestion {
  readonly engine?: EngineName;
  /** The happens-before relation whose cycles count as violations of robustness. */
  readonly happensBefore?: HappensBefore;
  /** Decide every attack instead of stopping at the first feasible attack; off by default. */
  readonly allAttacks?: boolean;
  /**
   * List all decided attacks, of which there may be millions, in the result; otherwise the result
   * has no list.
   */
  readonly listsAttacks?: boolean;
  readonly without?: readonly ReductionName[];
  readonly replayAll?: boolean;
  readonly kernel?: KernelChoice;
  /** The number of parallel searches of the engines `search` and `spin`. */
  readonly jobs?: number;
  readonly events?: EventWishes;
  /**
   * Engine `search`: milliseconds after which a part of the work is handed over to additional
   * threads.
   */
  readonly handOverAfter?: number;
  readonly solver?: SolverChoice;
}

export interface ProgramText {
  readonly format: InputFormat;
  /** The source of the model, without a byte order mark. */
  readonly source: string;
  /** By thread, the number of its copies, which replaces the number in the text. */
  readonly copies?: Readonly<Record<string, number>>;
}

/** A question whose answer may depend on threads that wait for ever. */
interface WaitingQuestion {
  /** Whether waits with a time-out may end by the time-out; `end` by default. */
  readonly timeouts?: Timeouts;
}

/** The question "is the program robust?". */
export interface CheckQuestion extends RobustnessQuestion, WaitingQuestion {
  readonly kind: 'check';
  /**
   * Whether the result for a robust program includes a certificate; for any number of copies only.
   */
  readonly certify?: boolean;
  /** Whether a proof is tried, and then Horn clauses, if the search has no answer. */
  readonly triesProof?: boolean;
  /** Whether only searches may answer, and no proof, as the caller needs more than a verdict. */
  readonly searchesOnly?: boolean;
  /**
   * Also answer the claims and states under TSO: `brief`, with few states, if the program has
   * claims; `full`, within all limits. Not for any number of copies.
   */
  readonly answers?: 'brief' | 'full';
}

/**
 * The question of `explain`: is the program robust, as in `CheckQuestion`, and which execution is a
 * witness?
 */
export interface ExplainQuestion extends RobustnessQuestion, WaitingQuestion {
  readonly kind: 'explain';
  /**
   * Also answer the claims and states under TSO: `brief`, with few states, if the program has
   * claims; `full`, within all limits. Not for any number of copies.
   */
  readonly answers?: 'brief' | 'full';
  /** Show the attacks `thread:store:load`, with store and load given by label or line. */
  readonly attack?: string;
  /**
   * Whether the result has an execution of each feasible attack; `allAttacks` decides all attacks.
   */
  readonly showsAttacks?: boolean;
  /** Show an execution with the fewest delays of all violations; for the notion `standard`. */
  readonly fewestDelays?: boolean;
  /**
   * Whether the result also lists fences that would make the program robust, with their positions
   * in `text`.
   */
  readonly listsFences?: boolean;
  readonly text?: ProgramText;
}

/**
 * The question of `bench`, for a row of a table: all attacks are decided, and the fences of a
 * smallest set are counted.
 */
export interface BenchQuestion extends RobustnessQuestion {
  readonly kind: 'bench';
  readonly countsFences: boolean;
}

/** The question which final states and properties a program has under TSO but not under SC. */
export interface ReachQuestion extends WaitingQuestion {
  readonly kind: 'reach';
  /** The memory model to compare with SC; TSO if absent. */
  readonly model?: RelaxedModel;
  readonly events?: EventWishes;
  /** The maximum number of stores in a store buffer; unbounded if absent. */
  readonly buffer?: number;
  /** Whether the result includes a certificate of the claims that hold under TSO. */
  readonly certify?: boolean;
}

/** The question whether the program has a triangular race. */
export interface TrfQuestion {
  readonly kind: 'trf';
  /** Whether to look for the cheapest fences that remove all triangular races. */
  readonly repair?: boolean;
}

/**
 * Is the program robust against C11? `ra` takes `seq_cst` accesses for `acq_rel`. `format` is the
 * format of the program's text, if there is one.
 */
interface C11Question {
  readonly kind: 'c11';
  readonly model: C11Model;
  readonly format?: InputFormat;
  /** Whether the result for a robust program includes a certificate; off by default. */
  readonly certify?: boolean;
}

/**
 * The question which memory orders (with `raise`, also fences) are the cheapest with which the
 * program is robust against C11 or, depending on the goal, with which its assertions hold. With
 * `lower`, no order becomes stronger than the given one.
 */
export interface OrdersQuestion {
  readonly kind: 'orders';
  readonly model: C11Model;
  readonly target?: OrderTarget;
  /** The goal that the memory orders have to meet; `robustness` by default. */
  readonly goal?: OrdersGoal;
  readonly change: 'raise' | 'lower';
  readonly costs?: CostChoice;
  /** The text of the program. If given, the answer has the text with the chosen orders. */
  readonly text?: ProgramText;
}

/** The question "which repairs are cheapest?". */
export interface FenceQuestion extends WaitingQuestion {
  readonly kind: 'fence';
  /**
   * The text of the program. If fences can be written into the text, only repairs in the text are
   * chosen, and the answer has the repaired text.
   */
  readonly text?: ProgramText;
  readonly mode?: RepairMode;
  readonly happensBefore?: HappensBefore;
  /**
   * The engine that decides about the program with fences inserted; engines other than `search`
   * support only mode `fence`, notion `standard` and fixed numbers of copies.
   */
  readonly engine?: EngineName;
  readonly costs?: CostChoice;
  /** Goals instead of robustness: names of properties to establish, or `allAssertions`. */
  readonly properties?: readonly string[];
  readonly certify?: boolean;
  readonly events?: EventWishes;
  /** Reductions that the search does not use. */
  readonly without?: readonly ReductionName[];
}

/** The question whether robustness can be proved, for unbounded data and any number of copies. */
export interface ProveQuestion {
  readonly kind: 'prove';
  readonly properties?: readonly string[];
  readonly infer?: boolean;
  /** Also decide in which directions each access commutes with steps of other threads. */
  readonly movers?: boolean;
  readonly solver?: SolverChoice;
  /** Whether the result includes the claims of the proof as a certificate. */
  readonly certify?: boolean;
  /** Whether the result includes the questions to the SMT solver. */
  readonly keepsQuestions?: boolean;
}

/** The question for a model's text in another format. */
export interface ConvertQuestion {
  readonly kind: 'convert';
  readonly to: OutputFormat;
  /**
   * The attack for which the model is instrumented: `thread:store:load`, or `any` to leave the
   * choice open.
   */
  readonly attack?: string;
  /** For formats of nets: the kind of net; `flat` if absent. */
  readonly net?: NetKind;
}

/**
 * A question for the complete method on a program of events: properties on a single thread,
 * robustness against concurrency, serialisability under TSO, and the consequences for the program
 * on several threads ([BEMR18]).
 */
export interface EventsQuestion {
  readonly kind: 'events';
  readonly events?: EventWishes;
  /** The criteria of robustness to decide, one by one; all if absent. */
  readonly criteria?: readonly Criterion[];
}

/** All questions about a model; plain data. */
export type Question =
  | CheckQuestion
  | ExplainQuestion
  | BenchQuestion
  | ReachQuestion
  | TrfQuestion
  | C11Question
  | OrdersQuestion
  | FenceQuestion
  | ConvertQuestion
  | ProveQuestion
  | EventsQuestion;
