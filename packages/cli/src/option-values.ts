import path from 'node:path';
import type { Command, Option } from 'commander';
import { configurationName, findConfiguration } from './configuration/find-configuration.js';
import { coloursOf } from './options/common.js';
import type { ConfiguredBy } from './run-settings.js';

/** The values of a command's options, with those of the configuration. */
export interface OptionValues<V> {
  /** Absent where the configuration is wrong; a message has been written then. */
  readonly values?: V & { readonly configured?: ConfiguredBy };
  /** The configuration, or where one would be: what a watched run looks at, too. */
  readonly configuration: string;
}

/** What a configuration says: a value and its text for each option. */
type Said = Readonly<Record<string, { readonly value: unknown; readonly text: string }>>;

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

/** What a configuration says of options that the command has and its line does not decide. */
function whereUndecided(command: Command, said: Said): Said {
  const undecided = command.options
    .filter((option) => !isDecided(command, option))
    .map((option) => option.attributeName());
  // File formats have no option of their own.
  const names = new Set([...undecided, 'formats']);
  return Object.fromEntries(Object.entries(said).filter(([name]) => names.has(name)));
}

function valuesIn(said: Said, shown: string): Readonly<Record<string, unknown>> {
  const entries = Object.entries(said);
  if (entries.length === 0) return {};
  const configured: ConfiguredBy = { file: shown, settings: entries.map(([, { text }]) => text) };
  return { ...Object.fromEntries(entries.map(([name, { value }]) => [name, value])), configured };
}

/** The values of the options of a command; a configuration that is not used is told. */
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
  const more = valuesIn(whereUndecided(command, configured.said), shown);
  return { values: { ...values, ...more }, configuration: file };
}
