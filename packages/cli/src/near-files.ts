import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isCxx } from '@fencewright/core/node';
import { definitionsOf } from './defined-names.js';

/** The maximum numbers of folders searched, and of texts read. */
const mostFolders = 300;
const mostTexts = 200;

/** The maximum number of bytes of a text that is read. */
export const largestText = 512 * 1024;

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Whether a folder may have files of the project itself: no packages, no hidden files. */
const isSought = (name: string): boolean => !name.startsWith('.') && name !== 'node_modules';

/**
 * The folders to search: the given folder, all folders below, then the folders beside the given
 * folder.
 */
function* foldersNear(own: string): Generator<string> {
  const queue = [own];
  // The project's root is at most one folder up; farther up are the projects of others.
  const above = path.join(own, '..');
  const seen = new Set<string>();
  for (let isAbove = false; seen.size < mostFolders;) {
    const folder = queue.shift();
    if (folder === undefined) {
      if (isAbove) return;
      isAbove = true;
      queue.push(above);
      continue;
    }
    const name = path.resolve(folder);
    if (seen.has(name)) continue;
    seen.add(name);
    yield folder;
    for (const entry of entriesOf(folder))
      if (entry.isDirectory() && isSought(entry.name)) queue.push(path.join(folder, entry.name));
  }
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Returns the folder near a file that contains a header of the given name, such as `lib/queue.h`;
 * `undefined` if none of the first folders contains the header.
 */
export function folderOfHeader(file: string, header: string): string | undefined {
  if (path.isAbsolute(header)) return undefined;
  for (const folder of foldersNear(path.dirname(file)))
    if (isFile(path.join(folder, header))) return folder === '' ? '.' : folder;
  return undefined;
}

/**
 * Returns a file near `file` or near one of the folders with headers, of the same language, whose
 * text seems to define a function; `undefined` if none of the first files does. `name` is the
 * function's name in LLVM IR.
 */
export function fileThatDefines(
  file: string,
  name: string,
  includes: readonly string[] = [],
): string | undefined {
  for (const definition of definitionsOf(name))
    for (const folder of [path.dirname(file), ...includes]) {
      const found = fileNear(folder, file, definition);
      if (found !== undefined) return found;
    }
  return undefined;
}

/**
 * Returns a file in or near the folder with a text that matches the definition. The file is
 * different from `file`, but of the same language.
 */
function fileNear(own: string, file: string, definition: RegExp): string | undefined {
  let texts = 0;
  for (const folder of foldersNear(own))
    for (const entry of entriesOf(folder)) {
      if (!entry.isFile() || !isSameLanguage(entry.name, file)) continue;
      const found = path.join(folder, entry.name);
      if (path.resolve(found) === path.resolve(file)) continue;
      texts += 1;
      if (texts > mostTexts) return undefined;
      try {
        const isSmall = statSync(found).size <= largestText;
        if (isSmall && definition.test(readFileSync(found, 'utf8'))) return found;
      } catch {
        // Unreadable files define nothing.
      }
    }
  return undefined;
}

/**
 * Whether a file is in the language of a program's file: both are C++, or both have the same
 * extension.
 */
export function isSameLanguage(name: string, file: string): boolean {
  const isHeader = /\.h(?:pp|h|xx)?$/i.test(name);
  return path.extname(name) === path.extname(file) || (!isHeader && isCxx(name) && isCxx(file));
}
