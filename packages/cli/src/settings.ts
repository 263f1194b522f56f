import type {
  CheckOptions,
  EngineName,
  HappensBefore,
  Limits,
  ReductionName,
  RepairMode,
} from '@fencewright/core';
import type { SmtSolverChoice } from '@fencewright/core/node';
import type { CostChoice } from './cost-choice.js';
import type { FailOn } from './fail-on.js';
import type { InputFormat } from './formats.js';

/** What `fence` is asked for. */
export interface FenceSettings {
  readonly mode: RepairMode;
  readonly costs: CostChoice;
  /** Instead of robustness: properties that are to hold under TSO. */
  readonly properties?: readonly string[];
  /** Where to write the program; `-` is standard output. */
  readonly output?: string;
  /** Where to write the certificate. */
  readonly certificate?: string;
}

/** Where `check` writes reports for continuous integration. */
export interface CiSettings {
  readonly sarif?: string;
  readonly junit?: string;
}

/** Where `explain` draws what it explains; `-` is standard output. */
export interface PictureSettings {
  readonly html?: string;
  readonly svg?: string;
  readonly dot?: string;
}

/** What `prove` is asked for. */
export interface ProofSettings {
  /** Invariants or properties that are to hold under TSO. */
  readonly properties?: readonly string[];
  /** Look for invariants and abstractions where they are needed. */
  readonly infer?: boolean;
  /** Where to write what the proof claims, for the verifier. */
  readonly certificate?: string;
  /** Where to write the questions on which the proof rests. */
  readonly script?: string;
}

/** How the engine `search` works; changes no verdict. */
export type SearchSettings = Pick<CheckOptions, 'replayAll' | 'kernel'>;

/** How many copies there are, by thread. */
export type Copies = Readonly<Record<string, number>>;

/** What the options of a run come to; plain data, so that a worker can be given it. */
export interface Settings {
  /** Overrides what the file names say. */
  readonly from?: InputFormat;
  readonly engine: EngineName;
  /** Whose cycles count. */
  readonly notion: HappensBefore;
  /** For the engine `chc`: which Z3; native where there is one, if absent. */
  readonly solver?: SmtSolverChoice;
  readonly allAttacks: boolean;
  /** For `check`: what fails besides what always does. */
  readonly failOn?: readonly FailOn[];
  /** The reductions to do without. */
  readonly without: readonly ReductionName[];
  /** Those of them that were named by a switch of their own. */
  readonly byOldSwitch: readonly ReductionName[];
  readonly search: SearchSettings;
  /** For `bench`: whether to look for smallest fence sets. */
  readonly countFences: boolean;
  /** Engines `search` and `spin`: searches of one program to run at the same time. */
  readonly queryJobs: number;
  /** Engine `search`: milliseconds after which a search hands attackers over to other threads. */
  readonly handOverAfter: number;
  /** For `fence`. */
  readonly fence?: FenceSettings;
  /** For `prove`. */
  readonly proof?: ProofSettings;
  /** For `check`: try a proof where the search has no answer. */
  readonly triesProof?: boolean;
  /** For `bench`: what the table is about. */
  readonly suite?: 'search' | 'reduction';
  /** For `reach`: how many stores a buffer holds; unbounded where absent. */
  readonly buffer?: number;
  /** For `trf`: whether to look for fences. */
  readonly trfFences?: boolean;
  /** For `check`: where to write the proof that all instances are robust; for `trf`: that fences are cheapest. */
  readonly certificate?: string;
  /** For `check`. */
  readonly ci?: CiSettings;
  /** For `explain`. */
  readonly pictures?: PictureSettings;
  /** Numbers of copies to look at instead of what the file says, by thread. */
  readonly instances?: readonly Copies[];
  /** Those to look at now. */
  readonly copies?: Copies;
  readonly json: boolean;
  /** For each file. */
  readonly limits: Pick<Limits, 'maxStates' | 'maxMemory' | 'timeout'>;
  readonly colours: { readonly stdout: boolean; readonly stderr: boolean };
  /** Characters in a line of the terminal. */
  readonly width: number;
}

/** What a running search and its user tell each other. */
export type Hooks = Pick<Limits, 'signal' | 'onProgress'>;
