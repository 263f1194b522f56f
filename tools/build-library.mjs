// Compiles the packages that are libraries, or the one that is named, into their folders `dist`:
// modules with their types. `npm run typecheck` is what finds errors; here nothing is checked again.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { buildFleet } from './build-fleet.mjs';
import { buildVerifier } from './build-verifier.mjs';
import { packages } from './packages.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [only] = process.argv.slice(2);
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');

for (const name of packages) {
  const project = path.join(root, 'packages', name, 'tsconfig.build.json');
  if (!existsSync(project) || (only !== undefined && name !== only)) continue;
  rmSync(path.join(path.dirname(project), 'dist'), { recursive: true, force: true });
  execFileSync(process.execPath, [compiler, '-p', project, '--noCheck'], { stdio: 'inherit' });
  // Modules of these are bundled; what the compiler writes are their types.
  if (name === 'verifier') await buildVerifier();
  if (name === 'fleet') await buildFleet();
}
