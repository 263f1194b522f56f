// Builds the playground: a folder of files that any server of files can serve. `buildSite` is part
// of `build.mjs`, since the command line brings the site along.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { build } from 'esbuild';
import { packagesIn } from './bundled-packages.mjs';
import { atlasPage } from './atlas-site.mjs';
import { lessonPages } from './lessons.mjs';
import { mergeParts } from './merge-parts.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const web = path.join(root, 'packages/web/src');

const licences = 'THIRD-PARTY-LICENSES.txt';

const sourceOf = (name) => readFile(path.join(web, name), 'utf8');

/**
 * The modules that are absent from pages, since they need a compiler or a process: C, and Z3, which
 * only proofs use.
 */
const absent = ['z3-solver', 'node:*'];

/**
 * Bundles scripts of the site. The page and the engines' thread load code when needed. The
 * language's thread is one file: shared parts would be loaded before the first verdict. Returns
 * esbuild's description of the bundle.
 */
async function bundle(names, outdir, define) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => path.join(web, `${name}.ts`)),
    outdir,
    bundle: true,
    splitting: names.includes('worker'),
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
    charset: 'ascii',
    conditions: ['source'],
    external: names.includes('main') ? [...absent, './language-help.js'] : absent,
    define,
    chunkNames: 'part-[hash]',
    // Hover and completion need only tables of numbers from the server's library.
    alias: { 'vscode-languageserver': 'vscode-languageserver-types' },
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  return metafile;
}

/** The groups of the menu, with the folders of the programs. */
const groups = [
  ['Algorithms', 'examples'],
  ['From textbooks', 'examples/textbook'],
  ['Any number of threads', 'examples/any-number'],
  ['Programs of events', 'examples/events'],
  ['Litmus tests', 'corpus/litmus-x86'],
];
const formats = { '.fw': 'native', '.litmus': 'litmus' };

/** Programs that a page cannot decide: each needs a proof, or most of a minute. */
const tooLarge = ['examples/textbook/chase-lev.fw', 'examples/textbook/ticket-lock.fw'];

/** The maximum number of programs in a group, to keep the menu readable. */
const most = 24;

async function examplesOf([group, folder]) {
  const names = (await readdir(path.join(root, folder))).filter(
    (name) => path.extname(name) in formats && !tooLarge.includes(`${folder}/${name}`),
  );
  return Promise.all(
    names
      .toSorted()
      .slice(0, most)
      .map(async (name) => {
        const file = path.join(root, folder, name);
        const text = await readFile(file, 'utf8');
        return {
          ...{ group, file: `${folder}/${name}`, format: formats[path.extname(name)] },
          text,
        };
      }),
  );
}

/** The site's policy lets the scripts of `explain` run in their frame, and nothing else. */
async function policy() {
  const assets = path.join(root, 'packages/reports/src/html/page-assets.ts');
  const made = await readFile(assets, 'utf8');
  const hashes = ['pageScript', 'menuScript'].map((name) => {
    const [, script] = new RegExp(`^export const ${name} =\\s(".*");$`, 'm').exec(made);
    // The text has to equal the text that `stage.ts` and `execution-menu.ts` put into the page.
    const text = `\n${JSON.parse(script)};\n`;
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  });
  return [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "worker-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** The modules that the engines' thread loads later, but always before the first verdict. */
const early = [
  'packages/languages/src/native/parse-native.ts',
  'packages/core/src/api/decide-robustness.ts',
  'packages/core/src/api/answered-check.ts',
  'packages/core/src/api/replay.ts',
];

/** Writes the site into a folder, and returns the folders of the packages bundled into the site. */
export async function buildSite(folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { version } = JSON.parse(
    await readFile(path.join(root, 'packages/cli/package.json'), 'utf8'),
  );
  const first = await readFile(path.join(root, 'examples/peterson.fw'), 'utf8');
  const define = {
    FENCEWRIGHT_VERSION: JSON.stringify(version),
    FENCEWRIGHT_FIRST: JSON.stringify(first),
  };
  const metafiles = await Promise.all(
    [['main'], ['language-help'], ['worker', 'judge-worker'], ['language'], ['lesson']].map(
      (names) => bundle(names, folder, define),
    ),
  );
  await mergeParts(folder, metafiles[2], 'worker.js', early);
  const allowed = await policy();
  const page = (await sourceOf('index.html')).replace('POLICY', allowed);
  const write = (name, text) => writeFile(path.join(folder, name), text);
  await write('index.html', page.replace('PAGE', 'playground'));
  await write('embed.html', page.replace('PAGE', 'embed'));
  const common = (await Promise.all(['colours.css', 'shared.css'].map(sourceOf))).join('\n');
  for (const name of ['style.css', 'lesson.css'])
    await write(name, `${common}\n${await sourceOf(name)}`);
  await write('icon.svg', await sourceOf('icon.svg'));
  for (const [name, text] of await lessonPages(allowed)) await write(name, text);
  await write('atlas.html', await atlasPage(allowed));
  const examples = (await Promise.all(groups.map(examplesOf))).flat();
  await write('examples.json', JSON.stringify(examples));
  // Other sites and lessons load the first script alone; the second script is read before the page.
  await build({
    entryPoints: ['fencewright-program', 'start'].map((name) => path.join(web, `${name}.ts`)),
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'iife',
    define,
    target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
    logLevel: 'warning',
  });
  const files = (await readdir(folder)).toSorted();
  // HiGHS looks for its WebAssembly beside the script that loads it; few programs need it.
  await copyFile(
    path.join(root, 'node_modules/highs/build/highs.wasm'),
    path.join(folder, 'highs.wasm'),
  );
  await copyFile(path.join(root, licences), path.join(folder, licences));
  const digest = createHash('sha256');
  for (const name of files) digest.update(name).update(await readFile(path.join(folder, name)));
  await build({
    entryPoints: [path.join(web, 'sw.ts')],
    outfile: path.join(folder, 'sw.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    define: {
      FENCEWRIGHT_FILES: JSON.stringify(['./', ...files]),
      FENCEWRIGHT_SITE: JSON.stringify(digest.digest('hex').slice(0, 16)),
    },
    logLevel: 'warning',
  });
  return packagesIn(metafiles);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = path.join(root, 'packages/web/dist');
  await buildSite(folder);
  process.stdout.write(`${path.relative(root, folder)}\n`);
}
