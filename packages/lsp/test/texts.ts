import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A program of the repository. */
export interface Sample {
  /** From the root of the repository. */
  readonly file: string;
  readonly uri: string;
  readonly text: string;
}

/** More programs, for runs by hand: folders as the path says them. */
export const elsewhere = (process.env.FENCEWRIGHT_LSP_FOLDERS ?? '').split(':').filter(Boolean);

/** All programs of these folders, and of those elsewhere, with names that end so. */
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
