import { execFileSync } from 'node:child_process';

/** The tests of the command line run the real bundle, so it has to be fresh. */
export function setup(): void {
  execFileSync(process.execPath, ['tools/build.mjs'], { stdio: 'inherit' });
}
