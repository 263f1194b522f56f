import type { RepairMode } from '@fencewright/model/program/repair.js';
import type { BodyId, EventProgram } from '@fencewright/model/program/event-program.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { PrintResult } from '@fencewright/model/program/print-result.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { SealedCertificate } from '@fencewright/model/program/seal-certificate.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Position } from '@fencewright/ground/source/span.js';
import type { EventCheckResult } from '@fencewright/model/verdict/event-check-result.js';
import type { ExplainedAttacks } from '@fencewright/model/verdict/explained-attacks.js';
import type { EventFenceResult } from '@fencewright/model/verdict/event-fence-result.js';
import type { EventReachResult } from '@fencewright/model/verdict/event-reach-result.js';
import type { FenceResult, ForRobustness } from '@fencewright/model/verdict/fence-result.js';
import type { ProveResult } from '@fencewright/model/verdict/prove-result.js';
import type { ReachResult } from '@fencewright/model/verdict/reach-result.js';
import type { AnswerRun, Replay } from '@fencewright/model/verdict/replay.js';
import type { TrfResult } from '@fencewright/model/verdict/triangular-race.js';
import type { CheckResult, UnknownReason } from '@fencewright/model/verdict/verdict.js';
import type { EditRefusal } from './edit-text.js';
import type { AllInstancesReach } from '@fencewright/model/verdict/all-instances-reach.js';
import type { OutputFormat } from './output-formats.js';
import type {
  CheckQuestion,
  EventWishes,
  FenceQuestion,
  ReachQuestion,
  RobustnessQuestion,
} from './question.js';
import type { PropertyProblem } from './property-problems.js';
import type { ReductionName } from './reductions.js';

/** A wish about programs of threads. */
export type ThreadWish =
  | Exclude<keyof RobustnessQuestion, 'events' | 'listsAttacks' | 'jobs'>
  | keyof Pick<CheckQuestion, 'certify' | 'triesProof'>
  | keyof Pick<ReachQuestion, 'buffer'>
  | keyof Pick<FenceQuestion, 'mode' | 'costs' | 'properties'>
  /** Numbers of copies. */
  | 'threads';

/** A wish about programs of events; `instances` are numbers of them. */
type EventWish = keyof EventWishes | 'instances';

/** Why a question has no answer for a model. */
export type Refusal =
  /**
   * It is not one about any number of copies; `part`: the properties or the format in it are not.
   */
  | { readonly kind: 'any-number'; readonly part?: 'properties' | 'format' }
  /** It is one about threads, and the program has events. */
  | { readonly kind: 'events' }
  /** These wishes have no meaning for programs of events. */
  | { readonly kind: 'not-of-events'; readonly wishes: readonly ThreadWish[] }
  /** The question, or these wishes, are for programs of events only. */
  | { readonly kind: 'only-events'; readonly wishes: readonly EventWish[] }
  /** The two-thread construction, or attacks, are about robustness against TSO and nothing else. */
  | { readonly kind: 'only-against-tso'; readonly wish: 'engine' | 'allAttacks' | 'attack' }
  /** Only proofs can treat the model, which has these parts. */
  | { readonly kind: 'only-proofs'; readonly parts: readonly string[] }
  /** Any number of copies is decided in one way, in which these wishes have no meaning. */
  | {
      readonly kind: 'no-choice';
      readonly wishes: readonly ('engine' | 'solver' | 'buffer' | 'certify' | ReductionName)[];
    }
  /** A program that is needed is not installed. */
  | { readonly kind: 'missing'; readonly program: string }
  /**
   * The format holds a question about an attack, or a net, which is made of one; none was named.
   */
  | { readonly kind: 'attack-needed'; readonly format: OutputFormat }
  /** No attack has the name that was given. */
  | { readonly kind: 'attack'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'properties'; readonly problems: readonly PropertyProblem[] }
  /** The document that was to give the costs is wrong. */
  | {
      readonly kind: 'costs';
      readonly text: string;
      readonly diagnostics: readonly Diagnostic[];
    };

/** What settled a question that the search left open, or was tried for it. */
export type Settlement =
  | { readonly by: 'proof'; readonly isRobust: boolean; readonly result: ProveResult }
  | { readonly by: 'horn-clauses' };

/** What every answer about robustness has. */
export interface RobustnessResult {
  /** What ids in `result` mean: the program, the instance that is not robust, or the templates. */
  readonly about: Program;
  readonly result: CheckResult;
}

/** Fences as they are told, with where they come to stand in the text. */
export interface FencesInText {
  /** The program that ids in `result` are of, where it is another than that of the answer. */
  readonly about?: Program;
  readonly mode: RepairMode;
  /** Name of the cost model. */
  readonly costModel: string;
  readonly properties?: readonly string[];
  /** Where fences for properties were found: what robustness takes, if that is known. */
  readonly forRobustness?: ForRobustness;
  readonly result: FenceResult;
  /** Where the fences of the locations that `result` names are inserted. */
  readonly places: readonly {
    readonly thread: ThreadId;
    readonly location: LocationId;
    readonly positions: readonly Position[];
  }[];
  /** The text with the repairs, if there are any and the text can be changed. */
  readonly text?: string;
  readonly refusal?: EditRefusal;
}

/** The same for a program of events. */
export interface EventFencesInText {
  /** Name of the cost model. */
  readonly costModel: string;
  readonly result: EventFenceResult;
  /** Where the fences of the locations that `result` names are inserted. */
  readonly places: readonly {
    readonly body: BodyId;
    readonly location: LocationId;
    readonly positions: readonly Position[];
  }[];
  /** The text with the fences, if there are any and the text can be changed. */
  readonly text?: string;
  readonly refusal?: EditRefusal;
}

/** The answer to a question; plain data, that survives a structured clone. */
export type Result =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | {
      readonly kind: 'check';
      readonly about: Program;
      /** Absent where only proofs can treat the model. */
      readonly result?: CheckResult;
      /** The proof, where it was asked for and all instances are robust. */
      readonly certificate?: SealedCertificate;
      /** Why there is none then. */
      readonly uncertified?: UnknownReason;
      /** Where the search had no answer and a proof was to be tried. */
      readonly settlement?: Settlement;
    }
  | {
      readonly kind: 'event-check';
      readonly about: EventProgram;
      readonly result: EventCheckResult;
    }
  | {
      readonly kind: 'event-reach';
      readonly about: EventProgram;
      readonly result: EventReachResult;
    }
  | {
      readonly kind: 'event-fence';
      readonly about: EventProgram;
      readonly fences: EventFencesInText;
      /** Present when it was asked for and cheapest fences were found. */
      readonly certificate?: SealedCertificate;
    }
  | {
      readonly kind: 'events';
      readonly about: EventProgram;
      readonly check: EventCheckResult;
      readonly reach: EventReachResult;
    }
  | ({
      readonly kind: 'explain';
      /** Of the witness. */
      readonly replay?: Replay;
      /** The execution of the answer about claims and states, where there is one. */
      readonly answerRun?: AnswerRun;
      /** The attacks that were to be shown, where it was asked for some. */
      readonly explained?: ExplainedAttacks;
      readonly fences?: FencesInText;
    } & RobustnessResult)
  | ({
      readonly kind: 'bench';
      /** Of a smallest set; absent if they were not asked for or the program is at fault. */
      readonly fences?: number | 'none' | 'unknown';
    } & RobustnessResult)
  | {
      readonly kind: 'reach';
      readonly about: Program;
      readonly result: ReachResult;
      /** The proof, where it was asked for, of what is claimed and holds under TSO. */
      readonly certificate?: SealedCertificate;
      /** Why there is none then; absent where nothing that has a proof is known to hold. */
      readonly uncertified?: UnknownReason;
    }
  | {
      readonly kind: 'reach-all';
      /** The templates. */
      readonly about: Program;
      readonly result: AllInstancesReach;
    }
  | {
      readonly kind: 'trf';
      readonly about: Program;
      readonly result: TrfResult;
      /** Present when cheapest fences were found. */
      readonly certificate?: SealedCertificate;
      /** Why there is none then. */
      readonly uncertified?: UnknownReason;
    }
  | {
      readonly kind: 'fence';
      readonly about: Program;
      readonly fences: FencesInText;
      readonly certificate?: SealedCertificate;
      /** Why there is none, where one was asked for. */
      readonly uncertified?: UnknownReason;
    }
  | {
      readonly kind: 'prove';
      readonly about: Templates;
      readonly result: ProveResult;
      readonly certificate?: SealedCertificate;
      /** Those that were answered by a proof, where they were to be kept. */
      readonly questions?: readonly { readonly claim: string; readonly script: string }[];
    }
  | { readonly kind: 'convert'; readonly printed: PrintResult };

/** The answer to a question of one kind. */

export type ResultOf<K extends Result['kind']> = Extract<Result, { readonly kind: K }>;
