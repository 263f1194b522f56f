import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Makes a folder for the temporary files of a run of the tests, and of all programs that the tests
 * start. Returns how to remove the folder with all that is in it.
 */
export function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'fencewright-tests-'));
  process.env.TMPDIR = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
