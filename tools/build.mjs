// Bundles the verifier into packages/verifier/dist, and the command line into packages/cli/dist: a
// script with the code that every run needs, scripts for heavy code loaded when needed, and beside
// each script the code that V8 makes of the script. Bundling makes the start quick. See
// packages/cli/bin/load-script.js.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, cp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { promisify } from 'node:util';
import { build, transform } from 'esbuild';
import { packagesIn } from './bundled-packages.mjs';
import { bundleFleet } from './build-fleet.mjs';
import { bundleVerifier } from './build-verifier.mjs';
import { buildSite } from './build-web.mjs';
import { moveFiles } from './move-files.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const cli = path.join(root, 'packages/cli');
const dist = path.join(cli, 'dist');
// The bundle is built here and then moved into place, so no run of the tool sees half a bundle.
const fresh = path.join(root, 'node_modules', `.fencewright-${process.pid}`);
const freshDist = path.join(fresh, 'dist');

/**
 * Commander supports programs for subcommands. The command line has none, so `child_process` with
 * its sockets should not be loaded for Commander.
 */
const lateChildProcess = {
  name: 'late-child-process',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('/commander/')
        ? { path: 'child_process', namespace: 'late-child-process' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'late-child-process' }, () => ({
      contents: "exports.spawn = (...args) => require('child_process').spawn(...args);",
      resolveDir: root,
    }));
  },
};

/** The scripts of threads and processes, each started with `start-NAME.cjs`. */
const workers = {
  /**
   * The script of a thread. It starts nothing by itself: the thread that loads it calls its
   * exports.
   */
  worker: { source: 'worker', started: '' },
  /** The script of a process, which begins its work when loaded. */
  'job-process': { source: 'batch/job-process', started: '.serveJobs()' },
};

/** Matches imports of other scripts of the bundle. */
const besides = /\b(require|import)\("(\.\/[^"]+)\.js"\)/g;

/** Matches imports of packages, which only the loader can do without a warning. */
const imported = /\bimport\("((?!\.\/)[^"]+)"\)/g;

/**
 * Imports of scripts without any use of exports. Code splitting keeps such imports for possible
 * side effects; the scripts here have none.
 */
const bareImports = /^import "\.\/([^"]+)";$/gm;

/** Removes unused imports from esbuild's description of a script. */
function forgetImports({ imports }, names) {
  for (const name of names) {
    const index = imports.findIndex((each) => path.basename(each.path) === name);
    if (index >= 0) imports.splice(index, 1);
  }
}

/**
 * Turns the module `NAME.js` made by code splitting into the script `NAME.cjs`, since stored code
 * is for scripts. Returns the names of scripts no longer imported.
 */
async function toScript(file) {
  const text = await readFile(file, 'utf8');
  const needed = text.replaceAll(bareImports, '');
  const { code } = await transform(needed, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    // Names of functions stay, for the traces of internal errors.
    minifyWhitespace: true,
    minifySyntax: true,
    define: { 'import.meta.url': '__scriptUrl' },
    logLevel: 'warning',
  });
  const script = code
    .replaceAll(besides, (_, how, name) =>
      how === 'require'
        ? `require("${name}.cjs")`
        : `Promise.resolve().then(()=>require("${name}.cjs"))`,
    )
    .replaceAll(imported, '__import("$1")')
    .replaceAll(/\b__scriptUrl\b/g, '__scriptUrl()')
    // A single character beyond ASCII, in a regular expression, would make V8 use twice the memory
    // for the whole script.
    .replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  await writeFile(file.replace(/\.js$/, '.cjs'), script);
  await rm(file);
  return [...text.matchAll(bareImports)].map(([, name]) => name);
}

/** A module for starting a thread or a process; the exports are the exports of the script. */
function startModule(source, started) {
  return `module.exports = require('../bin/load-script.js').loadScript('${source}.cjs')${started};\n`;
}

/** Checks programs with the fresh bundle; see tools/store-code.cjs. */
async function runExamples(what, ...examples) {
  const tool = path.join(root, 'tools/store-code.cjs');
  const run = [tool, fresh, what, 'check', '--all-attacks', ...examples];
  return (await promisify(execFile)(process.execPath, run, { cwd: root })).stdout;
}

/**
 * Programs that are checked to find the scripts that a check loads; the first program's format
 * needs the fewest.
 */
const examples = ['tools/peterson.trencher', 'examples/peterson.fw'];

/**
 * Joins the scripts that every check needs, since finding, reading and setting up each script takes
 * time.
 */
async function bundleStart() {
  const start = path.join(freshDist, 'start.cjs');
  await writeFile(start, '({})');
  const functions = [];
  for (const name of JSON.parse(await runExamples('scripts', examples[0]))) {
    const file = path.join(freshDist, name);
    const text = await readFile(file, 'utf8');
    functions.push(
      `${JSON.stringify(name)}: function (exports, require, module, __scriptUrl, __import) {${text}\n}`,
    );
    await rm(file);
  }
  await writeFile(start, `({${functions.join(',\n')}})`);
}

/**
 * Writes the name that tells builds of one version apart: a checksum of all files that an answer
 * can depend on.
 */
async function storeBuildName() {
  const sum = createHash('sha256');
  for (const name of (await readdir(freshDist, { recursive: true })).sort()) {
    if (!/\.(cjs|wasm)$/.test(name) && !name.startsWith(`c${path.sep}`)) continue;
    const file = path.join(freshDist, name);
    if ((await stat(file)).isFile()) sum.update(name).update(await readFile(file));
  }
  await writeFile(path.join(freshDist, 'build'), sum.digest('hex').slice(0, 8));
}

try {
  for (const [name, bundle] of [
    ['verifier', bundleVerifier],
    ['fleet', bundleFleet],
  ]) {
    await bundle(path.join(fresh, name));
    moveFiles(path.join(fresh, name), path.join(root, 'packages', name, 'dist'));
  }
  const result = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries([
      ['main', path.join(cli, 'src/main.ts')],
      ...Object.entries(workers).map(([name, { source }]) => [
        name,
        path.join(cli, `src/${source}.ts`),
      ]),
    ]),
    outdir: freshDist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['source'],
    // These packages are loaded from node_modules when needed: z3-solver has 35 MB, and piscina
    // starts threads with a script of its own.
    external: ['z3-solver', 'piscina', '@fencewright/fleet'],
    plugins: [lateChildProcess],
    chunkNames: '[name]-[hash]',
    metafile: true,
    sourcemap: false,
    legalComments: 'linked',
    logLevel: 'warning',
  });
  for (const [output, about] of Object.entries(result.metafile.outputs))
    if (output.endsWith('.js')) forgetImports(about, await toScript(path.join(root, output)));
  for (const [name, { started }] of Object.entries(workers))
    await writeFile(path.join(freshDist, `start-${name}.cjs`), startModule(name, started));
  // HiGHS looks for its WebAssembly beside the script that loads it.
  const highs = path.join(root, 'node_modules/highs/build/highs.wasm');
  await copyFile(highs, path.join(freshDist, 'highs.wasm'));
  // Files for compiling C programs: headers, library, and a script run as a separate program.
  await cp(path.join(root, 'packages/languages/c'), path.join(freshDist, 'c'), { recursive: true });
  const ofSite = await buildSite(path.join(freshDist, 'site'));
  const packages = [...new Set([...packagesIn([result.metafile]), ...ofSite])].sort();
  await writeFile(path.join(freshDist, 'bundled-packages.json'), JSON.stringify(packages));
  const metafile = JSON.stringify(result.metafile).replaceAll(
    path.relative(root, freshDist),
    'packages/cli/dist',
  );
  await writeFile(path.join(freshDist, 'meta.json'), metafile);
  await cp(path.join(cli, 'bin'), path.join(fresh, 'bin'), { recursive: true });
  await bundleStart();
  await storeBuildName();
  await runExamples('code', ...examples);
  await rm(dist, { recursive: true, force: true });
  await rename(freshDist, dist);
} finally {
  await rm(fresh, { recursive: true, force: true });
}
