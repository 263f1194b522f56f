import { Option } from 'commander';

/** An option that a verb has, and the type of what it says. */
export interface Declared<T> {
  /** Made anew for each command line. */
  readonly make: () => Option;
  /** `--help` of a verb with many options shows only the common ones, `--help-all` shows all. */
  readonly isCommon?: boolean;
  /** The option is an old spelling: how to write the same now. */
  readonly renamed?: string;
  /** The option is an old spelling of `--report FORMAT=FILE`: the contents of that report. */
  readonly report?: string;
  /** Never there: it has the type of the value. */
  readonly value?: T;
}

/** The options of a verb, by the names of their values: `maxStates` for `--max-states`. */
export type OptionTable = Readonly<Record<string, Declared<unknown>>>;

/** What options say. */
export type ValuesOf<O extends OptionTable> = {
  readonly [K in keyof O]: O[K] extends Declared<infer T> ? T : never;
};

/** What the options say where none is given. */
export function defaultsOf(options: OptionTable): Readonly<Record<string, unknown>> {
  const values = Object.entries(options).map(
    ([name, { make }]) => [name, make().defaultValue as unknown] as const,
  );
  return Object.fromEntries(values);
}

/** A switch. */
export function flag(flags: string, help: string): Declared<true | undefined> {
  return { make: () => new Option(flags, help) };
}

/** An option that takes any text. */
export function text(flags: string, help: string): Declared<string | undefined> {
  return { make: () => new Option(flags, help) };
}

/** An option that takes any text, and may be given several times. */
export function texts(flags: string, help: string): Declared<readonly string[] | undefined> {
  return parsed(flags, help, (one, before: readonly string[] = []) => [...before, one]);
}

/** An option whose argument is read by `parse`, which is given what was said before. */
export function parsed<T>(
  flags: string,
  help: string,
  parse: (text: string, before: T | undefined) => T,
): Declared<T | undefined> {
  return { make: () => new Option(flags, help).argParser(parse) };
}

/** An option whose argument is read by `parse`, with the value of a line without the option. */
export function parsedOr<T>(
  flags: string,
  help: string,
  parse: (text: string, before: T | undefined) => T,
  fallback: T,
): Declared<T> {
  return { make: () => new Option(flags, help).argParser(parse).default(fallback) };
}

/** An option that takes one of some words. */
export function choice<T extends string>(
  flags: string,
  help: string,
  words: readonly T[],
): Declared<T | undefined> {
  return { make: () => new Option(flags, help).choices(words) };
}

/** An option that takes one of some words, with the value of a line without the option. */
export function choiceOr<T extends string>(
  flags: string,
  help: string,
  words: readonly T[],
  fallback: T,
): Declared<T> {
  return { make: () => new Option(flags, help).choices(words).default(fallback) };
}

/** The option, which cannot be given beside others. */
export function conflicting<T>(declared: Declared<T>, ...others: string[]): Declared<T> {
  return { ...declared, make: () => declared.make().conflicts(others) };
}

/** The option, which has to be given. */
export function mandatory<T>(declared: Declared<T | undefined>): Declared<T> {
  return { make: () => declared.make().makeOptionMandatory() };
}

/** The headings of `--help` that are not about the question itself, in their order. */
export const helpGroups = [
  'Programs of events:',
  'C and C++:',
  'Limits:',
  'How the search works:',
  'Input and output:',
] as const;

/** The option, which `--help` shows under a heading. */
export function underHeading<T>(
  heading: (typeof helpGroups)[number],
  declared: Declared<T>,
): Declared<T> {
  return { ...declared, make: () => declared.make().helpGroup(heading) };
}

/** The options, which `--help` shows under a heading. */
export function grouped<O extends OptionTable>(heading: (typeof helpGroups)[number], table: O): O {
  const entries = Object.entries(table).map(([name, one]) => [name, underHeading(heading, one)]);
  return Object.fromEntries(entries) as O;
}

/** Options as `--help` shows them: what is asked comes first. */
export function inHelpOrder(options: readonly Option[]): readonly Option[] {
  const rank = ({ helpGroupHeading }: Option): number =>
    helpGroups.findIndex((heading) => heading === helpGroupHeading);
  return [...options].sort((a, b) => rank(a) - rank(b));
}

/** The option, which no help shows. */
export function hidden<T>(declared: Declared<T>): Declared<T> {
  return { ...declared, make: () => declared.make().hideHelp() };
}

/** The option, which `--help` shows however many options the verb has. */
export function common<T>(declared: Declared<T>): Declared<T> {
  return { ...declared, isCommon: true };
}

/** The option, which only `--help-all` shows where the verb has many. */
export function rare<T>(declared: Declared<T>): Declared<T> {
  return { ...declared, isCommon: false };
}

/** The option as an old spelling: help leaves it out, and its use is answered with `now`. */
export function renamed<T>(declared: Declared<T>, now: string): Declared<T> {
  return { ...hidden(declared), renamed: now };
}

/** A report in a format, written by `--report FORMAT=FILE`; `--FORMAT FILE` is the old spelling. */
export function report(format: string, contents: string): Declared<string | undefined> {
  const declared = text(`--${format} <file>`, contents);
  return { ...renamed(declared, `--report ${format}=FILE`), report: contents };
}
