// Compiles the library packages, or only the package named, into their folders `dist`: modules with
// types. Core includes the wings. Errors are found by `npm run typecheck`, not here.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { bundleFleet } from './build-fleet.mjs';
import { bundleVerifier } from './build-verifier.mjs';
import { replaceFiles } from './move-files.mjs';
import { packages } from './packages.mjs';
import { wings } from './wings.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [only] = process.argv.slice(2);
const compiler = path.join(root, 'node_modules/typescript-native/bin/tsc');

/** Matches an import of a file of a wing. */
const ofWing = new RegExp(`(['"])@fencewright/(${wings.join('|')})/([^'"]+)\\1`, 'g');

/**
 * Joins core and its wings, as compiled, into one package: core's modules at the top, a folder for
 * each wing, headers and library for C in `c`.
 */
function joinWings(folder) {
  for (const name of readdirSync(path.join(folder, 'core/src')))
    renameSync(path.join(folder, 'core/src', name), path.join(folder, name));
  rmSync(path.join(folder, 'core'), { recursive: true });
  for (const wing of wings.filter((each) => existsSync(path.join(folder, each)))) {
    renameSync(path.join(folder, wing, 'src'), path.join(folder, `.${wing}`));
    rmSync(path.join(folder, wing), { recursive: true });
    renameSync(path.join(folder, `.${wing}`), path.join(folder, wing));
  }
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(js|d\.ts)$/.test(name)) continue;
    const file = path.join(folder, name);
    const up = '../'.repeat(name.split(path.sep).length - 1) || './';
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replaceAll(ofWing, (_, quote, ...to) => `${quote}${up}${to[0]}/${to[1]}${quote}`),
    );
  }
  cpSync(path.join(root, 'packages/languages/c'), path.join(folder, 'c'), { recursive: true });
}

for (const name of packages) {
  const project = path.join(root, 'packages', name, 'tsconfig.build.json');
  if (!existsSync(project) || (only !== undefined && name !== only)) continue;
  const fresh = path.join(root, 'node_modules', `.${name}-${process.pid}`);
  const compile = [compiler, '-p', project, '--noCheck', '--outDir', fresh];
  execFileSync(process.execPath, compile, { stdio: 'inherit' });
  if (name === 'core') joinWings(fresh);
  // The modules of these packages are bundled; the compiler writes only the types.
  if (name === 'verifier') await bundleVerifier(fresh);
  if (name === 'fleet') await bundleFleet(fresh);
  replaceFiles(fresh, path.join(path.dirname(project), 'dist'));
}
