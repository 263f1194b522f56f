import { readFileSync } from 'node:fs';

/** Returns the text of a file; `undefined` if the file cannot be read. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
