// The wings of the library, and the files that other packages may import: the exports of each
// wing's manifest. `npm run generate` writes the manifests; a test compares the exports with the
// imports found.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * The names of the packages that the published library bundles, by layer: `ground`, the lowest, is
 * first. None of them is published by itself.
 */
export const wings = [
  'ground',
  'model',
  'languages',
  'engines',
  'proofs',
  'reports',
  'nets',
  'repairs',
  'reference',
];

const imported = /(?:from|import|import\(|vi\.mock\()\s*'@fencewright\/([a-z]+)\/([^']+)\.js'/g;

/** Returns the paths of the sources and tests of the repository. */
function sourceFiles() {
  return ['packages', 'tools', 'bench'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .filter((file) => /\.m?ts$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
      .map((file) => path.join(root, folder, file)),
  );
}

/** By name of the wing: the files imported elsewhere, in the form of the manifest's exports. */
export function importedFiles() {
  const files = new Map(wings.map((wing) => [wing, new Set()]));
  for (const file of sourceFiles())
    for (const [, wing, name] of readFileSync(file, 'utf8').matchAll(imported))
      files.get(wing)?.add(name);
  return new Map(
    [...files].map(([wing, names]) => [
      wing,
      Object.fromEntries([...names].sort().map((name) => [`./${name}.js`, `./src/${name}.ts`])),
    ]),
  );
}

const manifestOf = (wing) => path.join(root, 'packages', wing, 'package.json');

/** Returns the exports that the manifest of a wing declares. */
export function exportedFiles(wing) {
  return JSON.parse(readFileSync(manifestOf(wing), 'utf8')).exports;
}

/** Writes the files imported elsewhere into each manifest. */
function writeManifests() {
  for (const [wing, exports] of importedFiles()) {
    const manifest = JSON.parse(readFileSync(manifestOf(wing), 'utf8'));
    writeFileSync(manifestOf(wing), `${JSON.stringify({ ...manifest, exports }, null, 2)}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeManifests();
