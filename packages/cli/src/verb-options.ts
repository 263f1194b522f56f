import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { inHelpOrder } from './options/declare.js';
import type { Verb } from './verb.js';

/** An option of a verb, with how the help shows it. */
interface VerbOption {
  /** The option; marked as hidden if neither `--help` nor `--help-all` shows it. */
  readonly option: Option;
  /** Whether `--help` shows the option, and not only `--help-all`. */
  readonly isCommon: boolean;
  /** The recommended new spelling, for an option with an old spelling. */
  readonly renamed?: string;
}

/** The maximum number of options for which `--help` shows all options of a verb. */
const mostShown = 12;

/** Returns the option `--report`, given the content of the report for each format. */
function reportOption(contents: Readonly<Record<string, string>>): Option {
  const formats = Object.keys(contents);
  const list = Object.entries(contents).map(([format, what]) => `${format} (${what})`);
  const help = `write a report into a file, - is stdout; may be repeated: ${list.join(', ')}`;
  return new Option('--report <format=file>', help).argParser((text) => {
    const [, format = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
    if (!formats.includes(format))
      throw new InvalidArgumentError(
        `It has to be FORMAT=FILE, of the formats ${formats.join(', ')}.`,
      );
    return [format, file];
  });
}

/**
 * Returns the options of a verb in the order of help: the declared ones, `--report` if the verb
 * writes reports, and `--help-all` if `--help` leaves options out.
 */
export function optionsOf(verb: Verb): readonly VerbOption[] {
  const contents: Record<string, string> = {};
  const declared = new Map<Option, Omit<VerbOption, 'option'>>();
  for (const { make, isCommon = false, renamed, report } of Object.values(verb.options)) {
    const option = make();
    declared.set(option, { isCommon, ...(renamed !== undefined && { renamed }) });
    if (report !== undefined) contents[option.attributeName()] = report;
  }
  if (Object.keys(contents).length > 0) declared.set(reportOption(contents), { isCommon: true });
  const shown = [...declared].filter(([{ hidden }]) => !hidden);
  const isLong = shown.length > mostShown;
  const ordered = inHelpOrder([...declared.keys()]).map((option): VerbOption => {
    const { isCommon, ...rest } = declared.get(option)!;
    return { option, isCommon: !isLong || isCommon, ...rest };
  });
  const all = new Option('--help-all', 'show all options').hideHelp(!isLong);
  const old = new Option('--help-advanced', 'show all options').hideHelp();
  return [
    ...ordered,
    { option: all, isCommon: true },
    { option: old, isCommon: false, renamed: '--help-all' },
  ];
}

/** Makes `--help-all` print the help with the options in `left`, which `--help` leaves out. */
function showAll(command: Command, left: readonly Option[]): void {
  const show = (): never => {
    for (const option of left) option.hideHelp(false);
    command.outputHelp();
    throw new CommanderError(0, 'commander.help', '(outputHelp)');
  };
  command.on('option:help-all', show);
  command.on('option:help-advanced', show);
}

/** Makes `--report FORMAT=FILE` set the option `--FORMAT FILE`. */
function expandReports(command: Command): void {
  command.on('option:report', () => {
    const [format, file] = command.getOptionValue('report') as [format: string, file: string];
    command.setOptionValueWithSource(format, file, 'cli');
    command.setOptionValueWithSource('report', undefined, undefined);
  });
}

/** Adds the verb's options to a command; `warn` is called for each old spelling, once. */
export function addOptions(command: Command, verb: Verb, warn: (line: string) => void): void {
  const options = optionsOf(verb);
  const left = options.flatMap(({ option, isCommon }) =>
    isCommon || option.hidden ? [] : [option],
  );
  const warned = new Set<string>();
  for (const { option, renamed } of options) {
    command.addOption(option);
    const { long = '' } = option;
    if (renamed === undefined) continue;
    command.on(`option:${option.name()}`, () => {
      if (warned.has(long)) return;
      warned.add(long);
      warn(`fencewright: ${long} is an old spelling: write ${renamed}\n`);
    });
  }
  for (const option of left) option.hideHelp();
  expandReports(command);
  showAll(command, left);
}
