import { Option } from 'commander';

/** An option of a verb, with the type of the option's value. */
export interface Declared<T> {
  /** Returns the option, a new object for each command line. */
  readonly make: () => Option;
  /**
   * Whether `--help` shows the option even if the verb has many options; `--help-all` always shows
   * it.
   */
  readonly isCommon?: boolean;
  /** The new spelling of the option, for an option with an old spelling. */
  readonly renamed?: string;
  /** The contents of the report, if this option is an old spelling of `--report FORMAT=FILE`. */
  readonly report?: string;
  /** Never set: makes the type of the option's value a part of the type `Declared`. */
  readonly value?: T;
}

/** The options of a verb, by the names of their values: `maxStates` for `--max-states`. */
export type OptionTable = Readonly<Record<string, Declared<unknown>>>;

/** The values of options. */
export type ValuesOf<O extends OptionTable> = {
  readonly [K in keyof O]: O[K] extends Declared<infer T> ? T : never;
};

/** Returns the default values of options. */
export function defaultsOf(options: OptionTable): Readonly<Record<string, unknown>> {
  const values = Object.entries(options).map(
    ([name, { make }]) => [name, make().defaultValue as unknown] as const,
  );
  return Object.fromEntries(values);
}

/** Declares a switch, an option without an argument. */
export function flag(flags: string, help: string): Declared<true | undefined> {
  return { make: () => new Option(flags, help) };
}

/** Declares an option whose argument is any text. */
export function text(flags: string, help: string): Declared<string | undefined> {
  return { make: () => new Option(flags, help) };
}

/** Declares an option whose argument is any text, and that may be repeated. */
export function texts(flags: string, help: string): Declared<readonly string[] | undefined> {
  return parsed(flags, help, (one, before: readonly string[] = []) => [...before, one]);
}

/**
 * Declares an option whose argument `parse` reads; for repeated options, `parse` also gets the
 * earlier value.
 */
export function parsed<T>(
  flags: string,
  help: string,
  parse: (text: string, before: T | undefined) => T,
): Declared<T | undefined> {
  return { make: () => new Option(flags, help).argParser(parse) };
}

/** Declares an option with a default, whose argument `parse` reads. */
export function parsedOr<T>(
  flags: string,
  help: string,
  parse: (text: string, before: T | undefined) => T,
  fallback: T,
): Declared<T> {
  return { make: () => new Option(flags, help).argParser(parse).default(fallback) };
}

/** Declares an option whose argument is a word from a list. */
export function choice<T extends string>(
  flags: string,
  help: string,
  words: readonly T[],
): Declared<T | undefined> {
  return { make: () => new Option(flags, help).choices(words) };
}

/** Declares an option with a default, whose argument is a word from a list. */
export function choiceOr<T extends string>(
  flags: string,
  help: string,
  words: readonly T[],
  fallback: T,
): Declared<T> {
  return { make: () => new Option(flags, help).choices(words).default(fallback) };
}

/** Returns the option, changed to exclude the options in `others` on the same command line. */
export function conflicting<T>(declared: Declared<T>, ...others: string[]): Declared<T> {
  return { ...declared, make: () => declared.make().conflicts(others) };
}

/** Returns the option, changed to be required. */
export function mandatory<T>(declared: Declared<T | undefined>): Declared<T> {
  return { make: () => declared.make().makeOptionMandatory() };
}

/** The headings in `--help`, in order, for options that are not about the question itself. */
export const helpGroups = [
  'Programs of events:',
  'C and C++:',
  'Limits:',
  'How the search works:',
  'Input and output:',
] as const;

/** Returns the option, changed to stand under a heading in `--help`. */
export function underHeading<T>(
  heading: (typeof helpGroups)[number],
  declared: Declared<T>,
): Declared<T> {
  return { ...declared, make: () => declared.make().helpGroup(heading) };
}

/** Returns the options, changed to stand under a heading in `--help`. */
export function grouped<O extends OptionTable>(heading: (typeof helpGroups)[number], table: O): O {
  const entries = Object.entries(table).map(([name, one]) => [name, underHeading(heading, one)]);
  return Object.fromEntries(entries) as O;
}

/** Sorts options as `--help` shows them: first those about the question itself. */
export function inHelpOrder(options: readonly Option[]): readonly Option[] {
  const rank = ({ helpGroupHeading }: Option): number =>
    helpGroups.findIndex((heading) => heading === helpGroupHeading);
  return [...options].sort((a, b) => rank(a) - rank(b));
}

/** Returns the option, changed so that neither `--help` nor `--help-all` shows it. */
export function hidden<T>(declared: Declared<T>): Declared<T> {
  return { ...declared, make: () => declared.make().hideHelp() };
}

/** Returns the option, changed so that `--help` always shows it. */
export function common<T>(declared: Declared<T>): Declared<T> {
  return { ...declared, isCommon: true };
}

/** Returns the option, changed so that only `--help-all` shows it if the verb has many options. */
export function rare<T>(declared: Declared<T>): Declared<T> {
  return { ...declared, isCommon: false };
}

/**
 * Returns the option as an old spelling: no help shows it, and its use prints the new spelling
 * `now`.
 */
export function renamed<T>(declared: Declared<T>, now: string): Declared<T> {
  return { ...hidden(declared), renamed: now };
}

/**
 * Declares an option for a report in a format: `--report FORMAT=FILE`, or the old spelling
 * `--FORMAT FILE`.
 */
export function report(format: string, contents: string): Declared<string | undefined> {
  const declared = text(`--${format} <file>`, contents);
  return { ...renamed(declared, `--report ${format}=FILE`), report: contents };
}
