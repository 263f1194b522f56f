import path from 'node:path';
import type { Command, Option } from 'commander';
import { configurationName, findConfiguration } from './configuration/find-configuration.js';
import { coloursOf } from './options/common.js';
import type { ConfiguredProgram } from './configuration/schema.js';
import type { ConfiguredBy } from './run-settings.js';

/** The values of a command's options, from the command line and from the configuration. */
interface OptionValues<V> {
  /** The values; absent if the configuration has errors, which have then been printed. */
  readonly values?: V & { readonly configured?: ConfiguredBy };
  /**
   * The configuration file, or the path of the file that would be used: a watched run also watches
   * this file.
   */
  readonly configuration: string;
}

/**
 * Returns the settings of a configured program, without those that options on the command line
 * override.
 */
function programWhereUndecided(
  { values, given, ...program }: ConfiguredProgram,
  undecided: ReadonlySet<string>,
): ConfiguredProgram {
  const open = (settings: object): object =>
    Object.fromEntries(
      Object.entries(settings).filter(([name]) => name === 'file' || undecided.has(name)),
    );
  return { ...program, values: open(values), given: open(given) };
}

/** The settings of a configuration, by option: the value, and the setting as text. */
type ConfiguredValues = Readonly<
  Record<string, { readonly value: unknown; readonly text: string }>
>;

/** Whether the user gave the option on the command line, or an option that conflicts with it. */
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

/**
 * Returns the settings of a configuration for options of the command that the command line leaves
 * open.
 */
function whereUndecided(command: Command, settings: ConfiguredValues): ConfiguredValues {
  const undecided = new Set(
    command.options
      .filter((option) => !isDecided(command, option))
      .map((option) => option.attributeName()),
  );
  const open = Object.entries(settings).flatMap(([name, setting]) => {
    // No option sets file formats, or names programs.
    if (name === 'formats' || undecided.has(name)) return [[name, setting] as const];
    if (name !== 'programs') return [];
    const programs = setting.value as readonly ConfiguredProgram[];
    const value = programs.map((each) => programWhereUndecided(each, undecided));
    return [[name, { ...setting, value }] as const];
  });
  return Object.fromEntries(open);
}

function valuesIn(settings: ConfiguredValues, shown: string): Readonly<Record<string, unknown>> {
  const entries = Object.entries(settings);
  if (entries.length === 0) return {};
  // A program's settings are noted with the answers about this program.
  const ofAll = entries.filter(([name]) => name !== 'programs');
  const configured: ConfiguredBy = {
    file: shown,
    settings: ofAll.map(([, { text }]) => text),
    options: ofAll.map(([name]) => name),
  };
  return { ...Object.fromEntries(entries.map(([name, { value }]) => [name, value])), configured };
}

/** Returns the values of a command's options; tells the user if a configuration is not used. */
export async function optionValues<V extends object>(command: Command): Promise<OptionValues<V>> {
  const values = command.opts<V & { readonly config?: boolean; readonly color?: 'auto' }>();
  const takesConfiguration = command.options.some(({ long }) => long === '--no-config');
  const found =
    takesConfiguration && values.config !== false ? findConfiguration(process.cwd()) : undefined;
  if (!found) return { values, configuration: configurationName };
  const { file } = found;
  const shown = path.relative('', file);
  if (found.kind === 'passed-over') {
    process.stderr.write(`fencewright: ${shown} is not used: it ${found.why}\n`);
    return { values, configuration: file };
  }
  const { readConfigured } = await import('./configuration/read-configured.js');
  const isColoured = coloursOf({ color: 'auto', noColor: undefined, ...values }).stderr;
  const configured = await readConfigured(file, isColoured);
  if (configured.kind === 'refused') {
    process.stderr.write(configured.text);
    return { configuration: file };
  }
  const more = valuesIn(whereUndecided(command, configured.settings), shown);
  return { values: { ...values, ...more }, configuration: file };
}
