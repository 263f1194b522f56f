// Packs the published packages, as built, into a folder (dist, if none is named): all packages, or
// the packages named after the folder. `npm run pack` builds the packages before. Each package is
// assembled in a folder of its own, since the published manifest differs from the manifest in the
// repository.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dependenciesOf, manifestIn } from './bundled-packages.mjs';
import { packages } from './packages.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Files of the repository that packages include; every package has the licence. */
const more = {
  cli: ['README.md', 'CHANGELOG.md', 'THIRD-PARTY-LICENSES.txt', 'docs', 'examples', 'corpus'],
};

/**
 * The published manifest of a package: without sources, which are not included, scripts, and
 * dependencies of tests.
 */
function publishedManifest({ scripts, devDependencies, private: _, files, exports, ...rest }) {
  const published = Object.entries(exports ?? {}).map(([entry, { source, ...conditions }]) => [
    entry,
    conditions,
  ]);
  return { ...rest, ...(exports && { exports: Object.fromEntries(published) }) };
}

/** Copies the files that a package publishes. */
async function copyFiles(from, to, files) {
  const without = files.filter((name) => name.startsWith('!')).map((name) => name.slice(1));
  for (const name of files.filter((each) => !each.startsWith('!')))
    await cp(path.join(from, name), path.join(to, name), {
      recursive: true,
      filter: (file) => !without.includes(path.relative(from, file).replaceAll(path.sep, '/')),
    });
}

/**
 * Copies the dependencies of a package into the package, for installation without a network.
 * Optional dependencies, code for particular machines, are left out.
 */
async function bundleDependencies(from, to) {
  for (const [name, folder] of await dependenciesOf(from)) {
    const copy = path.join(to, 'node_modules', name);
    await cp(folder, copy, {
      recursive: true,
      filter: (file) => path.relative(folder, file).split(path.sep)[0] !== 'node_modules',
    });
    const { optionalDependencies, ...manifest } = await manifestIn(folder);
    await writeFile(path.join(copy, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  }
}

/**
 * Returns the page with the plain words in place of each link to a missing file; `folder` is the
 * page's folder.
 */
function withoutDeadLinks(text, folder) {
  return text.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words, target) => {
    const [file] = target.split('#');
    const leads = /^[a-z]+:/.test(target) || file === '' || existsSync(path.join(folder, file));
    return leads ? link : words;
  });
}

/** Returns the paths of the Markdown pages that a package contains. */
async function pagesIn(folder) {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith('.md') && !name.startsWith('node_modules'))
    .map((name) => path.join(folder, name));
}

/** Assembles a package in a folder. */
async function stage(name, folder) {
  const from = path.join(root, 'packages', name);
  const manifest = await manifestIn(from);
  const isWhole = name === 'cli';
  const published = {
    ...publishedManifest(manifest),
    ...(isWhole && { bundleDependencies: Object.keys(manifest.dependencies) }),
  };
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  await copyFiles(from, folder, manifest.files);
  await copyFiles(root, folder, ['LICENSE', ...(more[name] ?? [])]);
  if (!isWhole) await copyFiles(from, folder, ['README.md']);
  if (isWhole) await bundleDependencies(from, folder);
  for (const page of await pagesIn(folder))
    await writeFile(page, withoutDeadLinks(await readFile(page, 'utf8'), path.dirname(page)));
}

/** Packs one package, and returns the name of the file. */
async function pack(name, destination) {
  const folder = await mkdtemp(path.join(tmpdir(), 'fencewright-pack-'));
  try {
    await stage(name, folder);
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination];
    const { stdout } = await promisify(execFile)('npm', args, { cwd: folder });
    return stdout.trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const [to = path.join(root, 'dist'), ...chosen] = process.argv.slice(2);
const destination = path.resolve(to);
await mkdir(destination, { recursive: true });
for (const name of chosen.length > 0 ? chosen : packages) {
  const file = path.join(destination, await pack(name, destination));
  process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
}
