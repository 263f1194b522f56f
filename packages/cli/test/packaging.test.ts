import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packages } from '../../../tools/packages.mjs';
import { fencewright, folderWith } from './fencewright.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly bin?: object;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

async function manifestOf(name: string): Promise<Manifest> {
  const file = path.join(root, 'packages', name, 'package.json');
  return JSON.parse(await readFile(file, 'utf8')) as Manifest;
}

/**
 * Packs a package as it would be published; the tests have built the command, everything else is
 * built now.
 */
async function pack(name: string, folder: string): Promise<string> {
  const args = ['pack', '--json', '--silent', '--pack-destination', folder];
  const cwd = path.join(root, 'packages', name);
  const { stdout } = await run('npm', [...args, ...(name === 'cli' ? ['--ignore-scripts'] : [])], {
    cwd,
  });
  // What scripts print comes before.
  const packed = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as { filename: string }[];
  return path.join(folder, packed[0]!.filename);
}

/** Installs a package alone, as somebody would who has never heard of the others. */
async function install(tarball: string, cwd: string, { peerDependencies = {} }: Manifest) {
  await writeFile(path.join(cwd, 'package.json'), '{ "private": true, "type": "module" }');
  const peers = Object.entries(peerDependencies).map(([peer, version]) => `${peer}@${version}`);
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quiet, tarball, ...peers], { cwd });
}

/**
 * A program that imports everything, and a function of each: both Node.js and the compiler have to
 * find them.
 */
function programImporting({ name, exports = {} }: Manifest): string {
  const modules = Object.keys(exports).map((entry) => `${name}${entry.slice(1)}`);
  const imports = modules.map((module, i) => `import * as m${i} from '${module}';`);
  const checks = modules.map((module, i) => [
    `const names${i}: readonly string[] = Object.keys(m${i});`,
    `if (names${i}.length === 0) throw new Error('nothing in ${module}');`,
  ]);
  return [...imports, ...checks.flat(), ''].join('\n');
}

const types = path.join(root, 'node_modules/@types');
const moreStrict = ['--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
const strict = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom'];

/** The programs of the page about the library, each with what its comments say that it prints. */
async function programsOfThePage() {
  const page = await readFile(path.join(root, 'docs/library.md'), 'utf8');
  return [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => ({
    text,
    prints: [...text.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => `${line}\n`),
  }));
}

/** Compiles and runs the programs of the page where only the library is installed. */
async function tryThePage(cwd: string): Promise<void> {
  const programs = await programsOfThePage();
  expect(programs.length).toBeGreaterThan(3);
  for (const { prints } of programs) expect(prints.length).toBeGreaterThan(1);
  const files = programs.map((_, i) => `page-${i}`);
  for (const [i, { text }] of programs.entries())
    await writeFile(path.join(cwd, `${files[i]}.mts`), text);
  const sources = files.map((file) => `${file}.mts`);
  const compile = [compiler, ...strict, ...moreStrict, '--types', 'node', '--typeRoots', types];
  await run(process.execPath, [...compile, '--outDir', 'out', ...sources], { cwd });
  for (const [i, { prints }] of programs.entries()) {
    const { stdout } = await run(process.execPath, [`out/${files[i]}.mjs`], { cwd });
    expect(stdout).toBe(prints.join(''));
  }
}

test.each(packages)(
  '%s can be installed alone, and works there',
  async (name) => {
    const folder = await folderWith({});
    const cwd = path.join(folder, 'empty');
    await mkdir(cwd);
    const manifest = await manifestOf(name);
    await install(await pack(name, folder), cwd, manifest);
    if (manifest.exports) {
      await writeFile(path.join(cwd, 'all.mts'), programImporting(manifest));
      const options = [...strict, '--outDir', 'out', 'all.mts'];
      await run(process.execPath, [compiler, ...options], { cwd });
      await run(process.execPath, ['out/all.mjs'], { cwd });
    }
    if (name === 'core') await tryThePage(cwd);
    await copyFile(path.join(root, 'examples/dekker.fw'), path.join(cwd, 'dekker.fw'));
    if (name === 'verifier') {
      const args = ['fence', 'dekker.fw', '--certificate', 'proof.json'];
      expect(await fencewright(args, { cwd })).toMatchObject({ code: 0 });
      const bin = path.join(cwd, 'node_modules/.bin/fencewright-verify');
      // In part, for it does not see the text that has no places for some of the fences.
      await expect(run(bin, ['proof.json'], { cwd })).rejects.toMatchObject({
        code: 5,
        stdout: expect.stringContaining('checked: with the 4 chosen repairs') as string,
      });
    }
    if (name === 'cli' && manifest.bin) {
      const [command = ''] = Object.keys(manifest.bin);
      const bin = path.join(cwd, 'node_modules/.bin', command);
      const ended = await run(bin, ['check', '--json', 'dekker.fw'], { cwd }).catch(
        (error: unknown) => error as { readonly code: number; readonly stdout: string },
      );
      expect(ended).toMatchObject({ code: 10 });
      expect(JSON.parse(ended.stdout)).toMatchObject({ results: [{ verdict: 'not-robust' }] });
      // Fences are placed by a solver that comes as WebAssembly, and by one that is written for it.
      await run(bin, ['fence', '--write', 'dekker.fw'], { cwd });
      await run(bin, ['check', 'dekker.fw'], { cwd });
      await run(bin, ['prove', '--solver', 'wasm', 'dekker.fw'], { cwd }).catch((error: unknown) =>
        expect([5, 10]).toContain((error as { readonly code: number }).code),
      );
    }
  },
  600_000,
);
