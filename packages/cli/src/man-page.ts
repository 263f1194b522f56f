import { frontEnds, netFormats } from '@fencewright/core/words';
import type { Option } from 'commander';
import { type Command, type CommandEntry, defaultOf } from './command-table.js';
import { answersInWords, exitCodesInWords } from './exit-codes-in-words.js';
import { exitCodes } from './exit-codes.js';
import { helpGroups } from './options/declare.js';

/** Escapes a text for `man`, so that no character acts as a command. */
function plain(text: string): string {
  return text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll("'", String.raw`\(aq`)
    .replaceAll('`', String.raw`\(ga`)
    .replaceAll('^', String.raw`\(ha`)
    .replaceAll('~', String.raw`\(ti`)
    .replaceAll(/^\./gm, String.raw`\&.`);
}

const item = (head: string, text: string): string => `.TP\n${head}\n${plain(text)}`;

/**
 * Returns the heading of an option in the man page, with the choices of its argument: `--color
 * auto|always|never`.
 */
function headOf({ flags, argChoices }: Option): string {
  const [, names = flags, argument] = /^(.*?)(?: ([<[].*))?$/.exec(flags) ?? [];
  const bold = String.raw`\fB${plain(names)}\fR`;
  if (argument === undefined) return bold;
  return argChoices
    ? `${bold} ${argChoices.map((word) => String.raw`\fB${plain(word)}\fR`).join('|')}`
    : String.raw`${bold} \fI${plain(argument.replaceAll(/[<>]/g, ''))}\fR`;
}

const textOf = (option: Option): string => `${option.description}${defaultOf(option)}`;

/**
 * Returns a key of an option. Options with different texts have different keys, even if their names
 * are equal.
 */
const identityOf = (option: Option): string => `${headOf(option)}\n${textOf(option)}`;

/**
 * The number of verbs that an option needs to have in common, so that the page explains the option
 * only once, for all verbs.
 */
const isCommonFrom = 4;

function commonOptions(table: readonly CommandEntry[]): readonly Option[] {
  const all = table.flatMap(({ options }) => options);
  const counts = new Map<string, number>();
  for (const option of all)
    counts.set(identityOf(option), (counts.get(identityOf(option)) ?? 0) + 1);
  const once = new Map(all.map((option) => [identityOf(option), option]));
  return [...once].flatMap(([key, option]) =>
    (counts.get(key) ?? 0) >= isCommonFrom ? [option] : [],
  );
}

function optionItems(options: readonly Option[]): string[] {
  return options.map((option) => item(headOf(option), textOf(option)));
}

/** Returns the common options under a heading of `--help`; empty if there are none. */
function groupItems(heading: string, common: readonly Option[]): string[] {
  const items = optionItems(common.filter((option) => option.helpGroupHeading === heading));
  return items.length > 0 ? [`.SS ${heading.slice(0, -1)}`, ...items] : [];
}

const namesOf = (options: readonly Option[]): string =>
  options.map(({ long }) => String.raw`\fB${plain(long ?? '')}\fR`).join(', ');

/**
 * Returns the text about a word after a verb: how the word changes the verb's options, and
 * explanations of options that exist only with the word.
 */
function behindItems(
  verb: CommandEntry,
  { name, options }: Command,
  explained: ReadonlySet<string>,
): string[] {
  const [known, has] = [verb.options, options].map((some) => new Set(some.map(({ long }) => long)));
  const missing = verb.options.filter(({ long }) => !has!.has(long));
  const isFew = missing.length > options.length;
  const also = options.filter(({ long }) => !known!.has(long));
  const parts = [
    ...(isFew ? [`takes only ${namesOf(options)}`] : []),
    ...(!isFew && missing.length > 0 ? [`does not take ${namesOf(missing)}`] : []),
    ...(!isFew && also.length > 0 ? [`takes ${namesOf(also)}`] : []),
  ];
  if (options.length === 0 || parts.length === 0) return [];
  const head = String.raw`\fB${plain(`${verb.name} ${name}`)}\fR`;
  const news = also.filter((option) => !explained.has(identityOf(option)));
  return ['.PP', `${head} ${parts.join(', and ')}.`, ...optionItems(news)];
}

function verbSection(
  verb: CommandEntry,
  common: ReadonlySet<string>,
  explained: ReadonlySet<string>,
): string[] {
  const { name, summary, operands, options, behind } = verb;
  const own = options.filter((option) => !common.has(identityOf(option)));
  const shared = options.filter((option) => common.has(identityOf(option)));
  const words = Object.keys(operands).map(
    (operand) => String.raw`\fI${plain(operand.replaceAll(/[<>]/g, ''))}\fR`,
  );
  const first = summary.slice(0, 1).toUpperCase() + summary.slice(1);
  return [
    `.SS ${[plain(name), ...words].join(' ')}`,
    plain(`${first}.`),
    ...optionItems(own),
    ...(shared.length > 0 ? ['.PP', `Common options: ${namesOf(shared)}.`] : []),
    ...behind.flatMap((word) => behindItems(verb, word, explained)),
  ];
}

function formatItems(): string[] {
  const row = (extensions: readonly string[], words: string, id: string): string =>
    item(
      extensions.map((extension) => String.raw`\fB${plain(extension)}\fR`).join(', '),
      `${words} (--from ${id})`,
    );
  return [
    ...frontEnds.map(({ id, extensions, title }) => row(extensions, title, id)),
    ...netFormats.map(({ id, extensions }) => row(extensions, 'nets, for cover only', id)),
  ];
}

function exitItems(): string[] {
  return [
    ...Object.entries(exitCodesInWords).map(([name, words]) =>
      item(String(exitCodes[name as keyof typeof exitCodesInWords]), words),
    ),
    '.PP',
    'With several files it is the first of 70, 65, 10, 5, 0 that occurs.',
    ...answersInWords().map(({ verb, zero, ten }) =>
      item(String.raw`\fB${plain(verb)}\fR`, `0 means that ${zero}, 10 that ${ten}`),
    ),
  ];
}

const examples: readonly (readonly [command: string, does: string])[] = [
  ['fencewright demo', 'shows the shortest program that goes wrong'],
  ['fencewright init lock.fw', 'writes a commented program to begin with'],
  ['fencewright lock.fw', 'answers all questions about the program'],
  ['fencewright fence --write lock.fw', 'inserts the cheapest fences'],
  ['fencewright check --json lock.fw', 'decides for programs of your own'],
];

/** Returns the manual page of the command; `table` is also the source of `--help`. */
export function manPage(table: readonly CommandEntry[], version: string): string {
  const common = commonOptions(table);
  const isCommon = new Set(common.map(identityOf));
  const explained = new Set(table.flatMap(({ options }) => options.map(identityOf)));
  return `${[
    String.raw`.\" Made by npm run generate from the table of verbs and options.`,
    `.TH FENCEWRIGHT 1 "" "fencewright ${version}"`,
    '.SH NAME',
    String.raw`fencewright \- decide what store buffers do to lock\-free programs`,
    '.SH SYNOPSIS',
    String.raw`\fBfencewright\fR \fIverb\fR [\fIoptions\fR] \fIfile\fR...`,
    '.br',
    String.raw`\fBfencewright\fR \fIfile\fR...`,
    '.SH DESCRIPTION',
    plain(
      'Reads a model of lock-free code, or code in C and C++, and decides whether every execution under TSO, the memory model of x86, looks like one under sequential consistency. If not, it shows one that does not; and it finds the cheapest fences.',
    ),
    '.PP',
    plain('Without a verb, all questions about the files are answered.'),
    plain(
      "The file - is standard input; a folder stands for the programs in it and below, a pattern in quotation marks ('tests/**/*.fw') for the files that match.",
    ),
    '.SH VERBS',
    ...table.flatMap((entry) => verbSection(entry, isCommon, explained)),
    '.SH COMMON OPTIONS',
    ...optionItems(common.filter(({ helpGroupHeading }) => helpGroupHeading === undefined)),
    ...helpGroups.flatMap((heading) => groupItems(heading, common)),
    '.SS Help',
    item(String.raw`\fB\-\-help\fR`, 'show what the command or a verb takes'),
    item(String.raw`\fB\-\-version\fR`, 'show the version'),
    '.SH FORMATS',
    plain('The name of a file tells its format, if --from does not.'),
    ...formatItems(),
    '.SH EXIT STATUS',
    ...exitItems(),
    '.SH ENVIRONMENT',
    item(String.raw`\fBNO_COLOR\fR`, 'no colours, whatever the terminal can show'),
    '.SH FILES',
    plain(
      'The pages docs/NAME.md and the programs examples/NAME come with the package; fencewright --help names their folder.',
    ),
    '.SH EXAMPLES',
    ...examples.map(([command, does]) => item(String.raw`\fB${plain(command)}\fR`, does)),
  ].join('\n')}\n`;
}
