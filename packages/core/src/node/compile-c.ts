import path from 'node:path';
import { type CSettings, clangArguments, forbiddenArgument } from './clang-arguments.js';
import { type ClangMessage, readClangMessages } from './clang-messages.js';
import type { Clang } from './find-clang.js';
import { runGroup } from './run-group.js';

/** A file of C or C++, and how it is compiled. */
export interface CUnit extends CSettings {
  /** As the user wrote it; relative to the folder in which clang runs. */
  readonly file: string;
  /** What is compiled in place of what the file holds. */
  readonly text?: string;
}

/** The IR of a file. */
export interface CModule {
  readonly file: string;
  readonly text: string;
}

export interface CompileLimits {
  readonly signal?: AbortSignal;
  /** For all files together, in milliseconds. */
  readonly timeout?: number;
  /** In bytes. */
  readonly maxMemory?: number;
  /** The characters of IR or messages of one file. */
  readonly maxOutput?: number;
}

export interface CompileOptions extends CompileLimits {
  /** Where clang runs, and relative names are looked up. Nothing is written there. */
  readonly folder: string;
  /** The folder with `include` and `library.c` that comes along. */
  readonly shipped: string;
}

export type Compiled =
  | {
      readonly kind: 'compiled';
      /** One for each file, in their order; the library of the headers is the last. */
      readonly modules: readonly CModule[];
      readonly messages: readonly ClangMessage[];
    }
  /** There are errors among the messages. */
  | { readonly kind: 'rejected'; readonly messages: readonly ClangMessage[] }
  /** An argument that is not the user's to give. */
  | { readonly kind: 'forbidden'; readonly argument: string }
  /** Clang is broken: it crashed, or gave something else than IR. */
  | { readonly kind: 'failed'; readonly file: string; readonly why: string }
  | { readonly kind: 'stopped'; readonly reason: 'time' | 'memory' | 'cancelled' };

/** What tells the script that runs the package to read the text of the file from its input. */
const textOnInput = '--text-on-input';

const largestIr = 32 * 1024 * 1024;

/** Variables by which the machine would have a say in what comes out. */
const foreign = [
  'CPATH',
  'C_INCLUDE_PATH',
  'CPLUS_INCLUDE_PATH',
  'CCC_OVERRIDE_OPTIONS',
  'CCC_ADD_ARGS',
  'COMPILER_PATH',
  'GCC_EXEC_PREFIX',
  'DEPENDENCIES_OUTPUT',
  'SUNPRO_DEPENDENCIES',
  'CC_PRINT_OPTIONS',
  'CC_PRINT_HEADERS',
  'CC_LOG_DIAGNOSTICS',
  'NODE_OPTIONS',
];
const environment = {
  ...Object.fromEntries(foreign.map((name) => [name, undefined])),
  LC_ALL: 'C',
};

/** Whether a text is IR from the first line to the last, as far as one can tell without reading. */
function looksWhole(text: string): boolean {
  return (
    text.startsWith('; ModuleID = ') &&
    /^target triple = "x86_64/m.test(text) &&
    text.endsWith('\n') &&
    !text.includes('\0')
  );
}

/** A string of C. */
function quoteForC(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) =>
    byte < 32 || byte > 126 || byte === 34 || byte === 92
      ? `\\${byte.toString(8).padStart(3, '0')}`
      : String.fromCharCode(byte),
  );
  return `"${bytes.join('')}"`;
}

/** How a clang is given a file, and what it reads from its standard input. */
function commandFor(
  clang: Clang,
  { file, text, ...settings }: CUnit,
  headers: string,
): { readonly args: readonly string[]; readonly input?: string } {
  const { kind, first } = clang;
  if (text === undefined)
    return { args: [...first, ...clangArguments(clang, file, settings, headers)] };
  if (kind === 'wasm') {
    const args = [...first, textOnInput, ...clangArguments(clang, file, settings, headers)];
    return { args, input: text };
  }
  // Headers are looked up beside the file first, as from the file itself.
  const { ccArgs = [] } = settings;
  const beside = { ...settings, ccArgs: [`-iquote${path.dirname(file)}`, ...ccArgs] };
  return {
    args: [...first, ...clangArguments(clang, file, beside, headers, '-')],
    input: `# 1 ${quoteForC(file)}\n${text}`,
  };
}

async function compileUnit(
  clang: Clang,
  unit: CUnit,
  { folder, shipped, maxMemory, maxOutput = largestIr }: CompileOptions,
  signal: AbortSignal,
): Promise<
  | (CModule & { readonly messages: readonly ClangMessage[] })
  | Exclude<Compiled, { kind: 'compiled' }>
> {
  const { file } = unit;
  const { args, input } = commandFor(clang, unit, path.join(shipped, 'include'));
  const end = await runGroup(clang.command, args, {
    folder,
    ...(input !== undefined && { input }),
    signal,
    environment,
    leavesNoMark: true,
    maxOutput,
    ...(maxMemory !== undefined && { maxMemory }),
  });
  switch (end.kind) {
    case 'stopped':
      return { kind: 'stopped', reason: 'cancelled' };
    case 'missing':
      return { kind: 'failed', file, why: `${clang.command} is gone` };
    case 'exceeded':
      return end.what === 'memory'
        ? { kind: 'stopped', reason: 'memory' }
        : { kind: 'failed', file, why: 'clang wrote more than any program needs' };
    case 'exited': {
      const messages = readClangMessages(end.stderr);
      if (end.code !== 0)
        return end.code === 1 && messages.some(({ severity }) => severity === 'error')
          ? { kind: 'rejected', messages }
          : { kind: 'failed', file, why: crashWords(end.code, end.stderr) };
      return looksWhole(end.stdout)
        ? { file, text: end.stdout, messages }
        : { kind: 'failed', file, why: 'clang gave something else than LLVM IR' };
    }
  }
}

function crashWords(code: number | undefined, stderr: string): string {
  const how = code === undefined ? 'clang was ended by a signal' : `clang ended with code ${code}`;
  const line = stderr.split('\n').find((each) => each.trim() !== '');

  return line === undefined ? how : `${how}: ${line.slice(0, 200).replaceAll(/[\0-\x1f]/g, ' ')}`;
}

/** What each compiler made of the library, by the folders: it stays as it is. */
const libraries = new WeakMap<Clang, Map<string, CModule>>();

/**
 * The IR of all files, each compiled by itself in a process of its own, and of the library of the
 * headers, which is compiled once in a process. All files are compiled even if one has errors, so
 * that all are told. Writes nothing.
 */
export async function compileC(
  clang: Clang,
  units: readonly CUnit[],
  options: CompileOptions,
): Promise<Compiled> {
  for (const { ccArgs = [] } of units) {
    const argument = forbiddenArgument(ccArgs);
    if (argument !== undefined) return { kind: 'forbidden', argument };
  }
  const { timeout, signal: wish, folder, shipped } = options;
  const timer = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  const signal = AbortSignal.any([wish, timer].filter((each) => each !== undefined));
  // Its accesses of 16 bytes are instructions, not calls of themselves.
  const library = { file: path.join(shipped, 'library.c'), ccArgs: ['-mcx16'] };
  const key = JSON.stringify([folder, shipped]);
  const known = libraries.get(clang)?.get(key);
  const modules: CModule[] = [];
  const messages: ClangMessage[] = [];
  let isRejected = false;
  for (const unit of known ? units : [...units, library]) {
    const one = await compileUnit(clang, unit, options, signal);
    if ('text' in one) {
      modules.push({ file: one.file, text: one.text });
      messages.push(...one.messages);
    } else if (one.kind === 'rejected') {
      isRejected = true;
      messages.push(...one.messages);
    } else if (one.kind === 'stopped' && timer?.aborted && !wish?.aborted) {
      return { kind: 'stopped', reason: 'time' };
    } else return one;
  }
  if (isRejected) return { kind: 'rejected', messages };
  if (known) return { kind: 'compiled', modules: [...modules, known], messages };
  const made = libraries.get(clang) ?? new Map<string, CModule>();
  libraries.set(clang, made.set(key, modules.at(-1)!));
  return { kind: 'compiled', modules, messages };
}
