// Runs at length every test on random programs, texts and forgeries, and on cases that take long:
// hours. By hand, with a fresh seed. Usage: npm run campaigns [-- SEED [PART OF A FILE'S NAME ...]].
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLongerInCampaigns, testFiles } from './random-tests.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
const [seed = today, ...parts] = process.argv.slice(2);
if (!/^\d+$/.test(seed)) {
  console.error(`The seed is a number, not '${seed}': npm run campaigns -- SEED [PART ...]`);
  process.exit(2);
}

const files = ['packages', 'tools']
  .flatMap(testFiles)
  .filter((file) => parts.every((part) => file.includes(part)) && isLongerInCampaigns(file));
console.log(`seed ${seed}: ${files.length} files`);

// One after the other, so that what fails is on the screen before the next begins.
const failed = [];
for (const file of files) {
  const again = `FENCEWRIGHT_CAMPAIGN=1 FENCEWRIGHT_SEED=${seed} npx vitest run ${file}`;
  console.log(`\n${again}`);
  const env = { ...process.env, FENCEWRIGHT_CAMPAIGN: '1', FENCEWRIGHT_SEED: seed };
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', file], {
    ...{ cwd: root, env, stdio: 'inherit' },
  });
  if (status !== 0) failed.push(again);
}
console.log(`\nseed ${seed}: ${files.length - failed.length} of ${files.length} files passed`);
for (const again of failed) console.log(again);
process.exitCode = failed.length === 0 ? 0 : 1;
