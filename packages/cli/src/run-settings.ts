import path from 'node:path';
import type { Limits, Question } from '@fencewright/core';
import type { FormatsByExtension, InputFormat } from './formats.js';

/** The numbers of copies by thread, or the numbers of instances by event. */
export type CopyNumbers = Readonly<Record<string, number>>;

/**
 * The ranges of values that a program in C gets from outside (arguments, results of library
 * functions), by name.
 */
export type OutsideWishes = Readonly<
  Record<string, { readonly low: number; readonly high: number }>
>;

/** A configuration file that influenced a run, with the settings used. */
export interface ConfiguredBy {
  readonly file: string;
  /** The used settings of the configuration file, such as `limits.timeout = 60`. */
  readonly settings: readonly string[];
  /** The names of the options whose values the configuration file sets, if known. */
  readonly options?: readonly string[];
}

/** The options for compiling C; plain data. */
export interface CWishes {
  readonly clang?: string;
  readonly include?: readonly string[];
  readonly define?: readonly string[];
  readonly std?: string;
  readonly ccArgs?: readonly string[];
  /**
   * The headers searched first: the supplied headers, or the machine's; `chooseHeaders` chooses if
   * absent.
   */
  readonly headers?: 'own' | 'machine';
  /** The names of further files in C that belong to the program. */
  readonly link?: readonly string[];
  readonly compileCommands?: string;
  readonly pool?: number;
  readonly outside?: OutsideWishes;
  /** The names of the C functions that any number of threads run. */
  readonly anyNumberOf?: readonly string[];
  /**
   * Programs with settings of their own, by the absolute path of the file. `wishes` contains all
   * settings of the program, not only the differences.
   */
  readonly programs?: readonly {
    readonly file: string;
    readonly wishes: CWishes;
    /** The entry of the configuration file that sets the program's settings, as text. */
    readonly text: string;
  }[];
}

/**
 * Returns the settings of a file's program: its own settings in the configuration, with `text`, the
 * entry of the configuration; or else the settings common to all programs.
 */
export function wishesFor(
  file: string,
  wishes: CWishes = {},
): { readonly wishes: CWishes; readonly text?: string } {
  const { programs = [], ...common } = wishes;
  const own = programs.find((program) => program.file === path.resolve(file));
  return own ?? { wishes: common };
}

/** The options for reading C, with the number of threads that run each function. */
export interface CReadWishes extends CWishes {
  readonly counts?: ReadonlyMap<string, number | 'any'>;
  /** Present if the main file of the program is LLVM IR. */
  readonly isIr?: true;
}

/** Returns the options to read an instance with given numbers of threads. */
export function instanceOfC(
  wishes: CWishes = {},
  copies: ReadonlyMap<string, number> = new Map(),
): CReadWishes {
  const counts = new Map<string, number | 'any'>(copies);
  for (const name of wishes.anyNumberOf ?? []) counts.set(name, 'any');
  return counts.size === 0 ? wishes : { ...wishes, counts };
}

/**
 * The objects whose numbers the user sets by `--threads` or `--instances`: copies of threads, or
 * instances of events.
 */
export type Counted = 'threads' | 'instances';

/**
 * The question about each file of a run, with options; plain data, so that a thread can receive it.
 */
export interface Request {
  /** The question, without the text of the file, which is added when read. */
  readonly question: Question;
  /** The name of the file with the costs for the question. */
  readonly costsFile?: string;
  /** The format of all files; overrides the formats of the file names. */
  readonly from?: InputFormat;
  /** The formats of files whose extensions the user has configured, by extension. */
  readonly formats?: FormatsByExtension;
  /** The numbers of copies, which replace the numbers in the file. */
  readonly copies?: CopyNumbers;
  /** The objects that `copies` counts; if absent, threads or instances, by the kind of program. */
  readonly counted?: Counted;
  readonly c?: CWishes;
  readonly configured?: ConfiguredBy;
  /** The limits of the work on each file. */
  readonly limits: Pick<Limits, 'maxStates' | 'effort' | 'maxMemory' | 'timeout'>;
}

/** The settings for output. */
export interface RunSettings {
  readonly json: boolean;
  /** The limits of the work on each file. */
  readonly limits: Request['limits'];
  readonly colours: { readonly stdout: boolean; readonly stderr: boolean };
  /** The number of characters that fit into a line of the terminal. */
  readonly width: number;
  /** The numbers of copies in the instance that the run is about. */
  readonly copies?: CopyNumbers;
}

/**
 * The functions through which a running search and the user communicate: progress, and the request
 * to stop.
 */
export type Hooks = Pick<Limits, 'signal' | 'onProgress'>;
