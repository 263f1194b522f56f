import { quoteName } from '@fencewright/core/words';
import type { Command } from 'commander';
import type { ConfiguredProgram } from './configuration/schema.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { frontEndOf, formatOf, type FormatsByExtension, type InputFormat } from './formats.js';
import { standsForFiles } from './operand-kind.js';
import { optionValues } from './option-values.js';
import { type ClangValues, clangValues } from './options/clang-arguments.js';
import type { ConfiguredBy } from './run-settings.js';
import type { PreparedRun } from './run-watching.js';
import type { Verb } from './verb.js';

/**
 * The values of the options that all verbs have, from the command line and from a configuration.
 */
interface SharedValues {
  readonly configured?: ConfiguredBy;
  readonly from?: InputFormat;
  readonly formats?: FormatsByExtension;
  readonly watch?: true;
  readonly include?: readonly string[];
  readonly link?: readonly string[];
  readonly compileCommands?: string;
  readonly ccArg?: readonly string[];
  readonly copies?: readonly unknown[];
  readonly threads?: readonly unknown[];
  readonly programs?: readonly ConfiguredProgram[];
}

/** Returns the error in the user's arguments for clang; `undefined` if there is none. */
async function complaintAboutC({ ccArg }: SharedValues): Promise<string | undefined> {
  if (!ccArg) return undefined;
  const { refusedArgument } = await import('@fencewright/core/node');
  const refused = refusedArgument(ccArg);
  return (
    refused && `the argument ${quoteName(refused.argument)} for clang is refused: ${refused.why}`
  );
}

/** Returns the formats of the operands that name programs, by file extension. */
function formatsIn(
  { from, formats }: SharedValues,
  operands: readonly string[],
): readonly InputFormat[] {
  return operands.flatMap((operand) => from ?? formatOf(operand, formats) ?? []);
}

const isC = (format: InputFormat): boolean => frontEndOf(format).isCompiled === true;

/** Returns the error in the numbers of copies for the operands; `undefined` if there is none. */
function complaintAboutCopies(
  values: SharedValues,
  operands: readonly string[],
): string | undefined {
  const formats = values.copies ? formatsIn(values, operands) : [];
  return formats.length > 0 && formats.every(isC)
    ? '--copies is about thread t[...] and events: in C, --threads f=3 says how many threads run f'
    : undefined;
}

/** Tells the user to write `--copies`, if `--threads` was given for programs outside C. */
function sayHowToCount(values: SharedValues, operands: readonly string[]): void {
  if (values.threads && formatsIn(values, operands).some((format) => !isC(format)))
    process.stderr.write(
      'fencewright: --threads is for C, elsewhere it is an old spelling: write --copies NAME=N\n',
    );
}

/** Returns the operands of a command; the last `behind` arguments come after `--`. */
function operandsOf(command: Command, verb: Verb, behind: number): readonly string[] {
  const { args, registeredArguments } = command;
  const own = args.slice(0, args.length - behind);
  const rest = args.slice(own.length);
  const namesFile = own.length > 0 || 'for' in command.opts();
  const isForClang = namesFile && rest[0]?.startsWith('-') === true && rest[0] !== '-';
  const operands = isForClang ? own : args;
  if (isForClang) {
    if (!('ccArg' in verb.options))
      command.error(`error: ${verb.name} compiles nothing, and takes no arguments behind --`);
    // Values from the old spellings come first.
    const { include = [], define = [], ccArg = [] } = command.opts<ClangValues>();
    const given = clangValues(rest);
    const all: ClangValues = {
      ...given,
      ...(given.include && { include: [...include, ...given.include] }),
      ...(given.define && { define: [...define, ...given.define] }),
      ...(given.ccArg && { ccArg: [...ccArg, ...given.ccArg] }),
    };
    for (const [name, value] of Object.entries(all))
      command.setOptionValueWithSource(name, value, 'cli');
  }
  const most = registeredArguments.at(-1)?.variadic ? Infinity : registeredArguments.length;
  if (operands.length > most)
    command.error(
      `error: too many arguments for '${verb.name}'. It takes ${most}, and ${operands.length} are given.`,
    );
  return operands;
}

/**
 * Tells the user that a configuration influenced an answer, for verbs without a place for such a
 * note in their output.
 */
function sayConfigured({ ofFiles }: Verb, { configured }: SharedValues): void {
  if (configured && configured.settings.length > 0 && !ofFiles)
    process.stderr.write(
      `fencewright: ${configured.file} sets ${configured.settings.join(', ')}\n`,
    );
}

/**
 * Makes a run of a verb ready, with the options read by `command`. With `takesMany`, folders and
 * patterns among the operands `named` are replaced by their files.
 */
async function prepare(
  command: Command,
  verb: Verb,
  named: readonly string[],
  takesMany: boolean,
): Promise<PreparedRun> {
  const { values, configuration } = await optionValues<SharedValues>(command);
  const beside = [configuration];
  if (!values)
    return {
      run: () => Promise.resolve(exitCodes.input),
      files: () => Promise.resolve(beside),
      include: [],
    };
  sayConfigured(verb, values);
  const { link = [], compileCommands, include = [], programs = [] } = values;
  const parts: string[] = [];
  const operandsNow = async (): Promise<readonly string[]> => {
    if (!takesMany || !named.some(standsForFiles)) return named;
    const { allFilesIn, soughtOf } = await import('./files-in.js');
    const sought = soughtOf(values, (file) => void parts.push(file));
    const isOfVerb = !values.from && verb.formats;
    return allFilesIn(named, isOfVerb ? { ...sought, formats: verb.formats } : sought);
  };
  const operands = await operandsNow();
  if (parts.length > 0) {
    const { leftOutInWords } = await import('./files-in.js');
    process.stderr.write(leftOutInWords(parts));
  }
  const complaint =
    verb.complaint(values, operands) ??
    complaintAboutCopies(values, operands) ??
    (await complaintAboutC(values));
  if (complaint !== undefined) command.error(`error: ${complaint}`);
  const linked = programs.flatMap(({ values: { link: own = [] } }) => own);
  const database = compileCommands === undefined ? [] : [compileCommands];
  return {
    run: () => verb.run(values, operands),
    files: async () => [...(await operandsNow()), ...link, ...linked, ...database, ...beside],
    include: [...include, ...programs.flatMap(({ values: { include: own = [] } }) => own)],
  };
}

/**
 * Runs a verb with the options read by `command`, and returns the exit status. With `takesMany`,
 * folders and patterns are replaced by their files. `behind` is the number of arguments after `--`.
 * With `--watch` the verb runs again whenever the files change.
 */
export async function runVerb(
  command: Command,
  verb: Verb,
  takesMany: boolean,
  behind: number,
): Promise<ExitCode> {
  const operands = operandsOf(command, verb, behind);
  sayHowToCount(command.opts<SharedValues>(), operands);
  const prepared = (): Promise<PreparedRun> => prepare(command, verb, operands, takesMany);
  if (command.opts<SharedValues>().watch !== true) return (await prepared()).run();
  if (operands.includes('-')) command.error('error: --watch cannot watch standard input');
  const { runWatching } = await import('./run-watching.js');
  return runWatching(prepared);
}
