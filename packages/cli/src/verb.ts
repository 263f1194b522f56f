import type { Refusal, Result, ResultOf } from '@fencewright/core';
import type { ExitCode } from './exit-codes.js';
import type { PrintedReport } from './file-report.js';
import type { InputFormat } from './formats.js';
import type { ReadFile } from './finding.js';
import type { inputOptions, timeAndMemory } from './options/common.js';
import type { OptionTable, ValuesOf } from './options/declare.js';
import type { Request, RunSettings } from './run-settings.js';

/** What the command line knows of a verb. */
export interface Declaration<O extends OptionTable> {
  /** As in the list of verbs. */
  readonly name: string;
  /** In the order of `--help`. */
  readonly options: O;
  /** Commands that the help of the verb shows, each with what it does. */
  readonly examples?: readonly (readonly [command: string, does: string])[];
  /** Words that can stand right behind it; with some of them it has other options. */
  readonly behind?: readonly string[];
  /** The formats that folders are searched for; by default all. */
  readonly formats?: readonly InputFormat[];
  /** What is wrong with the options together, if anything. */
  readonly complaint?: (values: ValuesOf<O>, operands: readonly string[]) => string | undefined;
}

/** A verb of the command line, whatever its options are. */
export interface Verb extends Omit<Declaration<OptionTable>, 'complaint'> {
  readonly complaint: (values: object, operands: readonly string[]) => string | undefined;
  readonly run: (values: object, operands: readonly string[]) => Promise<ExitCode>;
  /** The verb as one that asks a question about each file; absent for other verbs. */
  readonly ofFiles?: FileVerb;
}

/** What the help of the command says of a verb; the verb itself is loaded when it is asked for. */
export interface Entry {
  readonly summary: string;
  /** As commander writes them, each with what the help of the verb says of it. */
  readonly operands: Readonly<Record<string, string>>;
  /** Given the arguments of the command: what comes behind the verb may name another. */
  readonly load: (args: readonly string[]) => Promise<Verb>;
}

/** A verb that does what it does by itself. */
export function verb<O extends OptionTable>(
  declaration: Declaration<O>,
  run: (values: ValuesOf<O>, operands: readonly string[]) => Promise<ExitCode>,
): Verb {
  // What commander read is of the types that the options declare.
  return {
    ...declaration,
    complaint: (values, operands) => declaration.complaint?.(values as ValuesOf<O>, operands),
    run: (values, operands) => run(values as ValuesOf<O>, operands),
  };
}

/** What is asked about each file of a run. */
export type Asked = Pick<Request, 'question' | 'costsFile'>;

/** What a run says at its end. */
export interface Conclusion {
  readonly stdout?: string;
  /** The lines that say what could not be written. */
  readonly failed?: readonly string[];
}

/** What every such verb has. */
export type FileOptions = typeof inputOptions & typeof timeAndMemory & OptionTable;

/** A verb that asks something about programs, file by file, and prints a report on each. */
export interface FileVerb<
  O extends FileOptions = FileOptions,
  K extends Result['kind'] = never,
> extends Declaration<O> {
  readonly request: (values: ValuesOf<O>, files: readonly string[]) => Asked;
  /** What is said of a file, given the answer. Files that were asked for are written here. */
  readonly print: (
    read: ReadFile,
    answer: ResultOf<K>,
    run: RunSettings,
    values: ValuesOf<O>,
  ) => PrintedReport | Promise<PrintedReport>;
  /** What the report on an answer begins with as soon as the verdict of that is known. */
  readonly announce?: (
    read: ReadFile,
    answer: ResultOf<K>,
    run: RunSettings,
    values: ValuesOf<O>,
  ) => string | undefined;
  /** Nothing is printed of a file by itself. */
  readonly isSilent?: boolean;
  /** What is said at the end, given all reports. */
  readonly conclude?: (
    reports: readonly PrintedReport[],
    run: RunSettings,
    values: ValuesOf<O>,
  ) => Promise<Conclusion>;
  /** Whether a report on the whole run takes standard output, so that the text goes beside it. */
  readonly takesStdout?: (values: ValuesOf<O>) => boolean;
  /** What a question is refused for, where it is not the verb: a part of a sentence. */
  readonly subjectOf?: (values: ValuesOf<O>) => string;
  /** What is said besides why a question is refused; a line. */
  readonly remark?: (refusal: Refusal, file: string, values: ValuesOf<O>) => string;
  /**
   * It makes a text instead of a report: what stops it is said on the other stream, warnings first.
   */
  readonly makesText?: boolean;
  /** The command in the JSON document, if it is not the verb. */
  readonly documentOf?: (values: ValuesOf<O>) => string;
}
