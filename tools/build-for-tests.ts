import { execFileSync } from 'node:child_process';

/** Builds the bundle: the tests of the command line run the real bundle, which has to be fresh. */
export function setup(): void {
  execFileSync(process.execPath, ['tools/build.mjs'], { stdio: 'inherit' });
}
