import path from 'node:path';
import type { CUnit } from './compile-c.js';

/** What a `compile_commands.json` says, or what is wrong with it. */
export type CompileCommands =
  | { readonly kind: 'units'; readonly units: ReadonlyMap<string, CUnit> }
  | { readonly kind: 'malformed'; readonly why: string };

interface Entry {
  readonly directory: string;
  readonly file: string;
  readonly words: readonly string[];
}

/** The words of a command line as a shell would split it, without anything that a shell does. */
function splitCommand(command: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < command.length; i++) {
    const c = command[i]!;
    if (quote === '' && /\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (c === quote) quote = '';
    else if (quote === '' && (c === '"' || c === "'")) {
      quote = c;
      word ??= '';
    } else if (c === '\\' && quote !== "'" && i + 1 < command.length)
      word = `${word ?? ''}${command[++i]!}`;
    else word = `${word ?? ''}${c}`;
  }
  return word === undefined ? words : [...words, word];
}

function entryOf(value: unknown): Entry | undefined {
  const { directory, file, command, arguments: list } = (value ?? {}) as Record<string, unknown>;
  if (typeof directory !== 'string' || typeof file !== 'string') return undefined;
  if (Array.isArray(list) && list.every((each) => typeof each === 'string'))
    return { directory, file, words: list };
  return typeof command === 'string'
    ? { directory, file, words: splitCommand(command) }
    : undefined;
}

/**
 * What of a command is about the meaning of the text: definitions, headers, the language. Such a
 * file comes with a project that one may not know, so nothing else of it reaches clang.
 */
function unitOf({ directory, file, words }: Entry, base: string): CUnit {
  const folder = path.resolve(base, directory);
  const define: string[] = [];
  const include: string[] = [];
  const ccArgs: string[] = [];
  let std: string | undefined;
  for (let i = 1; i < words.length; i++) {
    const [, flag, joined] =
      /^(-D|-U|-I|-isystem|-iquote|-include|-std=)(.*)$/s.exec(words[i]!) ?? [];
    if (flag === undefined) continue;
    const value = joined !== '' || flag === '-std=' ? joined! : words[++i];
    if (value === undefined) continue;
    if (flag === '-D') define.push(value);
    else if (flag === '-U') ccArgs.push(`-U${value}`);
    else if (flag === '-std=') std = value;
    else if (flag === '-include') ccArgs.push('-include', path.resolve(folder, value));
    else if (flag === '-I') include.push(path.resolve(folder, value));
    else ccArgs.push(`${flag}${path.resolve(folder, value)}`);
  }
  return {
    file: path.resolve(folder, file),
    define,
    include,
    ccArgs,
    ...(std !== undefined && { std }),
  };
}

/**
 * Reads a `compile_commands.json` that lies in `base`: how each file is compiled, by its absolute
 * name; of a file with several entries, the first.
 */
export function readCompileCommands(text: string, base: string): CompileCommands {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: 'malformed', why: (error as Error).message };
  }
  if (!Array.isArray(value)) return { kind: 'malformed', why: 'it is no list of commands' };
  const units = new Map<string, CUnit>();
  for (const [index, each] of value.entries()) {
    const entry = entryOf(each);
    if (!entry)
      return {
        kind: 'malformed',
        why: `entry ${index + 1} lacks "directory", "file", or "command" or "arguments"`,
      };
    const unit = unitOf(entry, base);
    if (!units.has(unit.file)) units.set(unit.file, unit);
  }
  return { kind: 'units', units };
}
