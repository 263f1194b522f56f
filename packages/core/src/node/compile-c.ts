import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { timeSignal } from '@fencewright/ground/base/timer.js';
import { type RefusedArgument, refusedArgument } from './cc-arguments.js';
import { type CSettings, clangArguments } from './clang-arguments.js';
import { type ClangMessage, readClangMessages } from './clang-messages.js';
import type { Clang } from './find-clang.js';
import { limitedCommand, type ProgramLimits } from './limited-command.js';
import { type GroupEnd, runGroup } from './run-group.js';
import { textOf } from './text-of.js';

/** A file of C or C++ with the settings for compilation, or a file of LLVM IR. */
export interface CUnit extends CSettings {
  /** Present if the file is LLVM IR, which clang does not compile. */
  readonly isIr?: true;
  /** The name of the file as the user wrote it, relative to clang's working folder. */
  readonly file: string;
  /** The text to compile in place of the content of the file. */
  readonly text?: string;
  /**
   * A header that the file includes, and the text to compile in place of the content of the header.
   */
  readonly header?: { readonly file: string; readonly text: string };
}

/** The compiled form (LLVM IR) of a file. */
export interface CModule {
  readonly file: string;
  readonly text: string;
}

export interface CompileLimits {
  readonly signal?: AbortSignal;
  /** The maximum time for all files together, in milliseconds; unlimited if absent. */
  readonly timeout?: number;
  /** The maximum memory that clang may use for a file, in bytes. */
  readonly maxMemory?: number;
  /** The maximum number of characters of the IR of one file, and of the messages about it. */
  readonly maxOutput?: number;
}

export interface ClangOptions extends CompileLimits {
  /** Clang's working folder, to which file names are relative. Nothing is written in the folder. */
  readonly folder: string;
  /** The folder shipped with this package, with `include` and `library.c`. */
  readonly shipped: string;
}

export type Compiled =
  | {
      readonly kind: 'compiled';
      /**
       * One module for each file, in the order of the files; the library of the headers comes last.
       */
      readonly modules: readonly CModule[];
      readonly messages: readonly ClangMessage[];
    }
  /** Clang rejected a file: the messages contain errors. */
  | { readonly kind: 'rejected'; readonly messages: readonly ClangMessage[] }
  /** An argument is forbidden to users. */
  | ({ readonly kind: 'forbidden' } & RefusedArgument)
  /** Clang crashed, or wrote something else than IR. */
  | { readonly kind: 'failed'; readonly file: string; readonly why: string }
  | { readonly kind: 'stopped'; readonly reason: 'time' | 'memory' | 'cancelled' };

/**
 * The argument by which the script that runs clang's package is told to read the file's text from
 * standard input.
 */
const textOnInput = '--text-on-input';
/**
 * The argument that makes the script read, from standard input, the text of the header that the
 * next argument names.
 */
const headerOnInput = '--header-on-input';

const largestIr = 32 * 1024 * 1024;

/** Environment variables that clang needs to find programs and libraries. */
const known = new Set([
  ...['PATH', 'LD_LIBRARY_PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'PATHEXT'],
]);

/**
 * Returns the environment of clang, without variables that would influence the output, or make
 * clang write files.
 */
export function environmentOfClang(): Readonly<Record<string, string | undefined>> {
  const foreign = Object.keys(process.env).filter((name) => !known.has(name));
  return {
    ...Object.fromEntries(foreign.map((name) => [name, undefined])),
    LC_ALL: 'C',
    // Wrappers of clang may keep files, and clang starts a program after a crash.
    CCACHE_DISABLE: '1',
    LLVM_DISABLE_SYMBOLIZATION: '1',
  };
}

/** The maximum processor time for a file in seconds, if the caller sets no limit. */
const mostTime = 600;

/** Bytes of address space, beyond the allowed memory, for code and for reserved space. */
const setAside = 2 ** 30;
/** The maximum memory for a file in bytes, if the caller sets no limit. */
const mostMemory = 8 * 2 ** 30;

/**
 * Returns the system limits for clang; clang in WebAssembly gets no limit on address space, as
 * WebAssembly reserves far more than needed.
 */
function limitsOf(
  { kind }: Clang,
  { timeout, maxMemory = mostMemory }: CompileLimits,
): ProgramLimits {
  // The threads of a process use several seconds of processor time in one second.
  const cpu = timeout === undefined ? mostTime : Math.min(mostTime, 10 + (4 * timeout) / 1000);
  return { cpu, ...(kind === 'native' && { addressSpace: maxMemory + setAside }) };
}

/**
 * Returns the limit that ended a program, judging by its signal or exit status (clang reports a
 * signal as an exit status); `undefined` if none did.
 */
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

/** Whether a text looks like complete IR, from the first line to the last. */
function looksWhole(text: string): boolean {
  return (
    text.startsWith('; ModuleID = ') &&
    /^target triple = "x86_64/m.test(text) &&
    text.endsWith('\n') &&
    !text.includes('\0')
  );
}

/** Returns a text as a string literal of C. */
function quoteForC(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) =>
    byte < 32 || byte > 126 || byte === 34 || byte === 92
      ? `\\${byte.toString(8).padStart(3, '0')}`
      : String.fromCharCode(byte),
  );
  return `"${bytes.join('')}"`;
}

/**
 * Returns the arguments to compile a file with clang, and the text to write to clang's standard
 * input.
 */
function commandFor(
  clang: Clang,
  { file, text, header, ...settings }: CUnit,
  headers: string,
): { readonly args: readonly string[]; readonly input?: string } {
  const { kind, first } = clang;
  if (header && kind === 'wasm') {
    const args = clangArguments(clang, file, settings, headers);
    return { args: [...first, headerOnInput, header.file, ...args], input: header.text };
  }
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

/** Clang's output for one file, or the reason why there is none. */
export type ClangOutput =
  | {
      readonly kind: 'output';
      readonly text: string;
      readonly messages: readonly ClangMessage[];
    }
  | Exclude<Compiled, { kind: 'compiled' }>;

/**
 * Runs clang on one file, with `further` arguments besides those for compiling it. For a native
 * clang, a header's text to compile is in a temporary file during the run.
 */
export async function runClang(
  ...[clang, unit, options, signal, further = []]: Parameters<typeof runWith>
): Promise<ClangOutput> {
  const { header } = unit;
  if (!header || clang.kind === 'wasm') return runWith(clang, unit, options, signal, further);
  const folder = await mkdtemp(path.join(tmpdir(), 'fencewright-header-'));
  try {
    const file = path.join(folder, path.basename(header.file));
    await writeFile(file, header.text);
    const remapped = ['-Xclang', '-remap-file', '-Xclang', `${header.file};${file}`];
    return await runWith(clang, unit, options, signal, [...remapped, ...further]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runWith(
  clang: Clang,
  unit: CUnit,
  options: ClangOptions,
  signal: AbortSignal,
  further: readonly string[] = [],
): Promise<ClangOutput> {
  const { file } = unit;
  if (unit.headers === 'machine' && clang.kind === 'wasm')
    return { kind: 'failed', file, why: 'clang in WebAssembly finds no headers of the machine' };
  const { folder, shipped, maxMemory, maxOutput = largestIr } = options;
  const { args, input } = commandFor(clang, unit, path.join(shipped, 'include'));
  const plain = { command: clang.command, args: [...args, ...further] };
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
        : { kind: 'failed', file, why: 'the output of clang is too large' };
    case 'exited': {
      const met = limitMet(end);
      if (met === 'files') return { kind: 'failed', file, why: 'clang wanted to write a file' };
      if (met) return { kind: 'stopped', reason: met };
      const messages = readClangMessages(end.stderr);
      if (end.code !== 0)
        return end.code === 1 && messages.some(({ severity }) => severity === 'error')
          ? { kind: 'rejected', messages }
          : { kind: 'failed', file, why: crashWords(end.code, end.stderr) };
      return { kind: 'output', text: end.stdout, messages };
    }
  }
}

/** Returns the IR of a unit. If the unit is a file of IR, returns the content of the file. */
async function compileUnit(
  clang: Clang,
  unit: CUnit,
  options: ClangOptions,
  signal: AbortSignal,
): Promise<ClangOutput> {
  if (unit.isIr) {
    const text = unit.text ?? textOf(path.resolve(options.folder, unit.file));
    return text === undefined
      ? { kind: 'failed', file: unit.file, why: 'the file cannot be read' }
      : { kind: 'output', text, messages: [] };
  }
  const first = await runClang(clang, unit, options, signal);
  const ran = wantsGccAtomics(first)
    ? await runClang(clang, unit, options, signal, [
        `-isystem${path.join(options.shipped, 'include', 'gcc')}`,
      ])
    : first;
  return ran.kind === 'output' && !looksWhole(ran.text)
    ? { kind: 'failed', file: unit.file, why: 'clang did not print LLVM IR' }
    : ran;
}

/**
 * Whether clang refused an object without `_Atomic` as the operand of a function of `stdatomic.h`,
 * which GCC takes.
 */
function wantsGccAtomics(ran: ClangOutput): boolean {
  const refused = /^address argument to atomic operation must be a pointer to .*_Atomic type/;
  return (
    ran.kind === 'rejected' &&
    ran.messages.some(({ severity, message }) => severity === 'error' && refused.test(message))
  );
}

function crashWords(code: number | undefined, stderr: string): string {
  const how = code === undefined ? 'clang was ended by a signal' : `clang ended with code ${code}`;
  const line = stderr.split('\n').find((each) => each.trim() !== '');

  return line === undefined ? how : `${how}: ${line.slice(0, 200).replaceAll(/[\0-\x1f]/g, ' ')}`;
}

/**
 * The compiled library of the headers, by compiler and folder of the library. If the folder of the
 * library is relative, also by the folder of the program. The library never changes.
 */
const libraries = new WeakMap<Clang, Map<string, CModule>>();

/**
 * Compiles all files of C and C++ to IR, each in a separate process, and the library of the
 * headers, which is compiled once and kept. An error in one file does not stop the others, so that
 * all errors are reported. Writes nothing.
 */
export async function compileC(
  clang: Clang,
  units: readonly CUnit[],
  options: ClangOptions,
): Promise<Compiled> {
  for (const { ccArgs = [] } of units) {
    const refused = refusedArgument(ccArgs);
    if (refused) return { kind: 'forbidden', ...refused };
  }
  const { timeout, signal: wish, folder, shipped } = options;
  const timer = timeout === undefined ? undefined : timeSignal(timeout);
  const signal = AbortSignal.any([wish, timer].filter((each) => each !== undefined));
  // With -mcx16 the library's 16-byte accesses are instructions, not recursive calls.
  const library = { file: path.join(shipped, 'library.c'), ccArgs: ['-mcx16', '-fexceptions'] };
  const key = JSON.stringify(path.isAbsolute(shipped) ? [shipped] : [shipped, folder]);
  const known = libraries.get(clang)?.get(key);
  const modules: CModule[] = [];
  const messages: ClangMessage[] = [];
  let isRejected = false;
  for (const unit of known ? units : [...units, library]) {
    if (isRejected && unit === library) break;
    const one = await compileUnit(clang, unit, options, signal);
    if (one.kind === 'output') {
      modules.push({ file: unit.file, text: one.text });
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
