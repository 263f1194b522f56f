import path from 'node:path';
import {
  aboutHardware,
  type Diagnostic,
  type Limits,
  type Model,
  quoteArgument,
  quoteName,
  timeSignal,
} from '@fencewright/core';
import { isOrderedByLanguage, type LlvmIrOptions, parseLlvmIr } from '@fencewright/core/c';
import {
  chooseHeaders,
  type ChosenHeaders,
  type Clang,
  compileC,
  type Compiled,
  type CUnit,
  isCxx,
  standardOf,
  textOf,
} from '@fencewright/core/node';
import { asOperand, failureOf, type LoadedC, toDiagnostics } from './clang-messages.js';
import {
  type CompileDatabase,
  type LinkedUnits,
  settingsFrom,
  withDefinition,
} from './compile-database.js';
import { fileThatDefines, folderOfHeader } from './near-files.js';
import { openClang } from './open-clang.js';
import { readableName } from './readable-name.js';
import type { CReadWishes } from './run-settings.js';

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

/** Advice if files are linked that the user has not named. */
const otherFiles = 'to link others: --link FILE --compile-commands none';

/** The name of the first function without a body that the messages name; `undefined` if none. */
function missingIn(diagnostics: readonly Diagnostic[]): string | undefined {
  for (const { message } of diagnostics) {
    const name = /^'(.+)' has no body/.exec(message)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** A read program with its files, some linked without being named. */
interface ReadAndLinked {
  readonly loaded: LoadedC;
  readonly program: LinkedUnits;
}

/**
 * Reads a program, and links files of the database: for each missing function, the only file with a
 * definition.
 */
async function readAndLink(
  database: CompileDatabase | undefined,
  program: LinkedUnits,
  readAs: (program: LinkedUnits) => Promise<LoadedC>,
): Promise<ReadAndLinked> {
  const loaded = await readAs(program);
  const name = loaded.kind === 'read' && !loaded.model && missingIn(loaded.diagnostics);
  const more = database && name ? withDefinition(database, name, program) : undefined;
  if (!more) return { loaded, program };
  const again = await readAndLink(database, more, readAs);
  if (again.loaded.kind !== 'read' || again.loaded.model) return again;
  const further = missingIn(again.loaded.diagnostics);
  // Without an answer, the messages are about the files that the user named.
  return further === undefined || further === name ? { loaded, program } : again;
}

/** The message that says how a program was compiled, given in parts, the compiler first. */
function aboutCompiled(parts: readonly string[], model: Model): Diagnostic {
  const isOrdered = model.kind === 'finite' && isOrderedByLanguage(model.program);
  const advice = parts.some((part) => part.startsWith('linked')) ? [otherFiles] : [];
  return aboutHardware(parts.join(', '), isOrdered, ...advice);
}

/** How a program is read: its files, some linked without being named, and the headers. */
interface ReadManner {
  readonly program: LinkedUnits;
  readonly chosen: ChosenHeaders;
}

/**
 * Returns the reader of a program. If the program is refused with the headers of the machine, and
 * the user has not chosen headers, the reader tries the supplied headers. All later texts are read
 * with the headers that worked first.
 */
function readerOf(
  database: CompileDatabase | undefined,
  begins: ReadManner,
  { headers }: CReadWishes,
  readWith: (
    program: LinkedUnits,
    taken: ChosenHeaders,
    ...text: Parameters<CReader['read']>
  ) => Promise<LoadedC>,
): CReader['read'] {
  let { program, chosen } = begins;
  return async (...text) => {
    const readLinked = (taken: ChosenHeaders): Promise<ReadAndLinked> =>
      readAndLink(database, program, (now) => readWith(now, taken, ...text));
    const first = await readLinked(chosen);
    const isOpen = chosen.headers === 'machine' && headers === undefined;
    const isRefused = first.loaded.kind === 'read' && !first.loaded.model;
    if (!isOpen || !isRefused) {
      ({ program } = first);
      return first.loaded;
    }
    const instead: ChosenHeaders = { ...own, areInstead: true };
    const again = await readLinked(instead);
    if (again.loaded.kind !== 'read' || !again.loaded.model) return first.loaded;
    [program, chosen] = [again.program, instead];
    return again.loaded;
  };
}

/** Returns messages without later ones about a function without a body that was named before. */
function oncePerFunction(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const named = new Set<string>();
  return diagnostics.filter(({ message }) => {
    const isAgain = named.has(message);
    if (/^'.+' has no body/.test(message)) named.add(message);
    return !isAgain;
  });
}

/**
 * Returns a message about a function without a body, with a hint how to link the file that defines
 * the function.
 */
function withLinkOption(
  diagnostic: Diagnostic,
  program: string,
  includes: readonly string[],
): Diagnostic {
  const { hint, message } = diagnostic;
  if (hint?.startsWith('link the file') !== true) return diagnostic;
  const name = /^'(.+)' has no body/.exec(message)?.[1];
  if (name === undefined)
    return { ...diagnostic, hint: `name with --${hint}${harnessOf(program)}` };
  const found = fileThatDefines(program, name, includes);
  const readable = readableName(name);
  return {
    ...diagnostic,
    message: message.replace(name, () => readable),
    hint:
      found === undefined
        ? `name with --${hint}`
        : `${quoteName(found)} seems to define it: --link ${quoteArgument(found)}`,
  };
}

/**
 * Returns advice on making a file with `main` for the header that has the name of a file in C, to
 * be appended to other advice; empty if there is no such header near the file.
 */
function harnessOf(file: string): string {
  const { name, ext } = path.parse(file);
  const folder = ext === '.c' ? folderOfHeader(file, `${name}.h`) : undefined;
  if (folder === undefined) return '';
  const header = quoteArgument(path.join(folder, `${name}.h`));
  return `, or have one made: fencewright init --for ${header}`;
}

/** The folders of the machine's headers. */
const systemFolders = ['/usr/include/', '/usr/lib/', '/usr/local/include/', '/usr/local/lib/'];

/**
 * Returns the header folders that the user names for a file, without the folders of the machine's
 * headers; relative to clang's working folder, or absolute.
 */
function foldersOfProject({ include = [], ccArgs = [] }: CUnit): readonly string[] {
  const given = ccArgs.flatMap((each, i) => {
    if (each === '-I') return ccArgs.slice(i + 1, i + 2);
    return each.startsWith('-I') ? [each.slice(2)] : [];
  });
  return [...include, ...given].filter(
    (folder) => !systemFolders.some((system) => `${folder}/`.startsWith(system)),
  );
}

/** The version of C++ to try after clang has rejected the default version. */
const laterCxx = 'gnu++20';

/**
 * Compiles a program. If clang rejects a C++ program without a stated version, the version
 * `laterCxx` is tried; `std` is that version, if taken.
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

/**
 * The headers supplied with the tool: for programs without files in C, and for a second attempt if
 * a program is refused with the machine's headers.
 */
const own: ChosenHeaders = { headers: 'own', versions: [] };

/** Returns the compiler, the version of the language and the headers, in words. */
function compiledBy(
  { version }: Clang,
  { headers, versions, areInstead }: ChosenHeaders,
  std: string,
): string {
  const compiler = `clang ${version} as ${std}`;
  if (areInstead)
    return `${compiler} and the supplied headers (with those of this machine, it is refused)`;
  if (headers === 'own') return compiler;
  const named = versions.length === 0 ? '' : ` (${versions.join(', ')})`;
  return `${compiler} and the headers of this machine${named}`;
}

/** Returns the user's settings for a program that is IR already. */
export function lowering({ pool, outside, counts }: CReadWishes): LlvmIrOptions {
  return {
    ...(pool !== undefined && { pool }),
    ...(outside && { outside }),
    ...(counts && { counts }),
  };
}

/** Options for reading a program in C. */
interface CReadOptions extends Pick<LlvmIrOptions, 'unmarked'> {
  /**
   * The header or linked file that the text given to `read` replaces; by default, the main file.
   */
  readonly other?: string;
}

/** A function that reads a file in C, or a text in place of the file. */
export interface CReader {
  /**
   * Reads the program, with `text` in place of the content of the file, or of `other`. Places in
   * the file, or in `other`, are shown without a file name.
   */
  readonly read: (text?: string, options?: CReadOptions) => Promise<LoadedC>;
}

/**
 * Returns the files of a program, where `text` replaces the content of one file: of the main file,
 * or of the linked file or header `other`.
 */
function withText(
  units: readonly CUnit[],
  text: string | undefined,
  other: string | undefined,
): readonly CUnit[] {
  if (text === undefined) return units;
  if (other === undefined) return units.map((unit, i) => (i === 0 ? { ...unit, text } : unit));
  const isUnit = units.some(({ file }) => file === other);
  if (!isUnit) return units.map((unit) => ({ ...unit, header: { file: other, text } }));
  return units.map((unit) => (unit.file === other ? { ...unit, text } : unit));
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
  const opened = await openClang(file, source, wishes, AbortSignal.any([signal, ...timer]));
  if (opened.kind === 'stopped')
    return { kind: 'stopped', reason: signal.aborted ? 'cancelled' : 'time' };
  if (opened.kind === 'read') return opened;
  const { clang, units, database, where } = opened;
  const sources = units.filter((unit) => !unit.isIr);
  const chosen =
    sources.length === 0 ? own : await chooseHeaders(clang, sources, wishes.headers, where);
  if (where.signal.aborted)
    return { kind: 'stopped', reason: signal.aborted ? 'cancelled' : 'time' };
  const [main] = units as [CUnit, ...CUnit[]];
  const [first] = sources;
  const readWith = async (
    { units: all, reasons }: LinkedUnits,
    taken: ChosenHeaders,
    text: string | undefined,
    { other, ...places }: CReadOptions = {},
  ): Promise<LoadedC> => {
    const done = tellSlowness(clang);
    const { compiled, std } = await compileInVersion(
      clang,
      withText(all, text, other).map((unit) => ({ ...unit, headers: taken.headers })),
      {
        ...where,
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
    const said = toDiagnostics(compiled.messages, other ?? main.file, text ?? source);
    if (compiled.kind === 'rejected') return { kind: 'read', diagnostics: said };
    const { model, diagnostics } = parseLlvmIr(compiled.modules, {
      main: asOperand(other ?? main.file),
      sourceOf: textOf,
      ...(text !== undefined && { compiledText: text }),
      ...(taken.headers === 'machine' && { headers: systemFolders, areOfMachine: true }),
      ...places,
      ...lowering(wishes),
    });
    const includes = foldersOfProject(main);
    const named = oncePerFunction(
      diagnostics.map((one) => withLinkOption(one, main.file, includes)),
    );
    const compiler = first && compiledBy(clang, taken, std ?? standardOf(first.file, first));
    const more = [...settingsFrom(file, database), ...reasons];
    return {
      kind: 'read',
      ...(model && { model }),
      diagnostics: [
        ...said,
        ...named,
        ...(compiler !== undefined && model ? [aboutCompiled([compiler, ...more], model)] : []),
      ],
    };
  };
  const begins = { program: { units, reasons: [] }, chosen };
  return { kind: 'open', read: readerOf(database, begins, wishes, readWith) };
}

/** Compiles a file and the files to link, unless they are IR, and reads the resulting IR. */
export async function loadC(...asked: Parameters<typeof openC>): Promise<LoadedC> {
  const opened = await openC(...asked);
  return opened.kind === 'open' ? opened.read() : opened;
}
