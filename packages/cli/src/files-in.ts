import { closeSync, type Dirent, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { formatOf, type FormatsByExtension, type InputFormat } from './formats.js';
import { kindOf, standsForFiles } from './operand-kind.js';

/** Bytes at the beginning of a text that decide whether the text is Trencher's. */
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

/** The files to search for in folders. */
export interface Sought {
  /** Only files with extensions of these formats; by default all. */
  readonly formats?: readonly InputFormat[];
  /** Formats of further extensions. */
  readonly extensions?: FormatsByExtension;
}

/** Whether a file in a folder is a program, as many texts end in `.txt`. */
function isProgram(file: string, { formats, extensions }: Sought): boolean {
  const format = formatOf(file, extensions);
  if (format === undefined || formats?.includes(format) === false) return false;
  const isText = format === 'trencher' && path.extname(file).toLowerCase() === '.txt';
  return !isText || looksLikeTrencher(beginningOf(file));
}

/** Whether the search of folders skips a name. */
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
 * Yields the files below a folder, by name, one folder after the other, entering only folders
 * accepted by `enters`. An unreadable folder is yielded itself, so that its files do not count as
 * checked.
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

/** Yields the programs below a folder. */
function* programsBelow(folder: string, sought: Sought): Generator<string> {
  for (const file of filesBelow(folder))
    if (kindOf(file) === 'folder' || isProgram(file, sought)) yield file;
}

/** A part of a pattern that matches the name of a single folder. */
const simplePart = /^(?:[^{}()[\]]|\{[^{}()[\]]*\}|\[[^{}()[\]]+\])*$/;

/**
 * Returns a test whether a folder, or a folder below, may hold files matched by a pattern: the
 * names on the path have to match the parts of the pattern for single folders.
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

/** Yields the files matched by a pattern, whatever the formats of their names. */
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

/** Whether a folder, or a folder below, contains a program. */
export function hasPrograms(folder: string): boolean {
  return programsBelow(folder, {}).next().done !== true;
}

/** Thrown for an operand without files. */
export class NoFiles extends Error {}

/** Yields files as `filesIn` does; `instead` gives the result for an operand without files. */
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
 * Returns the files named by operands. A folder means the programs in the folder and below; a
 * pattern with `*`, `**`, `?`, `[]`, `{}` means the matching files. Hidden files, files in
 * `node_modules` and files named before are left out. Throws `NoFiles` for a folder or pattern
 * without files.
 */
export function filesIn(operands: Iterable<string>, sought: Sought = {}): AsyncGenerator<string> {
  return expanded(operands, sought, (operand, isFolder) => {
    throw new NoFiles(isFolder ? `there is no program in ${operand}` : `no file is ${operand}`);
  });
}

/**
 * Returns the files as `filesIn` does, all at once. A folder or pattern without files is kept as a
 * file name, so that the reader of the file reports the error, beside the results for the remaining
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
