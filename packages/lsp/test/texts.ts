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

/** All programs of these folders with names that end so. */
export function samplesIn(folders: readonly string[], ...endings: readonly string[]): Sample[] {
  return folders.flatMap((folder) =>
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
