import type { Limits, Question } from '@fencewright/core';
import type { FormatsByExtension, InputFormat } from './formats.js';

/** How many copies there are, by thread, or how many instances, by event. */
export type Copies = Readonly<Record<string, number>>;

/** What values from outside may be, by their names. */
export type OutsideWishes = Readonly<
  Record<string, { readonly low: number; readonly high: number }>
>;

/** A configuration file that had a part in a run, and the settings that were taken from it. */
export interface ConfiguredBy {
  readonly file: string;
  /** Such as `limits.timeout = 60`. */
  readonly settings: readonly string[];
}

/** How C is compiled, where options say so; plain data. */
export interface CWishes {
  readonly clang?: string;
  readonly include?: readonly string[];
  readonly define?: readonly string[];
  readonly std?: string;
  readonly ccArgs?: readonly string[];
  /** Whose headers it is compiled with. */
  readonly headers?: 'own' | 'machine';
  /** Further files of the program. */
  readonly link?: readonly string[];
  readonly compileCommands?: string;
  readonly pool?: number;
  readonly outside?: OutsideWishes;
  /** Functions that any number of threads run. */
  readonly anyNumberOf?: readonly string[];
}

/** The same, with how many threads run functions, by their names. */
export interface CReadWishes extends CWishes {
  readonly counts?: ReadonlyMap<string, number | 'any'>;
}

/** How one instance is read. */
export function instanceOfC(
  wishes: CWishes = {},
  copies: ReadonlyMap<string, number> = new Map(),
): CReadWishes {
  const counts = new Map<string, number | 'any'>(copies);
  for (const name of wishes.anyNumberOf ?? []) counts.set(name, 'any');
  return counts.size === 0 ? wishes : { ...wishes, counts };
}

/** What numbers are given for, by the option that gives them. */
export type Counted = 'threads' | 'instances';

/**
 * What is to be found out about each file of a run; plain data, so that a thread can be given it.
 */
export interface Request {
  /** Where the question wants a text it is that of the file. */
  readonly question: Question;
  /** The file with the costs that the question is to have. */
  readonly costsFile?: string;
  /** Overrides what the file names say. */
  readonly from?: InputFormat;
  /** What file names say besides what everybody knows. */
  readonly formats?: FormatsByExtension;
  /** Numbers to look at instead of what the file says. */
  readonly copies?: Copies;
  /** Of what; either where it is absent. */
  readonly counted?: Counted;
  readonly c?: CWishes;
  readonly configured?: ConfiguredBy;
  /** For each file. */
  readonly limits: Pick<Limits, 'maxStates' | 'maxMemory' | 'timeout'>;
}

/** How what was found out is shown. */
export interface RunSettings {
  readonly json: boolean;
  /** For each file. */
  readonly limits: Request['limits'];
  readonly colours: { readonly stdout: boolean; readonly stderr: boolean };
  /** Characters in a line of the terminal. */
  readonly width: number;
  /** The instance that is looked at. */
  readonly copies?: Copies;
}

/** What a running search and its user tell each other. */
export type Hooks = Pick<Limits, 'signal' | 'onProgress'>;
