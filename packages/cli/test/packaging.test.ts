import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packages } from '../../../tools/packages.mjs';
import { fencewrightAfresh as fencewright, folderWith } from './fencewright.js';
import { localRegistry } from './local-registry.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const compiler = path.join(root, 'node_modules/typescript-native/bin/tsc');
const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The folder with all packed packages, and the names of the tarballs. */
let packed = '';
let tarballs: readonly string[] = [];
/**
 * The number of times that the verifier's command was missing during the build, if looked for each
 * millisecond.
 */
let missing = 0;

beforeAll(async () => {
  const command = path.join(root, 'packages/verifier/dist/fencewright-verify.js');
  const looking = setInterval(() => {
    if (!existsSync(command)) missing++;
  }, 1);
  // The command line is built before all tests.
  await run(process.execPath, ['tools/build-library.mjs'], { cwd: root });
  clearInterval(looking);
  packed = await mkdtemp(path.join(tmpdir(), 'fencewright-packed-'));
  await run(process.execPath, ['tools/pack.mjs', packed], { cwd: root });
  tarballs = (await readdir(packed)).map((name) => path.join(packed, name));
});

afterAll(() => rm(packed, { recursive: true, force: true }));

function tarballOf(name: string): string {
  const found = tarballs.find((file) =>
    name === 'cli' ? /\/fencewright-\d[^/]*$/.test(file) : file.includes(`/fencewright-${name}-`),
  );
  if (found === undefined) throw new Error(`${name} is not packed`);
  return found;
}

const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];

/** Unpacks the tarball of a package into a new folder, without installing the package. */
async function unpacked(name: string): Promise<{ folder: string; manifest: Manifest }> {
  const folder = await folderWith({});
  await run('tar', ['-xzf', tarballOf(name), '-C', folder, '--strip-components=1']);
  const text = await readFile(path.join(folder, 'package.json'), 'utf8');
  return { folder, manifest: JSON.parse(text) as Manifest };
}

/** Installs a package alone, without the other packages of the repository, in an empty folder. */
async function install(name: string): Promise<string> {
  const [{ manifest }, folder] = await Promise.all([unpacked(name), folderWith({})]);
  const cwd = path.join(folder, 'empty');
  await mkdir(cwd);
  await writeFile(path.join(cwd, 'package.json'), '{ "private": true, "type": "module" }');
  const registry = await localRegistry(root, tarballs, folder);
  const from = ['--registry', registry, '--cache', path.join(folder, 'cache')];
  await run('npm', ['install', ...quiet, ...from, manifest.name, 'fast-check'], { cwd });
  return cwd;
}

describe.each(packages)('the package of %s', (name) => {
  test('says nothing of sources, has its licence, and all files that it speaks of', async () => {
    const { folder, manifest } = await unpacked(name);
    for (const field of ['private', 'scripts', 'devDependencies', 'files'])
      expect(manifest).not.toHaveProperty(field);
    const licence = await readFile(path.join(folder, 'LICENSE'), 'utf8');
    expect(licence).toBe(await readFile(path.join(root, 'LICENSE'), 'utf8'));
    for (const conditions of Object.values(manifest.exports ?? {})) {
      expect(Object.keys(conditions)).toEqual(['types', 'default']);
      for (const file of Object.values(conditions))
        expect(existsSync(path.join(folder, file)), file).toBe(true);
    }
    const readme = await readFile(path.join(folder, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(path.join(folder, link)))).toEqual([]);
    const all = (await readdir(folder, { recursive: true })).filter(
      (file) => !file.startsWith('node_modules'),
    );
    expect(all.filter((file) => /(^|\/)(src|test)\/|tsconfig|\.tsbuildinfo$/.test(file))).toEqual(
      [],
    );
  });
});

test('a build takes no command away that other tests run meanwhile', () => {
  expect(missing).toBe(0);
});

/** Runs the installed tool; returns its exit code and output, whatever the exit code. */
function runTool(bin: string, args: readonly string[], cwd: string) {
  return run(bin, args, { cwd, env: { PATH: process.env.PATH ?? '', TMPDIR: cwd } }).then(
    (streams) => ({ code: 0, ...streams }),
    (error: unknown) => error as { readonly code: number; stdout: string; stderr: string },
  );
}

/** Returns the first commands of the README's section "Set-up", without their comments. */
async function firstCommands(): Promise<readonly string[][]> {
  const readme = await readFile(path.join(root, 'README.md'), 'utf8');
  expect(readme).toContain(`npm install -g dist/${path.basename(tarballOf('cli'))} `);
  const [, section = ''] = /^## Set-up\n(.*?)^On a fresh checkout/ms.exec(readme) ?? [];
  const lines = section.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return lines.filter((line) => line.startsWith('fencewright ')).map((line) => line.split(/ +/));
}

/** Matches paths of pages and programs in a text; a star stands for any characters. */
const named = /(?<![\w./-])(docs|examples|corpus)(\/[\w.+*-]*[\w+*])+/g;

/** Returns the paths in a text without a file in the folder; paths with `NAME` are ignored. */
function deadPaths(text: string, folder: string): string[] {
  const paths = [...new Set([...text.matchAll(named)].map(([name]) => name))];
  return paths.filter((name) => {
    const file = path.join(folder, name.replace(/\/[^/]*[*].*$/, ''));
    return !name.includes('NAME') && !existsSync(file);
  });
}

/** Returns the links of a page that lead to no file. */
async function deadLinks(page: string): Promise<string[]> {
  const text = await readFile(page, 'utf8');
  const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  return links.filter(
    (link) => !link.startsWith('https:') && !existsSync(path.resolve(path.dirname(page), link)),
  );
}

test('the package has every page and every program that its texts name', async () => {
  const { folder } = await unpacked('cli');
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = all
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(path.join(folder, 'node_modules')));
  const pages = files.filter((file) => file.endsWith('.md'));
  expect(pages.length).toBeGreaterThan(30);
  for (const page of pages) expect([page, await deadLinks(page)]).toEqual([page, []]);

  // The bundle and the site hold all messages, hints and help; records of decisions are history.
  const texts = files.filter(
    (file) => /\.(md|1|cjs|js|html|json)$/.test(file) && !file.includes('/docs/adr/'),
  );
  let count = 0;
  for (const file of texts) {
    const text = await readFile(file, 'utf8');
    count += text.match(named)?.length ?? 0;
    expect([file, deadPaths(text, folder)]).toEqual([file, []]);
  }
  expect(count).toBeGreaterThan(300);
  expect(deadPaths('see docs/nowhere.md, examples/*.fw', folder)).toEqual(['docs/nowhere.md']);
});

/** The licences that permit redistribution and ask only to name the authors. */
const permissive = /^(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|Unlicense)$/;

test('the licences of all that comes along are those of what is built, each with where it is from', async () => {
  await run(process.execPath, ['tools/write-licences.mjs', '--check'], { cwd: root });
  const text = await readFile(path.join(root, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const head = /^-{80}\n(\S+) (\d\S+), (\S+)\n(https:\S+)\n-{80}\n\n(?=\S)/gm;
  const packages = [...text.matchAll(head)].map(([, name, , licence]) => ({ name, licence }));
  expect(packages.length * 2).toBe(text.match(/^-{80}$/gm)?.length);
  expect(packages.filter(({ licence = '' }) => !permissive.test(licence))).toEqual([]);
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['commander', 'highs', 'piscina', 'z3-solver']));
});

describe('the tool', () => {
  test('is installed from its tarball alone, without a network, and does what the README says', async () => {
    const folder = await folderWith({});
    const prefix = path.join(folder, 'prefix');
    const alone = ['--offline', '--cache', path.join(folder, 'cache'), '--prefix', prefix];
    await run('npm', ['install', '--global', ...quiet, ...alone, tarballOf('cli')], {
      cwd: folder,
    });
    const bin = path.join(prefix, 'bin/fencewright');
    const tool = (...args: string[]) => runTool(bin, args, folder);

    const all = await firstCommands();
    // Commands for C need a clang and files of the user.
    const commands = all.filter((words) => !words.some((word) => word.startsWith('queue')));
    expect(all.length - commands.length).toBe(2);
    expect(commands.map(([, word]) => word)).toEqual(['demo', 'init', 'lock.fw', 'fence']);
    const codes = [];
    for (const [, ...args] of commands) codes.push((await tool(...args)).code);
    // The README's first program is broken by store buffers, until it has its fences.
    expect(codes).toEqual([0, 0, 10, 0]);

    await writeFile(
      path.join(folder, 'dekker.fw'),
      await readFile(path.join(root, 'examples/dekker.fw')),
    );
    const checked = await tool('check', '--json', 'dekker.fw');
    expect(JSON.parse(checked.stdout)).toMatchObject({ results: [{ verdict: 'not-robust' }] });
    // Two solvers choose fences: one in WebAssembly, and one written for this tool.
    const proof = ['--certificate', 'proof.json', '--output', 'fenced.fw'];
    expect(await tool('fence', 'dekker.fw', ...proof)).toMatchObject({ code: 0 });
    expect(await tool('check', '--jobs', '2', 'fenced.fw', 'lock.fw')).toMatchObject({ code: 0 });
    expect(await tool('verify-certificate', 'proof.json', 'dekker.fw')).toMatchObject({ code: 0 });
    expect((await tool('prove', '--solver', 'wasm', 'fenced.fw')).code).toBe(0);

    const home = path.join(prefix, 'lib/node_modules/fencewright');
    // Messages name pages and programs by their installed paths.
    expect((await tool('--help')).stdout).toContain(`${home}/\n`);
    const example = path.join(home, 'examples/dekker.fw');
    expect((await tool('check', 'examples/dekker.fw')).stderr).toContain(example);
    expect((await tool('check', example)).code).toBe(10);
    const foreign = 'X86 T\n{ }\nP0 ;\nVPXOR ;\nexists (x=1)\n';
    await writeFile(path.join(folder, 'foreign.litmus'), foreign);
    const hint = `${path.join(home, 'docs/formats.md')} lists the supported instructions`;
    expect((await tool('check', 'foreign.litmus')).stderr).toContain(hint);
    expect(existsSync(path.join(home, 'dist/site/index.html'))).toBe(true);
    expect(existsSync(path.join(home, 'THIRD-PARTY-LICENSES.txt'))).toBe(true);
    expect(existsSync(path.join(prefix, 'share/man/man1/fencewright.1'))).toBe(true);
    // Mostly Z3.
    expect((await stat(tarballOf('cli'))).size).toBeLessThan(16_000_000);
  });

  test('needs from the checkout what it needs from its tarball', async () => {
    const dependenciesOf = async (file: string): Promise<unknown> =>
      (JSON.parse(await readFile(path.join(root, file), 'utf8')) as Manifest).dependencies;
    const own = await dependenciesOf('packages/cli/package.json');
    expect(own).toHaveProperty('piscina');
    expect(await dependenciesOf('package.json')).toEqual(own);
  });

  test.each(['.', './packages/cli'])('is installed from the checkout: %s', async (what) => {
    const prefix = await folderWith({});
    await run('npm', ['install', '--global', '--offline', ...quiet, '--prefix', prefix, what], {
      cwd: root,
    });
    const { stdout } = await run(path.join(prefix, 'bin/fencewright'), ['--version'], {
      cwd: prefix,
    });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

const modulesOf = ({ name, exports = {} }: Manifest): readonly string[] =>
  Object.keys(exports).map((entry) => `${name}${entry.slice(1)}`);

/**
 * Returns a program that imports all modules and uses an export of each, for Node.js and for the
 * compiler.
 */
function programImporting(modules: readonly string[]): string {
  const imports = modules.map((module, i) => `import * as m${i} from '${module}';`);
  const checks = modules.map((module, i) => [
    `const names${i}: readonly string[] = Object.keys(m${i});`,
    `if (names${i}.length === 0) throw new Error('nothing in ${module}');`,
  ]);
  return [...imports, ...checks.flat(), ''].join('\n');
}

/** The modules that need Node.js. */
const needsNode = /^@fencewright\/(core\/node|verifier|fleet)$/;

/** The pages with example programs for each package. */
const explained: Readonly<Record<string, readonly string[]>> = {
  core: ['packages/core/README.md', 'docs/library.md'],
  lsp: ['packages/lsp/README.md'],
  verifier: ['packages/verifier/README.md'],
  fleet: ['packages/fleet/README.md'],
};

/** Returns the TypeScript programs of a page, each with the output that its comments state. */
async function programsOf(page: string) {
  const text = await readFile(path.join(root, page), 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, source = '']) => ({
    source,
    prints: [...source.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => `${line}\n`),
  }));
}

const strict = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom'];
const moreStrict = ['--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
const nodeTypes = ['--types', 'node', '--typeRoots', path.join(root, 'node_modules/@types')];

/**
 * The packages to install: each alone, with those packages of the repository that it depends on.
 */
const installed = [['lsp', 'core'], ['verifier'], ['fleet']];

test('all libraries are tried', () => {
  expect(['cli', ...installed.flat()].sort()).toEqual(packages.toSorted());
});

test.each(installed)(
  '%s is installed alone: Node.js, the compiler and a bundler find all of it, and its page is right',
  async (...names) => {
    const cwd = await install(names[0]!);
    const manifests = await Promise.all(names.map(async (name) => (await unpacked(name)).manifest));
    const modules = manifests.flatMap(modulesOf);
    const pages = names.flatMap((name) => explained[name] ?? []);
    const programs = (await Promise.all(pages.map(programsOf))).flat();
    expect(programs.length).toBeGreaterThanOrEqual(pages.length);
    expect(pages.length).toBeGreaterThanOrEqual(names.length);
    for (const { prints } of programs) expect(prints.length).toBeGreaterThan(1);
    const files = ['all', ...programs.map((_, i) => `page-${i}`)];
    const sources = [programImporting(modules), ...programs.map(({ source }) => source)];
    for (const [i, text] of sources.entries())
      await writeFile(path.join(cwd, `${files[i]}.mts`), text);
    const isVerifier = names.includes('verifier');
    if (isVerifier) {
      const from = path.join(root, 'examples/dekker.fw');
      const made = await fencewright(['fence', from, '--certificate', 'proof.json'], { cwd });
      expect(made).toMatchObject({ code: 0 });
    }

    const compile = [compiler, ...strict, ...moreStrict, '--skipLibCheck', 'false'];
    const inputs = files.map((file) => `${file}.mts`);
    const isOfNode = isVerifier || names.includes('fleet');
    const all = [...compile, ...(isOfNode ? nodeTypes : []), '--outDir', 'out', ...inputs];
    await run(process.execPath, all, { cwd }).catch((error: unknown) =>
      expect.fail((error as { readonly stdout: string }).stdout),
    );
    for (const [i, file] of files.entries()) {
      const { stdout } = await run(process.execPath, [`out/${file}.mjs`], { cwd });
      expect(stdout).toBe(i === 0 ? '' : programs[i - 1]!.prints.join(''));
    }

    const contents = programImporting(modules.filter((module) => !needsNode.test(module)));
    const { warnings, metafile } = await build({
      stdin: { contents, resolveDir: cwd, loader: 'ts' },
      absWorkingDir: cwd,
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
      external: ['node:*'],
      outdir: path.join(cwd, 'bundle'),
      logLevel: 'silent',
    });
    expect(warnings).toEqual([]);
    const askNode = Object.entries(metafile.inputs).filter(([, { imports }]) =>
      imports.some(({ path: imported }) => imported.startsWith('node:')),
    );
    // The path within Node.js.
    expect(askNode.map(([file]) => file)).toEqual(
      isOfNode ? [] : ['node_modules/highs/build/highs.mjs'],
    );

    if (isVerifier) {
      const bin = path.join(cwd, 'node_modules/.bin/fencewright-verify');
      // Checked only in part: the text that lacks places for some fences is not part of the check.
      expect(await runTool(bin, ['proof.json'], cwd)).toMatchObject({
        code: 5,
        stdout: expect.stringContaining('checked: with the 4 chosen repairs') as string,
      });
    }
  },
);
