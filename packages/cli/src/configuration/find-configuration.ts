import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** The file name of a configuration. */
export const configurationName = 'fencewright.json';

/**
 * The configuration that applies to a folder; or a configuration that is not used, with the reason.
 */
type FoundConfiguration =
  | { readonly kind: 'found'; readonly file: string }
  | { readonly kind: 'passed-over'; readonly file: string; readonly why: string };

/** Returns the user id of the owner of a file or folder; `undefined` if it does not exist. */
function ownerOf(file: string): number | undefined {
  try {
    return statSync(file).uid;
  } catch {
    return undefined;
  }
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Whether the user who runs the tool owns a file and its folder; true on systems without users. */
function isOwn(file: string): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true;
  return [file, path.dirname(file)].every((each) => ownerOf(each) === user);
}

/**
 * Whether the search for a configuration ends at a folder: the root of a repository, or the home
 * folder.
 */
function isLast(folder: string, home: string): boolean {
  return folder === home || ownerOf(path.join(folder, '.git')) !== undefined;
}

/**
 * Finds the configuration that applies to a folder: in the folder, or in the nearest folder above.
 * Only files of the user who runs the tool, in folders of that user, are used, and no files above
 * the root of the repository or the home folder.
 */
export function findConfiguration(folder: string): FoundConfiguration | undefined {
  const home = homedir();
  let beyond: string | undefined;
  for (let here = folder; ; here = path.dirname(here)) {
    const file = path.join(here, configurationName);
    if (isFile(file)) {
      if (beyond !== undefined) return { kind: 'passed-over', file, why: `lies above ${beyond}` };
      if (isOwn(file)) return { kind: 'found', file };
      return { kind: 'passed-over', file, why: 'or its folder belongs to another user' };
    }
    if (path.dirname(here) === here) return undefined;
    if (isLast(here, home)) beyond ??= here === home ? 'the home folder' : 'the repository';
  }
}
