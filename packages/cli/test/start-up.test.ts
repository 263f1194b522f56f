import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';
import { describe, expect, test } from 'vitest';

const metafile = JSON.parse(
  await readFile(new URL('../dist/meta.json', import.meta.url), 'utf8'),
) as Metafile;

const root = fileURLToPath(new URL('../../..', import.meta.url));
const loader = fileURLToPath(new URL('../bin/load-script.js', import.meta.url));

function outputNamed(name: string): string {
  const found = Object.keys(metafile.outputs).find((file) => file.endsWith(`/${name}`));
  if (found === undefined) throw new Error(`no output ${name}`);
  return found;
}

function chunkOf(source: string): string {
  const found = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === source,
  );
  if (!found) throw new Error(`no chunk for ${source}`);
  return found[0];
}

/**
 * Returns the packages and sources that are loaded before the given scripts of the bundle run:
 * those in the scripts, and those in the scripts that they import statically.
 */
function loadedWith(...outputs: string[]): { inputs: string[]; bytes: number } {
  const seen = new Set<string>();
  const queue = [...outputs];
  for (let output = queue.pop(); output !== undefined; output = queue.pop()) {
    if (seen.has(output)) continue;
    seen.add(output);
    for (const { path, kind, external } of metafile.outputs[output]?.imports ?? [])
      if (kind === 'import-statement' && !external) queue.push(path);
  }
  const parts = [...seen].map((output) => metafile.outputs[output]);
  return {
    inputs: parts.flatMap((part) =>
      Object.entries(part?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) =>
        bytesInOutput > 0 ? [file] : [],
      ),
    ),
    bytes: parts.reduce((sum, part) => sum + (part?.bytes ?? 0), 0),
  };
}

const heavy = /node_modules\/(zod|highs|z3-solver|vscode-[\w-]+)\//;

/**
 * Runs the command line and returns the names of the scripts that V8 compiled, each with whether V8
 * accepted the cached code.
 */
async function loadedScripts(...args: string[]): Promise<[string, boolean][]> {
  const probe = `
    const { compiled, loadScript } = require(${JSON.stringify(loader)});
    process.stdout.write = () => true;
    process.on('exit', () => {
      const scripts = [...compiled].map(([name, script]) => [name, script.cachedDataRejected === false]);
      require('node:fs').writeSync(1, JSON.stringify(scripts));
    });
    loadScript('main.cjs');`;
  const stdout = await new Promise<string>((resolve) => {
    // The exit code encodes the verdict. Where a script has its name, an evaluated text has its
    // first argument.
    const run = ['-e', probe, '--', 'fencewright', ...args];
    execFile(process.execPath, run, { cwd: root }, (_, text) => resolve(text));
  });
  return JSON.parse(stdout) as [string, boolean][];
}

test.each([
  [['--version'], 1],
  [['check', 'tools/peterson.trencher'], 1],
  // Loaded: the native language, claims, the comparison of threads, and the search for threads that
  // wait for ever.
  [['check', '--all-attacks', 'examples/peterson.fw'], 18],
  [['check', 'examples/treiber-stack.fw'], 15],
])('V8 takes all stored code: %j', async (args, most) => {
  const scripts = await loadedScripts(...args);
  expect(scripts.filter(([, taken]) => !taken)).toEqual([]);
  expect(scripts.map(([name]) => name)).toContain('start.cjs');
  expect(scripts.length).toBeLessThanOrEqual(most);
});

describe('what is loaded when', () => {
  test('--version loads neither zod nor any engine', () => {
    const { inputs, bytes } = loadedWith(outputNamed('main.js'));
    expect(inputs.filter((file) => heavy.test(file))).toEqual([]);
    // Messages quote names; options list the formats and the values from outside.
    const formats = /\/(front-ends?|net-formats)\.ts$/;
    const own = inputs.filter((file) => /^packages\/(?!cli\/(?!src\/verbs\/))/.test(file));
    expect(own.filter((file) => !formats.test(file)).sort()).toEqual([
      'packages/core/src/api/defaults.ts',
      'packages/ground/src/source/file-format.ts',
      'packages/ground/src/source/quote-name.ts',
      'packages/languages/src/llvm-ir/library-functions.ts',
      'packages/languages/src/llvm-ir/outside-choices.ts',
    ]);
    expect(bytes).toBeLessThan(200_000);
  });

  test.each([
    [['verbs/check.ts', 'run-files.ts'], 830_000],
    // With the verifier: readers, machines and searches of its own, of threads, events and C11, and
    // the rules by which computations survive repairs with heavy fences.
    [['verbs/verify-certificate.ts', 'run-on-certificate.ts'], 1_455_000],
    [['verbs/convert.ts', 'run-files.ts'], 810_000],
  ])('a Trencher file is handled without what only others need (%s)', (sources, most) => {
    const chunks = sources.map((source) => chunkOf(`packages/cli/src/${source}`));
    const reader = chunkOf('packages/languages/src/trencher/parse-trencher.ts');
    const { inputs, bytes } = loadedWith(outputNamed('main.js'), ...chunks, reader);
    expect(inputs.filter((file) => heavy.test(file))).toEqual([]);
    expect(inputs).toContain('packages/languages/src/trencher/parse-trencher.ts');
    expect(bytes).toBeLessThan(most);
  });

  test('a native file is read with nothing but what it takes', () => {
    const reader = chunkOf('packages/languages/src/native/parse-native.ts');
    const checking = chunkOf('packages/cli/src/run-files.ts');
    const verb = chunkOf('packages/cli/src/verbs/check.ts');
    const { inputs, bytes } = loadedWith(outputNamed('main.js'), verb, checking, reader);
    expect(inputs.filter((file) => heavy.test(file))).toEqual([]);
    expect(inputs).toContain('packages/languages/src/native/parse-syntax.ts');
    expect(bytes).toBeLessThan(1_000_000);
  });

  test('nothing but batch loads what batches take', () => {
    const ofBatches =
      /^packages\/cli\/src\/(batch|verbs\/\w*-?batch)|node_modules\/(fast-check|picomatch)\//;
    const main = outputNamed('main.js');
    for (const source of ['verbs/check.ts', 'run-files.ts', 'run-in-workers.ts', 'worker.ts'])
      expect(
        loadedWith(main, chunkOf(`packages/cli/src/${source}`)).inputs.filter((file) =>
          ofBatches.test(file),
        ),
      ).toEqual([]);
    const batch = loadedWith(main, chunkOf('packages/cli/src/verbs/load-batch.ts')).inputs;
    expect(batch.some((file) => ofBatches.test(file))).toBe(true);
    expect(batch.filter((file) => file.includes('node_modules/fast-check/'))).toEqual([]);
  });

  test('nothing that runs needs zod', () => {
    const inputs = Object.keys(metafile.outputs).flatMap((output) => loadedWith(output).inputs);
    expect(inputs.filter((file) => file.includes('node_modules/zod/'))).toEqual([]);
  });

  test('scripts export values: getters would be called in inner loops', () => {
    const load = createRequire(import.meta.url);
    const { loadScript } = load('../bin/load-script.js') as {
      readonly loadScript: (name: string) => object;
    };
    const exported = Object.values(Object.getOwnPropertyDescriptors(loadScript('worker.cjs')));
    expect(exported.length).toBeGreaterThan(1);
    for (const property of exported) expect(property).toHaveProperty('value');
  });
});
