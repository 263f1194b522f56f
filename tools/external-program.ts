import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';

function isThere(command: string, probe: readonly string[]): boolean {
  return spawnSync(command, [...probe], { timeout: 10_000 }).error === undefined;
}

/**
 * `describe`, for tests that need a program outside this repository; `probe` are arguments with
 * which the program ends at once. Without the program the tests are skipped, and the name says why;
 * if `FENCEWRIGHT_CI` is set, the tests run and fail.
 */
export function describeWith(
  command: string,
  probe: readonly string[],
  name: string,
  tests: () => void,
): void {
  if (process.env.FENCEWRIGHT_CI !== undefined || isThere(command, probe)) describe(name, tests);
  else describe.skip(`${name} (skipped: there is no ${command} on the PATH)`, tests);
}
