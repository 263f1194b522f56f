import { quoteArgument } from '@fencewright/core';
import type { cOptions } from './options/c-files.js';
import { argumentsForClang } from './options/clang-arguments.js';
import type { ValuesOf } from './options/declare.js';

/** The options for C of a command. */
export type CValues = Partial<ValuesOf<typeof cOptions>>;

/** Arguments of a command that an advised command about the same program repeats. */
export interface RepeatedArguments {
  /** Options, to stand before the file; with a space at the end unless empty. */
  readonly options: string;
  /** Arguments for clang behind the file, ` -- ARGUMENT ...`; may be empty. */
  readonly forClang: string;
}

export const noArguments: RepeatedArguments = { options: '', forClang: '' };

/** Returns the options and arguments about a program in C, to be repeated. */
export function repeatedArguments(values: CValues): RepeatedArguments {
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
