import { spawnSync } from 'node:child_process';

/** Whether a clang is installed that is new enough for the tests. */
export const hasClang = [
  'clang',
  ...[15, 16, 17, 18, 19, 20, 21, 22].map((n) => `clang-${n}`),
].some((name) => {
  const { stdout } = spawnSync(name, ['--version'], { encoding: 'utf8' });
  return Number(/clang version (\d+)/.exec(stdout ?? '')?.[1] ?? 0) >= 15;
});

/** Whether tests that need clang run; on the machine of CI they fail without clang. */
export const isNeeded = hasClang || process.env.FENCEWRIGHT_CI !== undefined;

/** The words in the titles of the tests that say why these tests are skipped; empty if they run. */
export const why = isNeeded ? '' : ' (skipped: there is no clang of version 15 or later)';
