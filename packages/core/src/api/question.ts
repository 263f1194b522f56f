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
  /** The criteria of robustness; `both` by default, for the engine `two-threads` `tso`. */
  readonly against?: Against;
  /** `fenced`: every posting waits until the store buffer of the posting thread is empty. */
  readonly posting?: 'plain' | 'fenced';
  /** Maximal number of frames on a stack, and of waiting tasks; each search has its own default. */
  readonly depth?: number;
  /** The semantics to explore; all three if absent. */
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
  /** The happens-before relation whose cycles are violations. */
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
  /** Engines `search` and `spin`: number of parallel searches. */
  readonly jobs?: number;
  readonly events?: EventWishes;
  /**
   * Engine `search`: milliseconds after which a part of the work is handed over to additional
   * threads.
   */
  readonly handOverAfter?: number;
  readonly solver?: SolverChoice;
}

/** The text of a program. */
export interface ProgramText {
  readonly format: InputFormat;
  /** The source of the model, without a byte order mark. */
  readonly source: string;
  /** Numbers of copies by thread, which replace the numbers in the text. */
  readonly copies?: Readonly<Record<string, number>>;
}

/** A question whose answer may depend on threads that wait for ever. */
interface WaitingQuestion {
  /** Whether waits with a time-out end when the time is over; `end` by default. */
  readonly timeouts?: Timeouts;
}

/** The question "is the program robust?". */
export interface CheckQuestion extends RobustnessQuestion, WaitingQuestion {
  readonly kind: 'check';
  /** Return a certificate with a verdict `robust`; for any number of copies only. */
  readonly certify?: boolean;
  /** If the search has no answer, try a proof, then Horn clauses. */
  readonly triesProof?: boolean;
  /** No proof takes the place of a search: the caller wants more of a search than a verdict. */
  readonly searchesOnly?: boolean;
  /**
   * Also answer the claims and states under TSO: `brief`, with few states, if the program has
   * claims; `full`, within all limits. Not for any number of copies.
   */
  readonly answers?: 'brief' | 'full';
}

/** A question for the robustness of a program, as `CheckQuestion`, with the witness shown. */
export interface ExplainQuestion extends RobustnessQuestion, WaitingQuestion {
  readonly kind: 'explain';
  /**
   * Also answer the claims and states under TSO: `brief`, with few states, if the program has
   * claims; `full`, within all limits. Not for any number of copies.
   */
  readonly answers?: 'brief' | 'full';
  /** Show the attacks `thread:store:load`, with store and load given by label or line. */
  readonly attack?: string;
  /** Show an execution of each feasible attack; `allAttacks` decides all attacks. */
  readonly showsAttacks?: boolean;
  /** Show an execution with the fewest delays of all violations; for the notion `standard`. */
  readonly fewestDelays?: boolean;
  /** Also list fences that would help, with their positions in `text`. */
  readonly listsFences?: boolean;
  readonly text?: ProgramText;
}

/**
 * A question for a row of a table: as `CheckQuestion`, but all attacks are decided, and the fences
 * of a smallest set are counted.
 */
export interface BenchQuestion extends RobustnessQuestion {
  readonly kind: 'bench';
  readonly countsFences: boolean;
}

/** A question for the final states and properties that a program has under TSO but not under SC. */
export interface ReachQuestion extends WaitingQuestion {
  readonly kind: 'reach';
  /** The memory model to compare with SC, TSO by default. */
  readonly model?: RelaxedModel;
  readonly events?: EventWishes;
  /** Maximal number of stores in a buffer; unbounded if absent. */
  readonly buffer?: number;
  /** Return a certificate of the claims that hold under TSO. */
  readonly certify?: boolean;
}

/** A question whether the program has a triangular race. */
export interface TrfQuestion {
  readonly kind: 'trf';
  /** Look for the cheapest fences that remove all triangular races. */
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
  /** Return a certificate with a verdict `robust`. */
  readonly certify?: boolean;
}

/**
 * A question for the cheapest memory orders (with `raise`, also fences) with which the program is
 * robust against C11 or, depending on the goal, with which its assertions hold. With `lower`, no
 * order becomes stronger than the given one.
 */
export interface OrdersQuestion {
  readonly kind: 'orders';
  readonly model: C11Model;
  readonly target?: OrderTarget;
  /** The goal that the memory orders have to meet; `robustness` by default. */
  readonly goal?: OrdersGoal;
  readonly change: 'raise' | 'lower';
  readonly costs?: CostChoice;
  /** The text of the program. If given, the answer has the changed text. */
  readonly text?: ProgramText;
}

/** The question "which repairs are cheapest?". */
export interface FenceQuestion extends WaitingQuestion {
  readonly kind: 'fence';
  /**
   * The text of the program. If given and with places for fences, only repairs in the text are
   * chosen, and the answer has the repaired text.
   */
  readonly text?: ProgramText;
  readonly mode?: RepairMode;
  readonly happensBefore?: HappensBefore;
  /**
   * The engine that is asked about the program with fences inserted; engines other than `search`
   * for mode `fence`, notion `standard` and numbers of copies only.
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

/** A question whether robustness can be proved, for unbounded data and any number of copies. */
export interface ProveQuestion {
  readonly kind: 'prove';
  readonly properties?: readonly string[];
  readonly infer?: boolean;
  /** Also say of each access where it moves, past the steps of other threads. */
  readonly movers?: boolean;
  readonly solver?: SolverChoice;
  /** Return the claims of the proof as a certificate. */
  readonly certify?: boolean;
  /** Keep the questions to the SMT solver in the result. */
  readonly keepsQuestions?: boolean;
}

/** A question for the text of a model in another format. */
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
