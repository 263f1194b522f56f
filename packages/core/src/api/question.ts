import type { EventSemantics } from '@fencewright/model/events/machine.js';
import type { KernelChoice } from '@fencewright/ground/product/product-search.js';
import type { RepairMode } from '@fencewright/model/program/repair.js';
import type { Timeouts } from '@fencewright/model/program/timeouts.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Against } from '@fencewright/model/verdict/event-check-result.js';
import type { EngineName } from '@fencewright/model/verdict/verdict.js';
import type { CostChoice } from './cost-model.js';
import type { InputFormat } from './front-ends.js';
import type { OutputFormat } from './output-formats.js';
import type { ReductionName } from './reductions.js';

/** Where an SMT solver is to come from. */
export type SolverChoice = 'native' | 'wasm';

/** What is asked of programs of events only; what is absent is as `defaults` say. */
export interface EventWishes {
  /** What the program is to be robust against. */
  readonly against?: Against;
  /** `fenced`: every posting waits for the store buffer of its thread. */
  readonly posting?: 'plain' | 'fenced';
  /** Where stacks and waiting lists are cut. */
  readonly depth?: number;
  /** Which semantics are explored; all three where absent. */
  readonly semantics?: readonly EventSemantics[];
  /**
   * Decide robustness against TSO by the two-thread construction of [BEMR18], which can confirm
   * violations only; instead of the searches.
   */
  readonly engine?: 'two-threads';
  /**
   * Of the attacks against TSO alone, decide those with this name: `task:store:end`, the label or
   * line of a store in a procedure or event, and of the load or posting that overtakes it.
   */
  readonly attack?: string;
}

/** How robustness is to be decided; what is absent is as `defaults` say. */
export interface RobustnessQuestion {
  readonly engine?: EngineName;
  /** Whose cycles count. */
  readonly happensBefore?: HappensBefore;
  /** Decide every attack instead of stopping at the first feasible one. */
  readonly allAttacks?: boolean;
  /** Leave the attacks in the result, of which there may be millions; it has none otherwise. */
  readonly listsAttacks?: boolean;
  readonly without?: readonly ReductionName[];
  readonly replayAll?: boolean;
  readonly kernel?: KernelChoice;
  /** Engines `search` and `spin`: searches to run at the same time. */
  readonly jobs?: number;
  readonly events?: EventWishes;
  /** Engine `search`: milliseconds after which attackers are handed over. */
  readonly handOverAfter?: number;
  readonly solver?: SolverChoice;
}

/** What is decided about the text of a program. */
export interface ProgramText {
  readonly format: InputFormat;
  /** What the model was read from, without a byte order mark. */
  readonly source: string;
  /** The numbers of threads that the model was read with, instead of those of the text. */
  readonly copies?: Readonly<Record<string, number>>;
}

/** A question that may be about who waits for ever. */
export interface WaitingQuestion {
  /** Whether waits with a time-out end by it; `end` where absent. */
  readonly timeouts?: Timeouts;
}

/** Is the program robust? */
export interface CheckQuestion extends RobustnessQuestion, WaitingQuestion {
  readonly kind: 'check';
  /** Give the proof of a verdict `robust`; for any number of copies only. */
  readonly certify?: boolean;
  /** Where the search has no answer, try a proof, then Horn clauses. */
  readonly triesProof?: boolean;
  /**
   * Answer as well what TSO makes of claims and states: `brief` where the program claims something,
   * with few states; `full` within all limits. Not of any number of copies.
   */
  readonly answers?: 'brief' | 'full';
}

/** The same, for who wants to see the witness replayed. */
export interface ExplainQuestion extends RobustnessQuestion, WaitingQuestion {
  readonly kind: 'explain';
  /** As in `CheckQuestion`. */
  readonly answers?: 'brief' | 'full';
  /** Show these attacks: `thread:store:load`, store and load by label or line. */
  readonly attack?: string;
  /** Show an execution of each attack that is found feasible; `allAttacks` decides about all. */
  readonly showsAttacks?: boolean;
  /** Give fences that would help, too, with where they go in `text`. */
  readonly listsFences?: boolean;
  readonly text?: ProgramText;
}

/** The same, for a table: all attacks are decided, and the fences of a smallest set counted. */
export interface BenchQuestion extends RobustnessQuestion {
  readonly kind: 'bench';
  readonly countsFences: boolean;
}

/** Which final states and properties does TSO add? */
export interface ReachQuestion extends WaitingQuestion {
  readonly kind: 'reach';
  readonly events?: EventWishes;
  /** Stores in a buffer; as many as the program puts into it where absent. */
  readonly buffer?: number;
  /** Prove what is claimed and holds under TSO. */
  readonly certify?: boolean;
}

/** Is there a triangular race? */
export interface TrfQuestion {
  readonly kind: 'trf';
  /** Look for the cheapest fences that leave none. */
  readonly repair?: boolean;
}

/** Which repairs are cheapest? */
export interface FenceQuestion extends WaitingQuestion {
  readonly kind: 'fence';
  /**
   * Where fences have places in it only these are chosen from, and the answer has the text with
   * them.
   */
  readonly text?: ProgramText;
  readonly mode?: RepairMode;
  readonly happensBefore?: HappensBefore;
  readonly costs?: CostChoice;
  /** Instead of robustness: names of properties that are to hold, or `allAssertions`. */
  readonly properties?: readonly string[];
  readonly certify?: boolean;
  readonly events?: EventWishes;
  /** Of the reductions those of the search. */
  readonly without?: readonly ReductionName[];
}

/** Can robustness be proved, for unbounded data and any number of copies? */
export interface ProveQuestion {
  readonly kind: 'prove';
  readonly properties?: readonly string[];
  readonly infer?: boolean;
  readonly solver?: SolverChoice;
  /** Give what the proof claims, sealed for the verifier. */
  readonly certify?: boolean;
  /** Give the questions that were answered by a proof. */
  readonly keepsQuestions?: boolean;
}

/** How does it look in another format? */
export interface ConvertQuestion {
  readonly kind: 'convert';
  readonly to: OutputFormat;
  /** Instrumented for this attack, `thread:store:load`, or with the choice left open: `any`. */
  readonly attack?: string;
}

/**
 * The whole method for a program of events: properties on a single thread, robustness against
 * concurrency, serialisability under TSO, and what follows for the real program ([BEMR18]).
 */
export interface EventsQuestion {
  readonly kind: 'events';
  readonly events?: EventWishes;
}

/** What can be asked about a model; plain data. */
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
