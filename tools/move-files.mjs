import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Returns the paths of the files in a folder and its subfolders. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

/**
 * Moves the files of `fresh` into `folder`, and returns the paths. Each file is present and
 * complete at any time, so other processes can start programs meanwhile.
 */
export function moveFiles(fresh, folder) {
  const files = filesIn(fresh);
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    renameSync(path.join(fresh, file), path.join(folder, file));
  }
  rmSync(fresh, { recursive: true });
  return files;
}

/** Moves files like `moveFiles`, and removes all files that only `folder` has. */
export function replaceFiles(fresh, folder) {
  const files = moveFiles(fresh, folder);
  for (const file of filesIn(folder)) if (!files.includes(file)) rmSync(path.join(folder, file));
}
