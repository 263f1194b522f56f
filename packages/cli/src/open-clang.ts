import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { quoteName } from '@fencewright/core';
import {
  type Clang,
  type CUnit,
  type DatabaseUnit,
  findClang,
  type NoClang,
} from '@fencewright/core/node';
import { type CompileDatabase, databaseOf } from './compile-database.js';
import { formatOf } from './formats.js';
import { noClang, refused, type RefusedC } from './clang-messages.js';
import type { CReadWishes, CWishes } from './run-settings.js';

/** The folder with the shipped files for C: headers, a library, a script. */
const shipped = fileURLToPath(new URL('./c/', import.meta.url));

/** The compilers found, by the name that the user gave; each search for a compiler runs once. */
const found = new Map<string | undefined, Clang>();

async function clangFor(wish: string | undefined, signal: AbortSignal): Promise<Clang | NoClang> {
  const known = found.get(wish);
  if (known) return known;
  const clang = await findClang({
    folder: process.cwd(),
    signal,
    ...(wish !== undefined && { wish }),
    tool: shipped,
    wasmRunner: path.join(shipped, 'run-wasm-clang.mjs'),
  });
  if (clang.kind === 'native' || clang.kind === 'wasm') found.set(wish, clang);
  return clang;
}

/**
 * Whether clang can read the file, after this program has read it: a pipe is empty by then, and
 * clang cannot print some names.
 */
function canBeReadAgain(file: string): boolean {
  return !/\p{Cc}/u.test(file) && statSync(file).isFile();
}

/** The settings of a file, unless an argument for clang is forbidden. */
function usable(unit: DatabaseUnit | undefined): DatabaseUnit | undefined {
  return unit?.refused ? undefined : unit;
}

/**
 * Returns a folder of headers as clang is to name it in messages about a program: relative to the
 * working folder if the folder is in it, and the program's name is relative, too.
 */
function folderInMessages(folder: string, program: string): string {
  const way = path.relative('', folder);
  const isOutside = way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
  return isOutside || path.isAbsolute(program) ? folder : way || '.';
}

/**
 * Returns the settings to compile a file: from the database, if any, and from the options. Options
 * take precedence.
 */
function unitOf(
  file: string,
  { include = [], define = [], std, ccArgs = [] }: CWishes,
  known: ReadonlyMap<string, DatabaseUnit> | undefined,
): CUnit {
  const from = usable(known?.get(path.resolve(file)));
  const language = std ?? from?.std;
  return {
    file,
    include: [...include, ...(from?.include ?? []).map((each) => folderInMessages(each, file))],
    define: [...(from?.define ?? []), ...define],
    ccArgs: [...(from?.ccArgs ?? []), ...ccArgs],
    ...(language !== undefined && { std: language }),
  };
}

/**
 * Returns the settings to compile the files of a program, the main file first; or a refusal if
 * clang must not get some argument.
 */
function unitsOf(
  file: string,
  source: string,
  wishes: CReadWishes,
  database: CompileDatabase | undefined,
): readonly CUnit[] | RefusedC {
  const known = database?.units;
  for (const each of database && !database.isFound ? [file, ...(wishes.link ?? [])] : []) {
    const { refused: what } = known?.get(path.resolve(each)) ?? {};
    if (what)
      return refused(
        `${quoteName(database!.name)}: the argument ${quoteName(what.argument)} for clang is refused: ${what.why}`,
        `give the arguments for ${quoteName(each)} behind -- instead: -- -IFOLDER -DNAME`,
      );
  }
  const name = file === '-' ? 'standard-input.c' : file;
  const isGiven = file === '-' || !canBeReadAgain(file);
  const main: CUnit = {
    ...unitOf(name, wishes, known),
    ...(isGiven && { text: source }),
    ...(wishes.isIr && { isIr: true, text: source }),
  };
  const others = (wishes.link ?? []).map((other): CUnit => ({
    ...unitOf(other, wishes, known),
    ...(formatOf(other) === 'llvm-ir' && { isIr: true }),
  }));
  return [main, ...others];
}

/** A clang with the files to compile, and the folder for relative names. */
interface OpenClang {
  readonly kind: 'open';
  readonly clang: Clang;
  /** The files to compile with their settings, the main file first. */
  readonly units: readonly CUnit[];
  readonly database?: CompileDatabase;
  readonly where: {
    readonly folder: string;
    readonly shipped: string;
    readonly signal: AbortSignal;
  };
}

/** Finds a clang for a file, and the settings to compile the files of its program. */
export async function openClang(
  file: string,
  source: string,
  wishes: CReadWishes,
  signal: AbortSignal,
): Promise<OpenClang | RefusedC | { readonly kind: 'stopped' }> {
  const clang = await clangFor(wishes.clang, signal);
  if (clang.kind === 'stopped') return { kind: 'stopped' };
  if (clang.kind === 'missing' || clang.kind === 'unusable') return noClang(clang);
  const database = databaseOf(file, wishes);
  if (database && 'kind' in database) return database;
  const units = unitsOf(file, source, wishes, database);
  if ('kind' in units) return units;
  const settings = database && { database };
  return {
    kind: 'open',
    clang,
    units,
    ...settings,
    where: { folder: process.cwd(), shipped, signal },
  };
}
