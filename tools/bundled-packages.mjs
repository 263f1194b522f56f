// Finds the third-party packages in the product: packages that esbuild put into a bundle, and
// packages that the command line includes unchanged.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Matches the folder of the package that a file of `node_modules` belongs to. */
const packageOf = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * Returns the folders of the packages whose text is in the bundles, relative to the root of the
 * repository, from esbuild's descriptions of the bundles.
 */
export function packagesIn(metafiles) {
  const folders = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
        bytesInOutput > 0 ? (packageOf.exec(file) ?? []) : [],
      ),
    ),
  );
  return [...new Set(folders)].sort();
}

export async function manifestIn(folder) {
  return JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
}

/** Returns the folder of a package that the package in `from` imports. */
function folderOf(name, from) {
  const folders = createRequire(path.join(from, 'package.json')).resolve.paths(name) ?? [];
  const found = folders
    .map((folder) => path.join(folder, name))
    .find((folder) => existsSync(path.join(folder, 'package.json')));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}

/** Returns the folders of all dependencies of a package, direct or not, by name. */
export async function dependenciesOf(folder, known = new Map()) {
  for (const name of Object.keys((await manifestIn(folder)).dependencies ?? {})) {
    const found = folderOf(name, folder);
    if (known.has(name) && known.get(name) !== found)
      throw new Error(`${name} is there in two versions`);
    if (known.has(name)) continue;
    known.set(name, found);
    await dependenciesOf(found, known);
  }
  return known;
}

/** Returns the licence texts of a package: all files named like a licence or a notice. */
async function licenceTexts(folder) {
  const names = await readdir(folder);
  const found = names.filter((name) => /^(licen[cs]e|copying|copyright|notice)/i.test(name)).sort();
  if (found.length === 0) throw new Error(`${folder} has no licence`);
  return Promise.all(found.map((name) => readFile(path.join(folder, name), 'utf8')));
}

/** Returns the address from which a package says it comes. */
function originOf({ name, homepage, repository }) {
  const url = homepage ?? repository?.url ?? repository;
  if (!url) throw new Error(`${name} does not say where it comes from`);
  return String(url)
    .replaceAll(/^git\+|\.git$|#readme$/g, '')
    .replace(/^(github:)?(?=[\w-]+\/[\w.-]+$)/, 'https://github.com/');
}

const rule = '-'.repeat(80);

async function sectionOn(folder) {
  const manifest = await manifestIn(folder);
  const { name, version, license } = manifest;
  if (typeof license !== 'string') throw new Error(`${name} does not name its licence`);
  const texts = await licenceTexts(folder);
  const text = texts
    .join('\n')
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();
  return `${rule}\n${name} ${version}, ${license}\n${originOf(manifest)}\n${rule}\n\n${text}\n`;
}

/** Returns the licences of the packages in the given folders, one section for each package. */
export async function licencesOf(folders) {
  const sections = await Promise.all([...new Set(folders)].map(sectionOn));
  const head = `The command line of Fencewright, with its playground and language server, contains these packages,
whole or in part, each under its own licence. Made by \`node tools/write-licences.mjs\`.
`;
  return [head, ...sections.sort()].join('\n');
}
