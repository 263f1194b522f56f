import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/**
 * A folder that does not exist. It replaces an empty search path, which would mean the working
 * folder.
 */
const nowhere = '/nowhere';

/**
 * Returns a search path without the folders relative to the working folder: files in the working
 * folder may belong to anybody, and must not run just because of a solver's name.
 */
export function absoluteFolders(searchPath: string): string {
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.length === 0 ? nowhere : folders.join(path.delimiter);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Returns the file of a program: the given path, relative to `folder`, or else the first match on
 * the search path; `undefined` if there is none.
 */
export function findProgram(
  name: string,
  folder: string,
  searchPath = process.env.PATH ?? '/usr/bin:/bin',
): string | undefined {
  const isPlace = name.includes('/') || name.includes(path.sep);
  const candidates = isPlace
    ? [path.resolve(folder, name)]
    : absoluteFolders(searchPath)
        .split(path.delimiter)
        .map((each) => path.join(each, name));
  return candidates.find(isProgram);
}
