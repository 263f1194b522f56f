import type { Command, Option } from 'commander';
import { type ExitCode, exitCodes } from './exit-codes.js';
import type { Sought } from './files-in.js';
import { configurationName, findConfiguration } from './configuration/find-configuration.js';
import type { FormatsByExtension, InputFormat } from './formats.js';
import { standsForFiles } from './operand-kind.js';
import { coloursOf } from './options/common.js';
import type { PreparedRun } from './run-watching.js';
import type { Verb } from './verb.js';

/** What options say that matter to all verbs, those that a configuration says included. */
interface SharedValues {
  readonly config?: boolean;
  readonly color?: 'auto';
  readonly from?: InputFormat;
  readonly formats?: FormatsByExtension;
  readonly watch?: true;
  readonly include?: readonly string[];
  readonly link?: readonly string[];
  readonly compileCommands?: string;
}

/** The values of all options, and the configuration that was read for them. */
interface Given {
  readonly values: SharedValues;
  readonly configuration?: string;
}

/** Whether the user gave an option, or one that it cannot be given beside. */
function isDecided(command: Command, option: Option): boolean {
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  const excludes = (one: Option, other: Option): boolean =>
    (one as unknown as { readonly conflictsWith: readonly string[] }).conflictsWith.includes(
      other.attributeName(),
    );
  return (
    isGiven(option.attributeName()) ||
    command.options.some(
      (other) =>
        isGiven(other.attributeName()) && (excludes(option, other) || excludes(other, option)),
    )
  );
}

/** What a configuration says where the command line says nothing. */
function whereUndecided(
  command: Command,
  configured: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { formats, ...rest } = configured;
  const values = command.options.flatMap((option): [string, unknown][] => {
    const name = option.attributeName();
    const applies = Object.hasOwn(rest, name) && !isDecided(command, option);
    return applies ? [[name, rest[name]]] : [];
  });
  return { ...Object.fromEntries(values), ...(formats !== undefined && { formats }) };
}

/** The values of the options, with those of the configuration; or `undefined`, with a message. */
async function valuesFor(command: Command): Promise<Given | undefined> {
  const values = command.opts<SharedValues>();
  const takesConfiguration = command.options.some(({ long }) => long === '--no-config');
  const file =
    takesConfiguration && values.config !== false ? findConfiguration(process.cwd()) : undefined;
  if (file === undefined) return { values };
  const { configuredValues } = await import('./configuration/configured-values.js');
  const isColoured = coloursOf({ color: 'auto', noColor: undefined, ...values }).stderr;
  const configured = await configuredValues(file, isColoured);
  if (configured.kind === 'values') {
    const more = whereUndecided(command, configured.values);
    return { values: { ...values, ...more }, configuration: file };
  }
  process.stderr.write(configured.text);
  return undefined;
}

/** Makes ready to run a verb once, with the options that `command` has read. */
async function prepare(command: Command, verb: Verb, takesMany: boolean): Promise<PreparedRun> {
  const given = await valuesFor(command);
  const configuration = given?.configuration ?? findConfiguration(process.cwd());
  const beside = [configuration ?? configurationName];
  if (!given)
    return {
      run: () => Promise.resolve(exitCodes.input),
      files: () => Promise.resolve(beside),
      include: [],
    };
  const { values } = given;
  const { link = [], compileCommands, include = [] } = values;
  const formats = values.from ? [values.from] : verb.formats;
  const sought: Sought = {
    ...(formats && { formats }),
    ...(values.formats && { extensions: values.formats }),
  };
  const operandsNow = async (): Promise<readonly string[]> => {
    if (!takesMany || !command.args.some(standsForFiles)) return command.args;
    const { allFilesIn } = await import('./files-in.js');
    return allFilesIn(command.args, sought);
  };
  const operands = await operandsNow();
  const complaint = verb.complaint(values, operands);
  if (complaint !== undefined) command.error(`error: ${complaint}`);
  const database = compileCommands === undefined ? [] : [compileCommands];
  return {
    run: () => verb.run(values, operands),
    files: async () => [...(await operandsNow()), ...link, ...database, ...beside],
    include,
  };
}

/**
 * Runs a verb with the options that `command` has read, and gives its exit code. `takesMany`:
 * folders and patterns stand for their files. With `--watch` it runs again whenever they change.
 */
export async function runVerb(command: Command, verb: Verb, takesMany: boolean): Promise<ExitCode> {
  const prepared = (): Promise<PreparedRun> => prepare(command, verb, takesMany);
  if (command.opts<SharedValues>().watch !== true) return (await prepared()).run();
  if (command.args.includes('-')) command.error('error: --watch cannot watch standard input');
  const { runWatching } = await import('./run-watching.js');
  return runWatching(prepared);
}
