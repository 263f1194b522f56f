import { closeSync, type Dirent, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { formatOf } from './formats.js';

/** Bytes at the beginning of a text that tell whether it is Trencher's. */
const glance = 4096;

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

/** Whether a text begins as programs in Trencher's format do, comments aside. */
export function looksLikeTrencher(text: string): boolean {
  const first = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('#'));
  return first !== undefined && /^(thread|memory|memory_size)\s+\S+(\s*#.*)?$/.test(first);
}

/** Whether a file of a folder is a program: many texts end in `.txt`. */
function isProgram(file: string): boolean {
  if (formatOf(file) === undefined) return false;
  return path.extname(file).toLowerCase() !== '.txt' || looksLikeTrencher(beginningOf(file));
}

/** What no folder is searched for. */
const isHidden = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/** Whether it is a file, or a link to one; links to folders may lead in circles. */
function isFile(entry: Dirent, file: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile();
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const byName = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** The files below a folder, by name, one folder after the other. */
function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort(byName)) {
    if (isHidden(entry.name)) continue;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(file);
    else if (isFile(entry, file)) yield file;
  }
}

/** The programs below a folder. */
function* programsBelow(folder: string): Generator<string> {
  for (const file of filesBelow(folder)) if (isProgram(file)) yield file;
}

/** Characters that mean something in a pattern. */
const magic = /[*?[{]/;

/** The files that a pattern names; folders that it names give their programs. */
async function* matchesOf(pattern: string): AsyncGenerator<string> {
  const { default: picomatch } = await import('picomatch');
  const { base } = picomatch.scan(pattern);
  const matches = picomatch(path.normalize(pattern));
  try {
    for (const file of filesBelow(base === '' ? '.' : base)) if (matches(file)) yield file;
  } catch {
    // Nothing is where the pattern begins.
  }
}

function kindOf(operand: string): 'file' | 'folder' | 'nothing' {
  try {
    return statSync(operand).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'nothing';
  }
}

/** Whether an operand stands for files, and is none itself. */
export function standsForFiles(operand: string): boolean {
  if (operand === '-') return false;
  const kind = kindOf(operand);
  return kind === 'folder' || (kind === 'nothing' && magic.test(operand));
}

/** An operand that stands for no file. */
export class NoFiles extends Error {}

/**
 * The files that operands name: a folder stands for the programs in it and below, a pattern with
 * `*`, `**`, `?`, `[]`, `{}` for the files that match; hidden ones and `node_modules` are left out.
 * Throws `NoFiles` for a folder or pattern that has none.
 */
export async function* filesIn(operands: Iterable<string>): AsyncGenerator<string> {
  for (const operand of operands) {
    if (!standsForFiles(operand)) {
      yield operand;
      continue;
    }
    const isFolder = kindOf(operand) === 'folder';
    let found = false;
    for await (const file of isFolder ? programsBelow(operand) : matchesOf(operand)) {
      found = true;
      yield file;
    }
    if (!found)
      throw new NoFiles(isFolder ? `there is no program in ${operand}` : `no file is ${operand}`);
  }
}
