import type { RepairMode } from '@fencewright/model/program/repair.js';
import type { BodyId, EventProgram } from '@fencewright/model/program/event-program.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { PrintResult } from '@fencewright/model/program/print-result.js';
import type { OutsideC11, Program } from '@fencewright/model/program/program.js';
import type { SealedCertificate } from '@fencewright/model/program/seal-certificate.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Position } from '@fencewright/ground/source/span.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import type { EventCheckResult } from '@fencewright/model/verdict/event-check-result.js';
import type { ExplainedAttacks } from '@fencewright/model/verdict/explained-attacks.js';
import type { EventFenceResult } from '@fencewright/model/verdict/event-fence-result.js';
import type { EventReachResult } from '@fencewright/model/verdict/event-reach-result.js';
import type { OrdersResult } from '@fencewright/model/verdict/orders-result.js';
import type {
  FenceResult,
  ForRobustness,
  NoRepairProof,
} from '@fencewright/model/verdict/fence-result.js';
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
  ExplainQuestion,
  ReachQuestion,
  RobustnessQuestion,
} from './question.js';
import type { PropertyProblem } from './property-problems.js';
import type { ReductionName } from './reductions.js';

/** An option that only programs of threads have. */
export type ThreadWish =
  | Exclude<keyof RobustnessQuestion, 'events' | 'listsAttacks' | 'jobs'>
  | keyof Pick<CheckQuestion, 'certify' | 'triesProof'>
  | keyof Pick<ExplainQuestion, 'fewestDelays'>
  | keyof Pick<ReachQuestion, 'buffer' | 'model'>
  | keyof Pick<FenceQuestion, 'mode' | 'costs' | 'properties'>
  /** The option that sets the numbers of copies of threads. */
  | 'threads';

/** An option that only programs of events have; `instances` means numbers of instances. */
type EventWish = keyof EventWishes | 'instances';

/** The reason for refusing a question about a model. */
export type Refusal =
  /**
   * The question cannot be answered for any number of copies; `part` names the reason, if it is the
   * properties or the format.
   */
  | { readonly kind: 'any-number'; readonly part?: 'properties' | 'format' }
  /** The question is about threads, and the program has events. */
  | { readonly kind: 'events' }
  /** The options have no meaning for programs of events. */
  | { readonly kind: 'not-of-events'; readonly wishes: readonly ThreadWish[] }
  /** The question, or the options, are for programs of events only. */
  | { readonly kind: 'only-events'; readonly wishes: readonly EventWish[] }
  /** The option applies only to robustness of programs of events against TSO. */
  | { readonly kind: 'only-against-tso'; readonly wish: 'engine' | 'allAttacks' | 'attack' }
  /** The model has `parts` that only proofs can treat. */
  | { readonly kind: 'only-proofs'; readonly parts: readonly string[] }
  /**
   * The question names options that have no effect, because robustness for any number of copies is
   * always decided in the same way.
   */
  | {
      readonly kind: 'no-choice';
      readonly wishes: readonly (
        'engine' | 'solver' | 'buffer' | 'model' | 'certify' | 'fewestDelays' | ReductionName
      )[];
    }
  /**
   * The question is about memory orders, but the format of the text has none that can be read (or
   * changed, with `isRepair`), or `outside` is a part of the text without a meaning in C11.
   */
  | { readonly kind: 'no-orders'; readonly isRepair: boolean; readonly outside?: OutsideC11 }
  /** The question, or its option `wish`, does not support heavy fences. */
  | { readonly kind: 'heavy-fences'; readonly wish?: 'triesProof' }
  /**
   * The question asks for heavy fences, or for repairs of a program with heavy fences. Such
   * questions support no `part`: any number of copies, a goal other than robustness, or a format
   * without heavy fences.
   */
  | { readonly kind: 'heavy-repairs'; readonly part: 'any-number' | 'goal' | 'format' }
  /** A program that the question needs is not installed. */
  | { readonly kind: 'missing'; readonly program: string }
  /** The question names no attack, and the output format can only express an attack. */
  | { readonly kind: 'attack-needed'; readonly format: OutputFormat }
  /** No attack has the given name. */
  | { readonly kind: 'attack'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'properties'; readonly problems: readonly PropertyProblem[] }
  /** The condition of a property has no value in a reachable state. */
  | { readonly kind: 'condition'; readonly diagnostics: readonly Diagnostic[] }
  /** The cost document is invalid. */
  | {
      readonly kind: 'costs';
      readonly text: string;
      readonly diagnostics: readonly Diagnostic[];
    };

/**
 * The method that answered a question which the search left open; for a proof, with its result.
 */
export type Settlement =
  | {
      readonly by: 'proof';
      readonly isRobust: boolean;
      readonly result: ProveResult;
      /** The answer about the claims of a robust program; absent if the program has no claims. */
      readonly claims?: Pick<CheckResult, 'answer' | 'answered'>;
    }
  | { readonly by: 'horn-clauses' }
  /** The search decided robustness, and the proof shows claims that the search left open. */
  | { readonly by: 'proof-of-claims'; readonly result: ProveResult };

/** The fields that all answers about robustness have. */
export interface RobustnessResult {
  /**
   * The program that the ids in `result` refer to: the program in question, the instance that is
   * not robust, or the templates.
   */
  readonly about: Program;
  readonly result: CheckResult;
}

/** The result of a search for fences, with the fences' positions in the text. */
export interface FencesInText {
  /** The program that the ids in `result` refer to, if different from the program in question. */
  readonly about?: Program;
  readonly mode: RepairMode;
  /** The name of the cost model that determines the costs in `result`. */
  readonly costModel: string;
  readonly properties?: readonly string[];
  /** For fences that establish properties: the repairs needed for robustness, if known. */
  readonly forRobustness?: ForRobustness;
  readonly result: FenceResult;
  /**
   * The places among which the fences were chosen. `text`: only the places in the text, although
   * the program has other places, at which no fence can be written. `program`: the places of the
   * program with all calls inlined, because the places in the text are not enough. Absent if every
   * place counts.
   */
  readonly among?: 'text' | 'program';
  /** The text positions of the fences at the locations in `result`. */
  readonly places: readonly {
    readonly thread: ThreadId;
    readonly location: LocationId;
    readonly positions: readonly Position[];
  }[];
  /** The text with the repairs; absent if there are none or the text cannot be changed. */
  readonly text?: string;
  readonly refusal?: EditRefusal;
}

/** The cheapest memory orders of a program, with the changes of its text. */
interface OrdersInText {
  /** The name of the cost model that determines the costs in `result`. */
  readonly costModel: string;
  readonly result: OrdersResult;
  /** For each change, the text positions of an inserted fence; empty for other changes. */
  readonly places: readonly (readonly Position[])[];
  /** The text with the changes; absent if there are none or the text cannot be changed. */
  readonly text?: string;
  readonly refusal?: EditRefusal;
}

/** The fences for a program of events, with their positions in the text. */
export interface EventFencesInText {
  /** The name of the cost model that determines the costs in `result`. */
  readonly costModel: string;
  readonly result: EventFenceResult;
  /** The text positions of the fences at the locations in `result`. */
  readonly places: readonly {
    readonly body: BodyId;
    readonly location: LocationId;
    readonly positions: readonly Position[];
  }[];
  /** The text with the fences; absent if there are none or the text cannot be changed. */
  readonly text?: string;
  readonly refusal?: EditRefusal;
}

/** The answer to a question; plain data that survives a structured clone. */
export type Result =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | {
      readonly kind: 'check';
      readonly about: Program;
      /**
       * The search's result; absent if only a proof supports the model, or if a proof ended the
       * search.
       */
      readonly result?: CheckResult;
      /** The proof, if the caller asked for a proof and all instances are robust. */
      readonly certificate?: SealedCertificate;
      /** The reason for a missing certificate, if the caller asked for one. */
      readonly uncertified?: UnknownReason;
      /**
       * The method that answered after the search, or instead of it; absent if the search answered.
       */
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
      /**
       * The certificate that the fences are cheapest; present if the caller asked for one, cheapest
       * fences were found, and no event waits for a milestone (a label that a task has to pass
       * first).
       */
      readonly certificate?: SealedCertificate;
      /**
       * The reason for a missing certificate: events wait for milestones, labels that a task has to
       * pass first.
       */
      readonly uncertified?: 'milestones';
    }
  | {
      readonly kind: 'events';
      readonly about: EventProgram;
      readonly check: EventCheckResult;
      readonly reach: EventReachResult;
    }
  | ({
      readonly kind: 'explain';
      /** The states of the machine along the witness of the check. */
      readonly replay?: Replay;
      /** An execution that shows the effect of TSO on claims and states, if there is one. */
      readonly answerRun?: AnswerRun;
      /** The attacks and executions to show, if the question asked for some. */
      readonly explained?: ExplainedAttacks;
      readonly fences?: FencesInText;
    } & RobustnessResult)
  | ({
      readonly kind: 'bench';
      /**
       * The number of fences in a smallest set; absent if the question did not ask for fences, or
       * for a faulty program.
       */
      readonly fences?: number | 'none' | 'unknown';
    } & RobustnessResult)
  | {
      readonly kind: 'reach';
      readonly about: Program;
      readonly result: ReachResult;
      /** The proof of the claims that hold under TSO, if the caller asked for a proof. */
      readonly certificate?: SealedCertificate;
      /** The reason for a missing certificate; absent if there is no claim to certify. */
      readonly uncertified?: UnknownReason;
    }
  | {
      readonly kind: 'reach-all';
      /** The program to which the ids in the result refer, with one thread for each template. */
      readonly about: Program;
      readonly result: AllInstancesReach;
    }
  | {
      readonly kind: 'trf';
      readonly about: Program;
      readonly result: TrfResult;
      /** The certificate that the fences are cheapest; present if cheapest fences were found. */
      readonly certificate?: SealedCertificate;
      /** The reason for a missing certificate, if the caller asked for one. */
      readonly uncertified?: UnknownReason;
    }
  | {
      readonly kind: 'c11';
      readonly about: Program;
      readonly result: C11Result;
      /**
       * The certificate of robustness; present if the caller asked for one, and the program is
       * robust.
       */
      readonly certificate?: SealedCertificate;
      /** The limit that was reached before a certificate of a robust program was complete. */
      readonly uncertified?: UnknownReason;
    }
  | { readonly kind: 'orders'; readonly about: Program; readonly orders: OrdersInText }
  | {
      readonly kind: 'fence';
      readonly about: Program;
      readonly fences: FencesInText;
      readonly certificate?: SealedCertificate;
      /** The reason for a missing certificate, if the caller asked for one. */
      readonly uncertified?: UnknownReason | NoRepairProof;
    }
  | {
      readonly kind: 'prove';
      readonly about: Templates;
      readonly result: ProveResult;
      readonly certificate?: SealedCertificate;
      /**
       * The questions to the SMT solver that the proof rests on, if the caller asked to keep them.
       */
      readonly questions?: readonly { readonly claim: string; readonly script: string }[];
    }
  | { readonly kind: 'convert'; readonly printed: PrintResult };

/** The answer to a question of one kind. */

export type ResultOf<K extends Result['kind']> = Extract<Result, { readonly kind: K }>;
