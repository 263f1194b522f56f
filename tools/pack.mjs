// Packs the packages that are published, as they have been built, into a folder (dist, if none is
// named), all or those that are named behind it: `npm run pack` builds them before. Each is put
// together in a folder of its own, for what a package says of itself in the repository is not what
// it says to its users.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dependenciesOf, manifestIn } from './bundled-packages.mjs';
import { packages } from './packages.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Files of the repository that packages bring; each has the licence. */
const more = { cli: ['README.md', 'CHANGELOG.md', 'THIRD-PARTY-LICENSES.txt'] };

/**
 * What a package says to its users: nothing of sources, which are not there, of scripts, and of what
 * its own tests need.
 */
function publishedManifest({ scripts, devDependencies, private: _, files, exports, ...rest }) {
  const published = Object.entries(exports ?? {}).map(([entry, { source, ...conditions }]) => [
    entry,
    conditions,
  ]);
  return { ...rest, ...(exports && { exports: Object.fromEntries(published) }) };
}

/** Copies what a package says that it publishes. */
async function copyFiles(from, to, files) {
  const without = files.filter((name) => name.startsWith('!')).map((name) => name.slice(1));
  for (const name of files.filter((each) => !each.startsWith('!')))
    await cp(path.join(from, name), path.join(to, name), {
      recursive: true,
      filter: (file) => !without.includes(path.relative(from, file).replaceAll(path.sep, '/')),
    });
}

/**
 * Puts what a package depends on into it, so that it can be installed where there is no network.
 * What would be nice to have, code for one machine or another, stays out.
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

/** A page in which links to what is not in the package are words. */
function withoutDeadLinks(text, folder) {
  return text.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words, target) => {
    const [file] = target.split('#');
    const leads = /^[a-z]+:/.test(target) || file === '' || existsSync(path.join(folder, file));
    return leads ? link : words;
  });
}

/** Puts a package together in a folder. */
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
  for (const page of ['README.md', 'CHANGELOG.md'].map((each) => path.join(folder, each)))
    if (existsSync(page))
      await writeFile(page, withoutDeadLinks(await readFile(page, 'utf8'), folder));
}

/** Packs one package; gives the name of its file. */
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
