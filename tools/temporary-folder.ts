import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The beginning of the names of the temporary folders. */
const prefix = 'fencewright-tests-';

/**
 * Makes a folder for the temporary files of a run of the tests, and of all programs that the tests
 * start. Returns a function that removes the folder with its contents. Each project of the tests
 * calls this; all share the folder of the first. Servers that run as another user have to reach it.
 */
export function setup(): () => void {
  if (path.basename(tmpdir()).startsWith(prefix)) return () => undefined;
  const folder = mkdtempSync(path.join(tmpdir(), prefix));
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
