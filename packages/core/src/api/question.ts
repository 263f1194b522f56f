import type { EventSemantics } from '@fencewright/model/events/machine.js';
import type { KernelChoice } from '@fencewright/ground/product/product-search.js';
import type { RepairMode } from '@fencewright/model/program/repair.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Against } from '@fencewright/model/verdict/event-check-result.js';
import type { EngineName } from '@fencewright/model/verdict/verdict.js';
import type { CostChoice } from './cost-model.js';
import type { InputFormat } from '@fencewright/languages/read/front-ends.js';
import type { OutputFormat } from './output-formats.js';
import type { ReductionName } from './reductions.js';

/** The source of an SMT solver. */
export type SolverChoice = 'native' | 'wasm';

/** Options only for programs of events; `defaults` hold for absent options. */
export interface EventWishes {
  /** The criteria of robustness. */
  readonly against?: Against;
  /** `fenced`: every posting waits until the store buffer of the posting thread is empty. */
  readonly posting?: 'plain' | 'fenced';
  /** The maximal length of stacks and waiting lists. */
  readonly depth?: number;
  /** The semantics to explore; all three if absent. */
  readonly semantics?: readonly EventSemantics[];
  /**
   * Decide robustness against TSO by the two-thread construction of [BEMR18], which can confirm
   * violations only; instead of the searches.
   */
  readonly engine?: 'two-threads';
  /**
   * Decide only the attacks with this name, against TSO alone: `task:store:end`, with the label or
   * line of a store in a procedure or event, and of the overtaking load or posting.
   */
  readonly attack?: string;
}

/** Options of deciding robustness; `defaults` hold for absent options. */
export interface RobustnessQuestion {
  readonly engine?: EngineName;
  /** The happens-before relation with the cycles to find. */
  readonly happensBefore?: HappensBefore;
  /** Decide every attack instead of stopping at the first feasible attack. */
  readonly allAttacks?: boolean;
  /**
   * Keep the attacks, of which there may be millions, in the result; otherwise the result has none.
   */
  readonly listsAttacks?: boolean;
  readonly without?: readonly ReductionName[];
  readonly replayAll?: boolean;
  readonly kernel?: KernelChoice;
  /** Engines `search` and `spin`: number of parallel searches. */
  readonly jobs?: number;
  readonly events?: EventWishes;
  /** Engine `search`: milliseconds after which attackers are handed over to additional threads. */
  readonly handOverAfter?: number;
  readonly solver?: SolverChoice;
}

/** The text of a program. */
export interface ProgramText {
  readonly format: InputFormat;
  /** The source of the model, without a byte order mark. */
  readonly source: string;
  /** The numbers of threads used to read the model, instead of the numbers in the text. */
  readonly copies?: Readonly<Record<string, number>>;
}

/** Is the program robust? */
export interface CheckQuestion extends RobustnessQuestion {
  readonly kind: 'check';
  /** Give the proof of a verdict `robust`; for any number of copies only. */
  readonly certify?: boolean;
  /** If the search has no answer, try a proof, then Horn clauses. */
  readonly triesProof?: boolean;
  /**
   * Also answer the claims and states under TSO: `brief`, with few states, if the program has
   * claims; `full`, within all limits. Not for any number of copies.
   */
  readonly answers?: 'brief' | 'full';
}

/** Is the program robust? As `CheckQuestion`, with the witness replayed. */
export interface ExplainQuestion extends RobustnessQuestion {
  readonly kind: 'explain';
  /** As in `CheckQuestion`. */
  readonly answers?: 'brief' | 'full';
  /** Show the attacks `thread:store:load`, with store and load given by label or line. */
  readonly attack?: string;
  /** Show an execution of each feasible attack; `allAttacks` decides all attacks. */
  readonly showsAttacks?: boolean;
  /** Also list fences that would help, with their positions in `text`. */
  readonly listsFences?: boolean;
  readonly text?: ProgramText;
}

/**
 * Is the program robust? As `CheckQuestion`, for a table: all attacks are decided, and the fences
 * of a smallest set counted.
 */
export interface BenchQuestion extends RobustnessQuestion {
  readonly kind: 'bench';
  readonly countsFences: boolean;
}

/** Which final states and properties does TSO add? */
export interface ReachQuestion {
  readonly kind: 'reach';
  readonly events?: EventWishes;
  /** Maximal number of stores in a buffer; unbounded if absent. */
  readonly buffer?: number;
  /** Prove the claims that hold under TSO. */
  readonly certify?: boolean;
}

/** Is there a triangular race? */
export interface TrfQuestion {
  readonly kind: 'trf';
  /** Look for the cheapest fences that remove all triangular races. */
  readonly repair?: boolean;
}

/** Which repairs are cheapest? */
export interface FenceQuestion {
  readonly kind: 'fence';
  /**
   * The text of the program. If the text has places for fences, only repairs in the text are
   * chosen, and the answer has the repaired text.
   */
  readonly text?: ProgramText;
  readonly mode?: RepairMode;
  readonly happensBefore?: HappensBefore;
  readonly costs?: CostChoice;
  /** Instead of robustness: names of properties to establish, or `allAssertions`. */
  readonly properties?: readonly string[];
  readonly certify?: boolean;
  readonly events?: EventWishes;
  /** Reductions of the search to leave out. */
  readonly without?: readonly ReductionName[];
}

/** Can robustness be proved, for unbounded data and any number of copies? */
export interface ProveQuestion {
  readonly kind: 'prove';
  readonly properties?: readonly string[];
  readonly infer?: boolean;
  readonly solver?: SolverChoice;
  /** Give the claims of the proof, sealed for the verifier. */
  readonly certify?: boolean;
  /** Keep the questions answered by a proof in the result. */
  readonly keepsQuestions?: boolean;
}

/** How does the model look in another format? */
export interface ConvertQuestion {
  readonly kind: 'convert';
  readonly to: OutputFormat;
  /**
   * The attack for which the model is instrumented: `thread:store:load`, or `any` to leave the
   * choice open.
   */
  readonly attack?: string;
}

/**
 * The complete method for a program of events: properties on a single thread, robustness against
 * concurrency, serialisability under TSO, and the consequences for the real program ([BEMR18]).
 */
export interface EventsQuestion {
  readonly kind: 'events';
  readonly events?: EventWishes;
}

/** All questions about a model; plain data. */
export type Question =
  | CheckQuestion
  | ExplainQuestion
  | BenchQuestion
  | ReachQuestion
  | TrfQuestion
  | FenceQuestion
  | ConvertQuestion
  | ProveQuestion
  | EventsQuestion;
