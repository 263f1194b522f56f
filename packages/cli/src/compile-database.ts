import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { quoteName } from '@fencewright/core';
import { type CUnit, type DatabaseUnit, readCompileCommands, textOf } from '@fencewright/core/node';
import { refused, type RefusedC } from './clang-messages.js';
import { definitionsOf } from './defined-names.js';
import { isSameLanguage, largestText } from './near-files.js';
import type { CWishes } from './run-settings.js';

/**
 * The settings with which a build compiles the files of a project, as in a `compile_commands.json`.
 */
export interface CompileDatabase {
  /** The name of the file with the settings. */
  readonly name: string;
  /** Whether the tool has found the file by itself: the user has not named the file. */
  readonly isFound: boolean;
  /** The settings by absolute file name. */
  readonly units: ReadonlyMap<string, DatabaseUnit>;
}

/** The usual places of `compile_commands.json`, relative to the root of a project. */
const usualPlaces = ['compile_commands.json', 'build/compile_commands.json'];

/**
 * Finds the `compile_commands.json` of a file's project. Searches the folder of the file and all
 * folders above, up to the root of the repository, and a folder `build` in each. Outside a
 * repository, only the file's own folder is searched, as a folder above may belong to others.
 */
function fileInProject(file: string): string | undefined {
  const own = path.dirname(path.resolve(file));
  const folders: string[] = [];
  for (let folder = own; ; folder = path.dirname(folder)) {
    folders.push(folder);
    if (existsSync(path.join(folder, '.git'))) break;
    if (folder !== path.dirname(folder)) continue;
    folders.length = 1;
    break;
  }
  return folders
    .flatMap((folder) => usualPlaces.map((place) => path.join(folder, place)))
    .find((place) => existsSync(place));
}

/**
 * Returns the name of the file with settings that `databaseOf` finds by itself; `undefined` if the
 * user names the file, or if there is none.
 */
export function foundDatabase(file: string, { compileCommands }: CWishes): string | undefined {
  return compileCommands !== undefined || file === '-' ? undefined : fileInProject(file);
}

/**
 * The settings of the project: the settings named by the user, or else found by `fileInProject`.
 * Found settings that cannot be read are ignored.
 */
export function databaseOf(file: string, wishes: CWishes): CompileDatabase | RefusedC | undefined {
  const found = foundDatabase(file, wishes);
  const name = wishes.compileCommands ?? found;
  if (name === undefined || name === 'none') return undefined;
  const isFound = found !== undefined;
  const text = textOf(name);
  if (text === undefined) return isFound ? undefined : refused(`${quoteName(name)} cannot be read`);
  const read = readCompileCommands(text, path.dirname(path.resolve(name)));
  if (read.kind === 'malformed')
    return isFound ? undefined : refused(`${quoteName(name)}: ${read.why}`);
  return { name: path.relative('', name), isFound, units: read.units };
}

/** The maximum number of files of a database whose texts are read. */
const mostTexts = 1000;

/** A line that begins `main`: a file with such a line is a program by itself. */
const mainBegins = /^\s*(?:int|auto|void)\s+main\s*\(/m;

/**
 * The only file of the database that seems to define a function, among those that are no program of
 * their own and have the language of `program`; `undefined` if none or several do. `name` is the
 * function's name in LLVM IR, `known` are the files of the program.
 */
function onlyFileThatDefines(
  { units }: CompileDatabase,
  name: string,
  program: string,
  known: readonly string[],
): DatabaseUnit | undefined {
  const taken = new Set(known.map((file) => path.resolve(file)));
  const texts = [...units.values()]
    .filter((unit) => !taken.has(unit.file) && isSameLanguage(unit.file, program))
    .slice(0, mostTexts)
    .flatMap((unit) => {
      try {
        if (statSync(unit.file).size > largestText) return [];
        const text = readFileSync(unit.file, 'utf8');
        return mainBegins.test(text) ? [] : [{ unit, text }];
      } catch {
        // Unreadable files define nothing.
        return [];
      }
    });
  for (const definition of definitionsOf(name)) {
    const found = texts.filter(({ text }) => definition.test(text));
    if (found.length > 0) return found.length === 1 ? found[0]!.unit : undefined;
  }
  return undefined;
}

/**
 * The files of a program with their settings. Some files may be linked although the user has not
 * named them.
 */
export interface LinkedUnits {
  /** The files to compile, the main file first. */
  readonly units: readonly CUnit[];
  /** For each file not named by the user, the reason for linking the file. */
  readonly reasons: readonly string[];
}

/** The maximum number of files that are linked although the user has not named them. */
const mostLinked = 20;

/**
 * The program with the only file of the database that defines the function `name`; `undefined` if
 * there is none, or if the program has too many files.
 */
export function withDefinition(
  database: CompileDatabase,
  name: string,
  { units, reasons }: LinkedUnits,
): LinkedUnits | undefined {
  const files = units.map((unit) => unit.file);
  const found = onlyFileThatDefines(database, name, files[0]!, files);
  if (!found || found.refused || reasons.length >= mostLinked) return undefined;
  const file = path.relative('', found.file);
  const reason = `linked with ${quoteName(file)}, which alone defines '${name}' in ${quoteName(database.name)}`;
  return { units: [...units, { ...found, file }], reasons: [...reasons, reason] };
}

/**
 * Returns words that name the database from which the file has its settings; nothing if the user
 * has named the database.
 */
export function settingsFrom(
  file: string,
  database: CompileDatabase | undefined,
): readonly string[] {
  const own = database?.isFound && database.units.get(path.resolve(file));
  return own && !own.refused ? [`with the settings of ${quoteName(database.name)}`] : [];
}
