import path from 'node:path';
import {
  argumentGroups,
  type RefusedArgument,
  spelled,
  valuedArgument,
  whyRefused,
} from './cc-arguments.js';
import type { CUnit } from './compile-c.js';
import { withoutUnheeded } from './unheeded-arguments.js';

/** A file's settings for compilation from a database, and the first forbidden argument, if any. */
export interface DatabaseUnit extends CUnit {
  readonly refused?: RefusedArgument;
}

/** The content of a `compile_commands.json`, or the error in the file. */
export type CompileCommands =
  | { readonly kind: 'units'; readonly units: ReadonlyMap<string, DatabaseUnit> }
  | { readonly kind: 'malformed'; readonly why: string };

interface CompileCommand {
  readonly directory: string;
  readonly file: string;
  readonly words: readonly string[];
}

/** Splits a command line into words like a shell, without expansions. */
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

function entryOf(value: unknown): CompileCommand | undefined {
  const { directory, file, command, arguments: list } = (value ?? {}) as Record<string, unknown>;
  if (typeof directory !== 'string' || typeof file !== 'string') return undefined;
  if (Array.isArray(list) && list.every((each) => typeof each === 'string'))
    return { directory, file, words: list };
  return typeof command === 'string'
    ? { directory, file, words: splitCommand(command) }
    : undefined;
}

/**
 * Returns the macro definitions in an argument that clang passes to the preprocessor (`-Wp,`);
 * `undefined` for other arguments.
 */
function throughPreprocessor(word: string): readonly string[] | undefined {
  const [, list] = /^-Wp,(.*)$/s.exec(word) ?? [];
  const parts = list?.split(',');
  return parts?.every((part) => /^-[DU]./s.test(part)) ? parts : undefined;
}

/**
 * Returns the settings of a compile command that affect the meaning of the text, as arguments
 * allowed to users. Options about machine code and places of files are left out, and options that
 * would change the code are refused: a file of commands may come with an unknown project.
 */
function unitOf({ directory, file, words }: CompileCommand, base: string): DatabaseUnit {
  const folder = path.resolve(base, directory);
  const define: string[] = [];
  const include: string[] = [];
  const ccArgs: string[] = [];
  let std: string | undefined;
  let refused: RefusedArgument | undefined;
  const heeded = withoutUnheeded(words.slice(1));
  const spread = heeded.flatMap((word) => throughPreprocessor(word) ?? [word]);
  for (const group of argumentGroups(spread)) {
    // The entry names the file to compile.
    if (/^[^-@]/.test(group[0]!)) continue;
    const why = whyRefused(group);
    const option = valuedArgument(group);
    if (why !== undefined) refused ??= { argument: group[0]!, why };
    else if (!option && group[0]!.startsWith('-std=')) std = group[0]!.slice('-std='.length);
    else if (!option) ccArgs.push(...group);
    else if (option.name === '-D') define.push(option.value);
    else if (option.name === '-U') ccArgs.push(`-U${option.value}`);
    else {
      const place = path.resolve(folder, option.value);
      if (option.name === '-I') include.push(place);
      else ccArgs.push(...spelled(option.name, place));
    }
  }
  return {
    file: path.resolve(folder, file),
    define,
    include,
    ccArgs,
    ...(std !== undefined && { std }),
    ...(refused && { refused }),
  };
}

/**
 * Reads a `compile_commands.json` in the folder `base`: the settings of each file, by absolute file
 * name. The first of several entries for a file counts.
 */
export function readCompileCommands(text: string, base: string): CompileCommands {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: 'malformed', why: (error as Error).message };
  }
  if (!Array.isArray(value)) return { kind: 'malformed', why: 'it is no list of commands' };
  const units = new Map<string, DatabaseUnit>();
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
