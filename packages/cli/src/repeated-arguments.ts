import { quoteArgument } from '@fencewright/core';
import type { cOptions } from './options/c-files.js';
import { argumentsForClang } from './options/clang-arguments.js';
import type { ValuesOf } from './options/declare.js';
import type { ConfiguredBy } from './run-settings.js';

/** The values of a command's options for compiling C. */
export type CValues = Partial<ValuesOf<typeof cOptions>> & { readonly configured?: ConfiguredBy };

/**
 * The arguments of a command that have to be repeated by an advised command about the same program.
 */
export interface RepeatedArguments {
  /**
   * The options that an advised command repeats before the file, followed by a space; empty if
   * there are none.
   */
  readonly options: string;
  /**
   * The arguments for clang that an advised command repeats after the file, as ` -- ARGUMENT ...`;
   * empty if there are none.
   */
  readonly forClang: string;
}

export const noArguments: RepeatedArguments = { options: '', forClang: '' };

/**
 * Returns the options and arguments about a program in C that an advised command has to repeat.
 * Values from the configuration file are left out: the file supplies them to other commands as
 * well.
 */
export function repeatedArguments({ configured, ...all }: CValues): RepeatedArguments {
  const isGiven = ([name]: readonly [string, unknown]): boolean =>
    !configured?.options?.includes(name);
  const values: CValues = Object.fromEntries(Object.entries(all).filter(isGiven));
  const { clang, headers, link = [], compileCommands, pool, args, assume = [] } = values;
  const options: readonly (readonly [string, string | number | undefined])[] = [
    ['clang', clang],
    ['headers', headers],
    ['compile-commands', compileCommands],
    ['pool', pool],
    ['args', args],
    ...assume.map((one) => ['assume', one] as const),
    ...link.map((file) => ['link', file] as const),
  ];
  const given = options.flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoteArgument(String(value))} `],
  );
  return { options: given.join(''), forClang: argumentsForClang(values) };
}
