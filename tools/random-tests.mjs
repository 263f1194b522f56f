import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Returns the test files below a folder, as paths from the root, in the order of their names. */
export function testFiles(folder) {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => path.posix.join(folder, ...file.split(path.sep)))
    .sort();
}

const draws = (source) => source.includes('/random-runs.js');

/**
 * Whether a test file draws random programs, texts or forgeries, itself or by a module that it
 * imports from its own folder.
 */
export function isRandom(file) {
  const source = readFileSync(path.join(root, file), 'utf8');
  const beside = [...source.matchAll(/from '\.\/([\w-]+)\.js'/g)].map(([, name]) =>
    path.join(root, path.dirname(file), `${name}.ts`),
  );
  return draws(source) || beside.some((one) => existsSync(one) && draws(readFileSync(one, 'utf8')));
}

/** Whether a campaign runs a test file at greater length than `npm test`. */
export function isLongerInCampaigns(file) {
  const source = readFileSync(path.join(root, file), 'utf8');
  return isRandom(file) || source.includes('/usual-cases.js');
}
