import type { Refusal, Result, ResultOf } from '@fencewright/core';
import type { ExitCode } from './exit-codes.js';
import type { PrintedReport } from './file-report.js';
import type { InputFormat } from './formats.js';
import type { ReadFile } from './finding.js';
import type { inputOptions, timeAndMemory } from './options/common.js';
import type { OptionTable, ValuesOf } from './options/declare.js';
import type { Request, RunSettings } from './run-settings.js';

/** The description of a verb for the command line. */
export interface Declaration<O extends OptionTable> {
  /** The name in the list of verbs. */
  readonly name: string;
  /** The options, in the order of `--help`. */
  readonly options: O;
  /** Example commands for the help of the verb, each with an explanation. */
  readonly examples?: readonly (readonly [command: string, does: string])[];
  /** Words allowed directly after the verb; some words change the verb's options. */
  readonly behind?: readonly string[];
  /** The formats of files to search for in folders; by default all. */
  readonly formats?: readonly InputFormat[];
  /** Returns the error in the combination of options, if any. */
  readonly complaint?: (values: ValuesOf<O>, operands: readonly string[]) => string | undefined;
}

/** A verb of the command line, with options of any type. */
export interface Verb extends Omit<Declaration<OptionTable>, 'complaint'> {
  readonly complaint: (values: object, operands: readonly string[]) => string | undefined;
  readonly run: (values: object, operands: readonly string[]) => Promise<ExitCode>;
  /** The verb with the question about each file; absent for verbs without such a question. */
  readonly ofFiles?: FileVerb;
}

/** The entry of a verb in the help of the command; the verb itself is loaded on demand. */
export interface Entry {
  readonly summary: string;
  /** The operands in commander's notation, each with a help text. */
  readonly operands: Readonly<Record<string, string>>;
  /**
   * Loads the verb for the arguments of the command; a word after the verb may select another verb.
   */
  readonly load: (args: readonly string[]) => Promise<Verb>;
}

/** Makes a verb from its declaration and its own `run`. */
export function verb<O extends OptionTable>(
  declaration: Declaration<O>,
  run: (values: ValuesOf<O>, operands: readonly string[]) => Promise<ExitCode>,
): Verb {
  // The values read by commander have the types declared by the options.
  return {
    ...declaration,
    complaint: (values, operands) => declaration.complaint?.(values as ValuesOf<O>, operands),
    run: (values, operands) => run(values as ValuesOf<O>, operands),
  };
}

/** The question about each file of a run. */
export type Asked = Pick<Request, 'question' | 'costsFile'>;

/** The output at the end of a run. */
export interface Conclusion {
  readonly stdout?: string;
  /** The error messages for files that could not be written, one a line. */
  readonly failed?: readonly string[];
}

/** The common options of all verbs that ask about files. */
export type FileOptions = typeof inputOptions & typeof timeAndMemory & OptionTable;

/** A verb that asks a question about programs, file by file, and prints a report on each. */
export interface FileVerb<
  O extends FileOptions = FileOptions,
  K extends Result['kind'] = never,
> extends Declaration<O> {
  readonly request: (values: ValuesOf<O>, files: readonly string[]) => Asked;
  /**
   * Returns the report on a file, given the answer. Requested output files are written at the same
   * time.
   */
  readonly print: (
    read: ReadFile,
    answer: ResultOf<K>,
    run: RunSettings,
    values: ValuesOf<O>,
  ) => PrintedReport | Promise<PrintedReport>;
  /** Returns the beginning of the report on an answer, as soon as the verdict is known. */
  readonly announce?: (
    read: ReadFile,
    answer: ResultOf<K>,
    run: RunSettings,
    values: ValuesOf<O>,
  ) => string | undefined;
  /** Whether no report on a single file is printed. */
  readonly isSilent?: boolean;
  /** Returns the final output, given all reports. */
  readonly conclude?: (
    reports: readonly PrintedReport[],
    run: RunSettings,
    values: ValuesOf<O>,
  ) => Promise<Conclusion>;
  /** Whether a report on the whole run takes standard output, so that the text goes to stderr. */
  readonly takesStdout?: (values: ValuesOf<O>) => boolean;
  /** Returns the subject of a refusal, if other than the verb: a part of a sentence. */
  readonly subjectOf?: (values: ValuesOf<O>) => string;
  /** Returns a line to print besides the reason for a refusal. */
  readonly remark?: (refusal: Refusal, file: string, values: ValuesOf<O>) => string;
  /** Whether the verb prints a text instead of a report: errors go to stderr, warnings first. */
  readonly makesText?: boolean;
  /** The command in the JSON document, if other than the verb. */
  readonly documentOf?: (values: ValuesOf<O>) => string;
}
