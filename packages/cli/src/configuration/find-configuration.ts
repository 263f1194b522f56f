import { statSync } from 'node:fs';
import path from 'node:path';

/** What a configuration is called. */
export const configurationName = 'fencewright.json';

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The configuration of a folder: its own, or that of the nearest folder above that has one. */
export function findConfiguration(folder: string): string | undefined {
  const file = path.join(folder, configurationName);
  if (isFile(file)) return file;
  const above = path.dirname(folder);
  return above === folder ? undefined : findConfiguration(above);
}
