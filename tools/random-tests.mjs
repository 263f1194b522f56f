import { readdirSync, readFileSync } from 'node:fs';
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

/** Whether a test file draws random programs, texts or forgeries. */
export function isRandom(file) {
  return readFileSync(path.join(root, file), 'utf8').includes('/random-runs.js');
}
