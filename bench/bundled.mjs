// Runs a benchmark as a bundle, as the tool is one: `node bench/bundled.mjs bench/reach.ts ...`.
// tsx gives every function its name when the function is made, which takes a third of the time of
// short explorations, and which no bundle does.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [script, ...options] = process.argv.slice(2);
if (!script) {
  process.stderr.write('Usage: node bench/bundled.mjs SCRIPT [options of the script]\n');
  process.exit(64);
}
// Packages that stay outside the bundle are found from here.
const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const folder = mkdtempSync(path.join(modules, '.bench-'));
try {
  const bundle = path.join(folder, 'bundle.mjs');
  await build({
    entryPoints: [script],
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(path.resolve(script)).href) },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(process.argv[1]);",
    },
    outfile: bundle,
    logLevel: 'error',
  });
  const { status } = spawnSync(process.execPath, [bundle, ...options], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
