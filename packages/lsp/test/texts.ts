import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A program of the repository, with its path and text. */
export interface Sample {
  /** The path of the program's file from the root of the repository. */
  readonly file: string;
  readonly uri: string;
  readonly text: string;
}

/** Folders with further programs for long runs, from an environment variable. */
export const elsewhere = (process.env.FENCEWRIGHT_LSP_FOLDERS ?? '').split(':').filter(Boolean);

/**
 * Returns all programs in these folders, and in the further folders, with the given file endings.
 */
export function samplesIn(folders: readonly string[], ...endings: readonly string[]): Sample[] {
  const named = elsewhere.map((folder) => path.relative(root, path.resolve(folder)));
  return [...folders, ...named].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => endings.some((ending) => name.endsWith(ending)))
      .map((name) => path.join(folder, name))
      .sort()
      .map((file) => ({
        file,
        uri: `file://${encodeURI(path.join(root, file))}`,
        text: readFileSync(path.join(root, file), 'utf8'),
      })),
  );
}
