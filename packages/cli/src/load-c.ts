import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  aboutHardware,
  type Diagnostic,
  type Limits,
  type Model,
  quoteName,
  saidByClang,
  spanAt,
  unusableClang,
  timeSignal,
} from '@fencewright/core';
import { type LlvmIrOptions, parseLlvmIr } from '@fencewright/core/c';
import {
  chooseHeaders,
  type ChosenHeaders,
  type Clang,
  type ClangMessage,
  compileC,
  type Compiled,
  type CUnit,
  type DatabaseUnit,
  findClang,
  isCxx,
  missingClangWords,
  type NoClang,
  readCompileCommands,
} from '@fencewright/core/node';
import type { CReadWishes, CWishes } from './run-settings.js';
import { textOf } from './text-of.js';

/** The result of reading a program in C, or the reason why there is none. */
type LoadedC =
  | { readonly kind: 'read'; readonly model?: Model; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'stopped'; readonly reason: 'time' | 'memory' | 'cancelled' };

/** The folder with the shipped files for C: headers, a library, a script. */
export const shipped = fileURLToPath(new URL('./c/', import.meta.url));

/** The compilers found, by the name that the user gave; each search for a compiler runs once. */
const found = new Map<string | undefined, Clang>();

export async function clangFor(
  wish: string | undefined,
  signal: AbortSignal,
): Promise<Clang | Exclude<NoClang, { kind: 'stopped' }> | undefined> {
  const known = found.get(wish);
  if (known) return known;
  const clang = await findClang({
    folder: process.cwd(),
    signal,
    ...(wish !== undefined && { wish }),
    tool: shipped,
    wasmRunner: path.join(shipped, 'run-wasm-clang.mjs'),
  });
  if (clang.kind === 'stopped') return undefined;
  if (clang.kind === 'native' || clang.kind === 'wasm') found.set(wish, clang);
  return clang;
}

/**
 * Tells the user on a terminal that compiling takes seconds, if clang is in WebAssembly; returns a
 * function that clears the message.
 */
function tellSlowness({ kind }: Clang): () => void {
  const { stderr } = process;
  if (kind !== 'wasm' || !stderr.isTTY) return () => undefined;
  stderr.write('compiling with clang in WebAssembly, which takes some seconds');
  return () => {
    stderr.write('\r\u001b[K');
  };
}

export function noClang(clang: Exclude<NoClang, { kind: 'stopped' }> | undefined): RefusedC {
  if (!clang) return refused('the search for clang was stopped');
  return clang.kind === 'missing'
    ? refused(missingClangWords(clang))
    : refused(`${quoteName(clang.command)}: ${clang.why}`);
}

export function refused(message: string, hint?: string): Extract<LoadedC, { kind: 'read' }> {
  return { kind: 'read', diagnostics: [unusableClang(message, hint)] };
}

/**
 * Whether clang can read the file, after this program has read it: a pipe is empty by then, and
 * clang cannot print some names.
 */
function canBeReadAgain(file: string): boolean {
  return !/\p{Cc}/u.test(file) && statSync(file).isFile();
}

/** Returns the name of a file as clang prints it in messages. */
function asOperand(file: string): string {
  return /^[-@]/.test(file) ? `.${path.sep}${file}` : file;
}

/** Returns the number of UTF-16 units that correspond to the first `bytes` bytes of a line. */
function unitsBefore(text: string | undefined, line: number, bytes: number): number {
  const content = text?.split(/\r\n|\n|\r/, line + 1)[line];
  return content === undefined ? bytes : Buffer.from(content).subarray(0, bytes).toString().length;
}

/** Returns what the user can do about a message of clang; `undefined` if unknown. */
function hintOn(message: string): string | undefined {
  if (message.endsWith('file not found'))
    return 'name the folder of the file: -- -IFOLDER at the end, or --compile-commands FILE';
  return /^(?:use of undeclared identifier|unknown type name) '/.test(message)
    ? 'if the build defines it: -- -DNAME=VALUE at the end, or --compile-commands FILE'
    : undefined;
}

export function toDiagnostics(
  messages: readonly ClangMessage[],
  file: string,
  source: string,
): readonly Diagnostic[] {
  return messages.flatMap(({ severity, place, message }) => {
    // Notes add details to the previous message, which suffices alone.
    if (severity === 'note') return [];
    if (!place) return [saidByClang(severity, undefined, message, hintOn(message))];
    const isMain = place.file === asOperand(file);
    const text = isMain ? source : textOf(place.file);
    const column = unitsBefore(text, place.line, place.column);
    const elsewhere = isMain ? undefined : { name: place.file, text: text ?? '' };
    const span = spanAt(place.line, column, 1, elsewhere);
    return [saidByClang(severity, span, message, hintOn(message))];
  });
}

/**
 * Returns the settings to compile a file: from the database, if there is one, and from the options,
 * which take precedence.
 */
function unitOf(
  file: string,
  { include = [], define = [], std, ccArgs = [] }: CWishes,
  known: ReadonlyMap<string, DatabaseUnit> | undefined,
): CUnit {
  const from = known?.get(path.resolve(file));
  const language = std ?? from?.std;
  return {
    file,
    include: [...include, ...(from?.include ?? [])],
    define: [...(from?.define ?? []), ...define],
    ccArgs: [...(from?.ccArgs ?? []), ...ccArgs],
    ...(language !== undefined && { std: language }),
  };
}

/** Returns a message whose hint names the option for further files of the program. */
function withLinkOption(diagnostic: Diagnostic): Diagnostic {
  const { hint } = diagnostic;
  return hint?.startsWith('link the file') === true
    ? { ...diagnostic, hint: `name with --${hint}` }
    : diagnostic;
}

/** The folders of the machine's headers. */
const systemFolders = ['/usr/include/', '/usr/lib/', '/usr/local/include/', '/usr/local/lib/'];

/** The version of C++ that is tried where the default one is rejected. */
const laterCxx = 'gnu++20';

/**
 * Compiles a program. If clang rejects a program in C++ whose version nobody says, `laterCxx` is
 * tried; `std` is that version, if taken.
 */
async function compileInVersion(
  ...[clang, units, options]: Parameters<typeof compileC>
): Promise<{ readonly compiled: Compiled; readonly std?: string }> {
  const compiled = await compileC(clang, units, options);
  const isSaid = units.some(
    ({ std, ccArgs = [] }) => std !== undefined || ccArgs.some((each) => each.startsWith('-std=')),
  );
  if (compiled.kind !== 'rejected' || isSaid || !units.some(({ file }) => isCxx(file)))
    return { compiled };
  const later = units.map((unit) => (isCxx(unit.file) ? { ...unit, std: laterCxx } : unit));
  const again = await compileC(clang, later, options);
  return again.kind === 'compiled' ? { compiled: again, std: laterCxx } : { compiled };
}

/** Returns the compiler, the version of C++ and the headers of the machine, if taken, in words. */
function compiledBy(
  { version }: Clang,
  { headers, versions, areInstead }: ChosenHeaders,
  std: string | undefined,
): string {
  const compiler = `clang ${version}${std === undefined ? '' : ` as ${std}`}`;
  if (areInstead)
    return `${compiler} and the supplied headers (with those of this machine, it is refused)`;
  if (headers === 'own') return compiler;
  const named = versions.length === 0 ? '' : ` (${versions.join(', ')})`;
  return `${compiler} and the headers of this machine${named}`;
}

/** Returns the errors to report if nothing was compiled. */
export function failureOf(
  compiled: Exclude<Compiled, { kind: 'compiled' | 'rejected' | 'stopped' }>,
): LoadedC {
  return compiled.kind === 'forbidden'
    ? refused(
        `the argument ${quoteName(compiled.argument)} for clang is refused: ${compiled.why}`,
        'docs/c.md lists the allowed arguments',
      )
    : refused(`${quoteName(compiled.file)} cannot be compiled: ${compiled.why}`);
}

/** A function that reads a file in C, or a text in place of the file. */
export interface CReader {
  /** Reads the file, or `text` in place of its content; `places` are options for reading the IR. */
  readonly read: (text?: string, places?: Pick<LlvmIrOptions, 'unmarked'>) => Promise<LoadedC>;
}

export type RefusedC = Extract<LoadedC, { kind: 'read' }>;

/**
 * Returns the settings to compile the files of a program, the main file first; or a refusal if
 * clang must not get some argument.
 */
export function unitsOf(
  file: string,
  source: string,
  wishes: CWishes,
): readonly CUnit[] | RefusedC {
  let known: ReadonlyMap<string, DatabaseUnit> | undefined;
  if (wishes.compileCommands !== undefined) {
    const database = wishes.compileCommands;
    const text = textOf(database);
    if (text === undefined) return refused(`${quoteName(database)} cannot be read`);
    const read = readCompileCommands(text, path.dirname(path.resolve(database)));
    if (read.kind === 'malformed') return refused(`${quoteName(database)}: ${read.why}`);
    known = read.units;
    for (const each of [file, ...(wishes.link ?? [])]) {
      const { refused: what } = known.get(path.resolve(each)) ?? {};
      if (what)
        return refused(
          `${quoteName(database)}: the argument ${quoteName(what.argument)} for clang is refused: ${what.why}`,
          `give the arguments for ${quoteName(each)} behind -- instead: -- -IFOLDER -DNAME`,
        );
    }
  }
  const name = file === '-' ? 'standard-input.c' : file;
  const isGiven = file === '-' || !canBeReadAgain(file);
  const main: CUnit = { ...unitOf(name, wishes, known), ...(isGiven && { text: source }) };
  const others = (wishes.link ?? []).map((other) => unitOf(other, wishes, known));
  return [main, ...others];
}

/**
 * Finds a clang for a file, and returns a reader of the file; the limits hold for search and
 * reading together.
 */
export async function openC(
  file: string,
  source: string,
  wishes: CReadWishes,
  limits: Pick<Limits, 'timeout' | 'maxMemory' | 'signal'>,
): Promise<LoadedC | ({ readonly kind: 'open' } & CReader)> {
  const begun = Date.now();
  const signal = limits.signal ?? new AbortController().signal;
  const timer = limits.timeout === undefined ? [] : [timeSignal(limits.timeout)];
  const clang = await clangFor(wishes.clang, AbortSignal.any([signal, ...timer]));
  if (!clang) return { kind: 'stopped', reason: signal.aborted ? 'cancelled' : 'time' };
  if (clang.kind === 'missing' || clang.kind === 'unusable') return noClang(clang);
  const units = unitsOf(file, source, wishes);
  if ('kind' in units) return units;
  const where = { folder: process.cwd(), shipped, signal: AbortSignal.any([signal, ...timer]) };
  let chosen: ChosenHeaders = await chooseHeaders(clang, units, wishes.headers, where);
  if (where.signal.aborted)
    return { kind: 'stopped', reason: signal.aborted ? 'cancelled' : 'time' };
  const [main, ...others] = units as [CUnit, ...CUnit[]];
  const readWith = async (
    taken: ChosenHeaders,
    ...[text, places]: Parameters<CReader['read']>
  ): Promise<LoadedC> => {
    const done = tellSlowness(clang);
    const { compiled, std } = await compileInVersion(
      clang,
      [text === undefined ? main : { ...main, text }, ...others].map((unit) => ({
        ...unit,
        headers: taken.headers,
      })),
      {
        folder: process.cwd(),
        shipped,
        signal,
        ...(limits.timeout !== undefined && {
          timeout: Math.max(0, limits.timeout - (Date.now() - begun)),
        }),
        ...(limits.maxMemory !== undefined && { maxMemory: limits.maxMemory }),
      },
    );
    done();
    if (compiled.kind === 'stopped') return compiled;
    if (compiled.kind === 'forbidden' || compiled.kind === 'failed') return failureOf(compiled);
    const said = toDiagnostics(compiled.messages, main.file, text ?? source);
    if (compiled.kind === 'rejected') return { kind: 'read', diagnostics: said };
    const { model, diagnostics } = parseLlvmIr(compiled.modules, {
      main: asOperand(main.file),
      sourceOf: textOf,
      ...(taken.headers === 'machine' && { headers: systemFolders, areOfMachine: true }),
      ...places,
      ...(wishes.pool !== undefined && { pool: wishes.pool }),
      ...(wishes.outside && { outside: wishes.outside }),
      ...(wishes.counts && { counts: wishes.counts }),
    });
    const named = diagnostics.map(withLinkOption);
    const about = aboutHardware(compiledBy(clang, taken, std));
    return {
      kind: 'read',
      ...(model && { model }),
      diagnostics: [...said, ...named, ...(model ? [about] : [])],
    };
  };
  const read: CReader['read'] = async (text, places) => {
    const loaded = await readWith(chosen, text, places);
    const isOpen = chosen.headers === 'machine' && wishes.headers === undefined;
    if (!isOpen || loaded.kind !== 'read' || loaded.model) return loaded;
    const instead: ChosenHeaders = { headers: 'own', versions: [], areInstead: true };
    const again = await readWith(instead, text, places);
    if (again.kind !== 'read' || !again.model) return loaded;
    chosen = instead;
    return again;
  };
  return { kind: 'open', read };
}

/** Compiles a file and the files to link, and reads the resulting IR. */
export async function loadC(...asked: Parameters<typeof openC>): Promise<LoadedC> {
  const opened = await openC(...asked);
  return opened.kind === 'open' ? opened.read() : opened;
}
