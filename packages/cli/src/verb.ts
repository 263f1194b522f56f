import type { Refusal, Result, ResultOf } from '@fencewright/core';
import type { ExitCode } from './exit-codes.js';
import type { PrintedReport } from './file-report.js';
import type { InputFormat } from './formats.js';
import type { ReadFile } from './finding.js';
import type { inputOptions, timeAndMemory } from './options/common.js';
import type { OptionTable, ValuesOf } from './options/declare.js';
import type { Request, RunSettings } from './run-settings.js';

/** The description of a verb, used for making the command line. */
interface VerbDeclaration<O extends OptionTable> {
  /** The name of the verb, as typed by the user and as shown in the list of verbs. */
  readonly name: string;
  /** The options of the verb, in the order of `--help`. */
  readonly options: O;
  /** Example commands for the help of the verb, each with an explanation. */
  readonly examples?: readonly (readonly [command: string, does: string])[];
  /** Words that may follow the verb directly; some of them change the verb's options. */
  readonly behind?: readonly string[];
  /** The formats of files to look for in folders; all formats if absent. */
  readonly formats?: readonly InputFormat[];
  /** Returns the error in the combination of options and operands; `undefined` if there is none. */
  readonly complaint?: (values: ValuesOf<O>, operands: readonly string[]) => string | undefined;
}

/** A verb of the command line, whatever the type of its options. */
export interface Verb extends Omit<VerbDeclaration<OptionTable>, 'complaint'> {
  readonly complaint: (values: object, operands: readonly string[]) => string | undefined;
  readonly run: (values: object, operands: readonly string[]) => Promise<ExitCode>;
  /**
   * The question of the verb about each file, and the function that answers the question; absent
   * for verbs without such a question.
   */
  readonly ofFiles?: FileVerb;
}

/** The entry of a verb in the list of verbs; the verb's code is loaded on demand. */
export interface VerbEntry {
  readonly summary: string;
  /** The operands of the verb, written as in the library commander, each with a help text. */
  readonly operands: Readonly<Record<string, string>>;
  /**
   * The meanings of the exit statuses 0 and 10, if the verb answers another question than
   * robustness. Keys are the options that change the question; the empty text is for the verb
   * without such an option.
   */
  readonly answers?: Readonly<Record<string, readonly [zero: string, ten: string]>>;
  /**
   * Loads the verb; `args` are the arguments of the command, as a word after the verb may select
   * another verb.
   */
  readonly load: (args: readonly string[]) => Promise<Verb>;
}

/** Makes a verb from its declaration and the function `run`. */
export function verb<O extends OptionTable>(
  declaration: VerbDeclaration<O>,
  run: (values: ValuesOf<O>, operands: readonly string[]) => Promise<ExitCode>,
): Verb {
  // The values read by commander have the types declared by the options.
  return {
    ...declaration,
    complaint: (values, operands) => declaration.complaint?.(values as ValuesOf<O>, operands),
    run: (values, operands) => run(values as ValuesOf<O>, operands),
  };
}

/** The question that a verb asks about each file, with the file of costs. */
type VerbQuestion = Pick<Request, 'question' | 'costsFile'>;

/** The output of a verb after all files. */
export interface FinalOutput {
  readonly stdout?: string;
  /** The error messages about unwritable files, one for each element. */
  readonly failed?: readonly string[];
}

/** The options that all verbs with a question about each file have. */
export type FileOptions = typeof inputOptions & typeof timeAndMemory & OptionTable;

/** A verb that asks a question about programs, file by file, and prints a report on each. */
export interface FileVerb<
  O extends FileOptions = FileOptions,
  K extends Result['kind'] = never,
> extends VerbDeclaration<O> {
  readonly request: (values: ValuesOf<O>, files: readonly string[]) => VerbQuestion;
  /** Returns the report on a file, given the answer; also writes the requested output files. */
  readonly print: (
    read: ReadFile,
    answer: ResultOf<K>,
    run: RunSettings,
    values: ValuesOf<O>,
  ) => PrintedReport | Promise<PrintedReport>;
  /**
   * Returns the verdict in a few words, which a terminal shows while the search for the rest goes
   * on.
   */
  readonly announce?: (answer: ResultOf<K>) => string | undefined;
  /** Whether the verb prints no report about single files. */
  readonly isSilent?: boolean;
  /** Returns the output at the end of the run, given the reports on all files. */
  readonly conclude?: (
    reports: readonly PrintedReport[],
    run: RunSettings,
    values: ValuesOf<O>,
  ) => Promise<FinalOutput>;
  /**
   * Returns whether a report on the whole run goes to standard output, so that the text goes to
   * stderr.
   */
  readonly takesStdout?: (values: ValuesOf<O>) => boolean;
  /**
   * Returns the words that name the verb in a message about a refused question, if other than the
   * verb's name.
   */
  readonly subjectOf?: (values: ValuesOf<O>) => string;
  /** Returns a line to be printed after the reason why a question was refused. */
  readonly remark?: (refusal: Refusal, file: string, values: ValuesOf<O>) => string;
  /**
   * Whether the verb prints a text instead of a report: then errors go to stderr, warnings first.
   */
  readonly makesText?: boolean;
  /** Returns the member `command` of the JSON document, if other than the verb's name. */
  readonly documentOf?: (values: ValuesOf<O>) => string;
}
