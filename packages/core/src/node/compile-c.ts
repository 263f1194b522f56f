import { constants } from 'node:os';
import path from 'node:path';
import { timeSignal } from '@fencewright/ground/base/timer.js';
import { type RefusedArgument, refusedArgument } from './cc-arguments.js';
import { type CSettings, clangArguments } from './clang-arguments.js';
import { type ClangMessage, readClangMessages } from './clang-messages.js';
import type { Clang } from './find-clang.js';
import { limitedCommand, type ProgramLimits } from './limited-command.js';
import { type GroupEnd, runGroup } from './run-group.js';

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
  | ({ readonly kind: 'forbidden' } & RefusedArgument)
  /** Clang is broken: it crashed, or gave something else than IR. */
  | { readonly kind: 'failed'; readonly file: string; readonly why: string }
  | { readonly kind: 'stopped'; readonly reason: 'time' | 'memory' | 'cancelled' };

/** What tells the script that runs the package to read the text of the file from its input. */
const textOnInput = '--text-on-input';

const largestIr = 32 * 1024 * 1024;

/** What clang may know of the machine: where programs and libraries are. */
const known = new Set([
  ...['PATH', 'LD_LIBRARY_PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'PATHEXT'],
]);

/** The environment of clang: other variables would have a say in what comes out, or in files. */
function environmentOfClang(): Readonly<Record<string, string | undefined>> {
  const foreign = Object.keys(process.env).filter((name) => !known.has(name));
  return {
    ...Object.fromEntries(foreign.map((name) => [name, undefined])),
    LC_ALL: 'C',
    // What stands for clang may keep files, and clang starts a program where it crashes.
    CCACHE_DISABLE: '1',
    LLVM_DISABLE_SYMBOLIZATION: '1',
  };
}

/** Seconds of processor time for a file where no limit says else. */
const mostTime = 600;

/** Bytes of address space beyond the memory that may be used: code and what is only set aside. */
const setAside = 2 ** 30;
const mostMemory = 8 * 2 ** 30;

/** What the system allows a clang; that in WebAssembly sets aside far more than it uses. */
function limitsOf(
  { kind }: Clang,
  { timeout, maxMemory = mostMemory }: CompileLimits,
): ProgramLimits {
  // Threads of one process use several seconds in one.
  const cpu = timeout === undefined ? mostTime : Math.min(mostTime, 10 + (4 * timeout) / 1000);
  return { cpu, ...(kind === 'native' && { addressSpace: maxMemory + setAside }) };
}

/** Which of its limits a program met, by how it ended; clang tells of a signal by its code, too. */
function limitMet({
  code,
  signal,
  stderr,
}: Extract<GroupEnd, { kind: 'exited' }>): 'time' | 'memory' | 'files' | undefined {
  if (code === 0) return undefined;
  if (signal === 'SIGXCPU' || code === 128 + constants.signals.SIGXCPU) return 'time';
  if (signal === 'SIGXFSZ' || code === 128 + constants.signals.SIGXFSZ) return 'files';
  const isFull = /out of memory|bad_alloc|cannot allocate memory|allocation failed/i.test(stderr);
  return isFull && code !== 1 ? 'memory' : undefined;
}

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
  options: CompileOptions,
  signal: AbortSignal,
): Promise<
  | (CModule & { readonly messages: readonly ClangMessage[] })
  | Exclude<Compiled, { kind: 'compiled' }>
> {
  const { file } = unit;
  if (unit.headers === 'machine' && clang.kind === 'wasm')
    return { kind: 'failed', file, why: 'clang in WebAssembly finds no headers of the machine' };
  const { folder, shipped, maxMemory, maxOutput = largestIr } = options;
  const { args, input } = commandFor(clang, unit, path.join(shipped, 'include'));
  const plain = { command: clang.command, args };
  const limited = limitedCommand(plain, limitsOf(clang, options), folder);
  const end = await runGroup(limited.command, limited.args, {
    folder,
    ...(input !== undefined && { input }),
    signal,
    environment: environmentOfClang(),
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
      const met = limitMet(end);
      if (met === 'files') return { kind: 'failed', file, why: 'clang wanted to write a file' };
      if (met) return { kind: 'stopped', reason: met };
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
    const refused = refusedArgument(ccArgs);
    if (refused) return { kind: 'forbidden', ...refused };
  }
  const { timeout, signal: wish, folder, shipped } = options;
  const timer = timeout === undefined ? undefined : timeSignal(timeout);
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
