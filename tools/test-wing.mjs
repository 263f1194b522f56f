// Runs the tests of one wing: all of them, or those that draw random programs (`random`), or the
// others (`fixed`). Usage: node tools/test-wing.mjs WING [random|fixed].
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRandom, testFiles } from './random-tests.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [wing, which] = process.argv.slice(2);
if (!wing || !['random', 'fixed', undefined].includes(which)) {
  console.error('usage: node tools/test-wing.mjs WING [random|fixed]');
  process.exit(2);
}
const files = testFiles(`packages/${wing}/test`).filter(
  (file) => which === undefined || isRandom(file) === (which === 'random'),
);
if (files.length === 0) {
  console.error(`no such test in packages/${wing}/test`);
  process.exit(1);
}
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', ...files], {
  ...{ cwd: root, stdio: 'inherit' },
});
process.exitCode = status ?? 1;
