// Compiles the packages that are libraries, or the one that is named, into their folders `dist`:
// modules with their types. `npm run typecheck` is what finds errors; here nothing is checked again.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { bundleFleet } from './build-fleet.mjs';
import { bundleVerifier } from './build-verifier.mjs';
import { replaceFiles } from './move-files.mjs';
import { packages } from './packages.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [only] = process.argv.slice(2);
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');

for (const name of packages) {
  const project = path.join(root, 'packages', name, 'tsconfig.build.json');
  if (!existsSync(project) || (only !== undefined && name !== only)) continue;
  const fresh = path.join(root, 'node_modules', `.${name}-${process.pid}`);
  const compile = [compiler, '-p', project, '--noCheck', '--outDir', fresh];
  execFileSync(process.execPath, compile, { stdio: 'inherit' });
  // Modules of these are bundled; what the compiler writes are their types.
  if (name === 'verifier') await bundleVerifier(fresh);
  if (name === 'fleet') await bundleFleet(fresh);
  replaceFiles(fresh, path.join(path.dirname(project), 'dist'));
}
