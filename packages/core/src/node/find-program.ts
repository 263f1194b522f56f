import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** A folder that is not there: an empty list would stand for the working folder. */
const nowhere = '/nowhere';

/**
 * A search path without the folders that depend on the working folder: what lies in that may belong
 * to anybody, and is not run because it has the name of a solver.
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
 * The file of a program: one that is named by its place, from `folder`, or the first of the search
 * path. Nothing where there is none.
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
