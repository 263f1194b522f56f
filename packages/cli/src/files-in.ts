import {
  closeSync,
  type Dirent,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import type { ConfiguredProgram } from './configuration/schema.js';
import { formatOf, frontEndOf, type FormatsByExtension, type InputFormat } from './formats.js';
import { kindOf, standsForFiles } from './operand-kind.js';

/**
 * The number of bytes at the beginning of a text in which the signs of Trencher's format are looked
 * for.
 */
const glance = 65536;

function beginningOf(file: string): string {
  try {
    const fd = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(glance);
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, glance, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return '';
  }
}

/** Whether a text begins like a program in Trencher's format, except for comments. */
export function looksLikeTrencher(text: string): boolean {
  const first = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('#'));
  return first !== undefined && /^(thread|memory|memory_size)\s+\S+(\s*#.*)?$/.test(first);
}

/** The kinds of files that are looked for in folders. */
export interface Sought {
  /** The formats whose file extensions are accepted; all formats if absent. */
  readonly formats?: readonly InputFormat[];
  /** The formats of files whose extensions the user has configured, by extension. */
  readonly extensions?: FormatsByExtension;
  /**
   * Called for each file of a folder that is left out, as the file holds only a part of a program;
   * if absent, no file is left out.
   */
  readonly onPart?: (file: string) => void;
  /** The files of the programs in the configuration, by absolute path. */
  readonly named?: NamedPrograms;
}

/** The main files of the programs in a configuration, and the files linked with them. */
interface NamedPrograms {
  readonly main: ReadonlySet<string>;
  readonly linked: ReadonlySet<string>;
}

/** Returns the files that the programs of a configuration consist of. */
function namedPrograms(programs: readonly ConfiguredProgram[]): NamedPrograms {
  const linked = programs.flatMap(({ values: { link = [] } }) => link);
  return {
    main: new Set(programs.map(({ file }) => file)),
    linked: new Set(linked.map((file) => path.resolve(file))),
  };
}

/** The user's options for the selection of programs among the files of a folder. */
export interface SoughtWishes {
  readonly from?: InputFormat;
  readonly formats?: FormatsByExtension;
  readonly link?: readonly string[];
  readonly programs?: readonly ConfiguredProgram[];
}

/**
 * Returns which files to look for in folders. Parts of programs are left out, unless every file is
 * linked with further ones, which may have a `main`.
 */
export function soughtOf(
  { from, formats, link = [], programs }: SoughtWishes,
  onPart: (file: string) => void,
): Sought {
  return {
    ...(from && { formats: [from] }),
    ...(formats && { extensions: formats }),
    ...(link.length === 0 && { onPart }),
    ...(programs && { named: namedPrograms(programs) }),
  };
}

/**
 * Whether a file in a folder is a program, by extension; a file with the extension `.txt` is a
 * program only if the text resembles Trencher's format.
 */
function isProgram(file: string, { formats, extensions }: Sought): boolean {
  const format = formatOf(file, extensions);
  if (format === undefined || formats?.includes(format) === false) return false;
  const isText = format === 'trencher' && path.extname(file).toLowerCase() === '.txt';
  return !isText || looksLikeTrencher(beginningOf(file));
}

/** Whether a program in a folder is only a part of a program, such as a C file without `main`. */
function isPart(file: string, { extensions }: Sought): boolean {
  const format = formatOf(file, extensions);
  const mayBeWhole = format && frontEndOf(format).mayBeWhole;
  if (!mayBeWhole) return false;
  try {
    return !mayBeWhole(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}

/** Returns the message about files that were left out as parts of programs, at least one. */
export function leftOutInWords(parts: readonly string[]): string {
  const rest = parts.length > 3 ? `, and ${parts.length - 3} more` : '';
  return (
    `fencewright: left out, without a 'main': ${parts.slice(0, 3).join(', ')}${rest}\n` +
    "  hint: to check such a file, name the file, and with --link the file that has 'main'\n"
  );
}

/** Whether the search of folders skips a file or folder with the given name. */
const isHidden = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/**
 * Whether an entry is a file, or a link to a file; links to folders are excluded, as such links may
 * form cycles.
 */
function isFile(entry: Dirent, file: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile();
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const byName = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

function entriesOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort(byName);
  } catch {
    return undefined;
  }
}

/**
 * Yields the files in a folder and in folders below, ordered by name; only folders accepted by
 * `enters` are entered. For an unreadable folder, the folder's name is yielded, so that reading
 * reports an error.
 */
function* filesBelow(
  folder: string,
  enters: (folder: string) => boolean = () => true,
): Generator<string> {
  const entries = entriesOf(folder);
  if (!entries) yield folder;
  for (const entry of entries ?? []) {
    if (isHidden(entry.name)) continue;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (enters(file)) yield* filesBelow(file, enters);
    } else if (isFile(entry, file)) yield file;
  }
}

const isBelow = (file: string, folder: string): boolean =>
  !path.relative(folder, file).startsWith('..');

/**
 * Yields the programs in a folder and below, including missing files that a configuration names.
 */
function* programsBelow(folder: string, sought: Sought): Generator<string> {
  const { main, linked } = sought.named ?? {};
  const absent = new Set([...(main ?? [])].filter((file) => isBelow(file, folder)));
  for (const file of filesBelow(folder)) {
    const at = path.resolve(file);
    if (absent.delete(at)) yield file;
    if (main?.has(at) === true || linked?.has(at) === true) continue;
    const isFolder = kindOf(file) === 'folder';
    if (!isFolder && !isProgram(file, sought)) continue;
    if (!isFolder && sought.onPart && isPart(file, sought)) sought.onPart(file);
    else yield file;
  }
  // Later, reading such an absent file reports the error.
  for (const file of absent) yield path.relative('', file);
}

/** Matches a part of a pattern (between two slashes) that matches names of a single folder. */
const simplePart = /^(?:[^{}()[\]]|\{[^{}()[\]]*\}|\[[^{}()[\]]+\])*$/;

/**
 * Returns a function that returns whether a folder, or a folder below it, may hold files matched by
 * a pattern: the names on the path have to match the corresponding parts of the pattern.
 */
async function entersFor(pattern: string): Promise<(folder: string) => boolean> {
  const { default: picomatch } = await import('picomatch');
  const parts = path.normalize(pattern).split('/');
  const open = parts.findIndex((part) => part.includes('**') || !simplePart.test(part));
  const known = open < 0 ? parts.slice(0, -1) : parts.slice(0, open);
  const matchers = known.map((part) => {
    const matches = picomatch(part === '' ? '/' : part);
    return (name: string): boolean => name === part || matches(name);
  });
  return (folder) => {
    const names = path.normalize(folder).split('/');
    if (open < 0 && names.length > known.length) return false;
    return names.every((name, i) => matchers[i]?.(name) ?? true);
  };
}

/** Yields the files matched by a pattern, also with unknown extensions. */
async function* matchesOf(pattern: string): AsyncGenerator<string> {
  const { default: picomatch } = await import('picomatch');
  const { base } = picomatch.scan(pattern);
  const matches = picomatch(path.normalize(pattern));
  const start = base === '' ? '.' : base;
  if (kindOf(start) !== 'folder') return;
  const enters = await entersFor(pattern);
  for (const file of filesBelow(start, enters))
    if (kindOf(file) === 'folder' || matches(file)) yield file;
}

/** The files in a folder and below: programs, only parts of programs, or neither. */
export function contentOf(folder: string): 'programs' | 'parts' | 'none' {
  let parts = 0;
  const whole = programsBelow(folder, { onPart: () => void (parts += 1) }).next();
  if (whole.done !== true) return 'programs';
  return parts > 0 ? 'parts' : 'none';
}

/** Thrown for an operand without files. */
export class NoFiles extends Error {}

/** Yields files as `filesIn` does; for an operand without files, yields the result of `instead`. */
async function* expanded(
  operands: Iterable<string>,
  sought: Sought,
  instead: (operand: string, isFolder: boolean) => string,
): AsyncGenerator<string> {
  const seen = new Set<string>();
  for (const operand of operands) {
    if (!standsForFiles(operand)) {
      seen.add(path.normalize(operand));
      yield operand;
      continue;
    }
    const isFolder = kindOf(operand) === 'folder';
    let found = false;
    for await (const file of isFolder ? programsBelow(operand, sought) : matchesOf(operand)) {
      found = true;
      if (seen.has(path.normalize(file))) continue;
      seen.add(path.normalize(file));
      yield file;
    }
    if (!found) yield instead(operand, isFolder);
  }
}

/**
 * Yields the files that operands name. A folder names the programs in the folder and below, without
 * parts of programs if `onPart` is given; a pattern with `*`, `**`, `?`, `[]`, `{}` names the
 * matching files. Hidden files, files in `node_modules` and files named before are left out. Throws
 * `NoFiles` for a folder or pattern without files.
 */
export function filesIn(operands: Iterable<string>, sought: Sought = {}): AsyncGenerator<string> {
  return expanded(operands, sought, (operand, isFolder) => {
    throw new NoFiles(isFolder ? `there is no program in ${operand}` : `no file is ${operand}`);
  });
}

/**
 * Returns all files that operands name, see `filesIn`. A folder or pattern without files is kept as
 * a file name, so that reading the file reports the error, beside the results for the remaining
 * files.
 */
export async function allFilesIn(
  operands: readonly string[],
  sought: Sought,
): Promise<readonly string[]> {
  if (!operands.some(standsForFiles)) return operands;
  const files: string[] = [];
  for await (const file of expanded(operands, sought, (operand) => operand)) files.push(file);
  return files;
}
