import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findClang } from '@fencewright/core/node';
import { expect, test } from 'vitest';
import { describeWith } from '../../../tools/external-program.js';
import { verbs } from '../src/verbs.js';
import { folderWith } from './fencewright.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const binary = path.join(root, 'packages/cli/bin/fencewright.js');
const loader = path.join(root, 'packages/cli/bin/load-script.js');
const example = (name: string): string => path.join(root, 'examples', name);

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[], cwd?: string, input = ''): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR };
    const child = execFile(command, args, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    // A process that needs no input may end before this write: the error EPIPE says only that.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

const fenced = example('peterson-fenced.fw');
const broken = example('peterson.fw');

/** Arguments for a run of each verb; `--help` for servers. */
const runs: Readonly<Record<string, readonly string[]>> = {
  demo: ['--no-open'],
  init: ['new.fw'],
  check: [broken, fenced],
  fence: ['--certificate', 'c.json', broken],
  explain: [broken],
  reach: [broken],
  prove: ['--solver', 'wasm', 'small.fw'],
  events: [example('events/clicks.fw')],
  trf: [broken],
  cover: ['net.spec'],
  'verify-certificate': ['c.json', broken],
  bench: [broken, fenced],
  batch: ['--jobs', '2', broken, fenced],
  worker: ['--help'],
  convert: ['--to', 'trencher', broken],
  format: ['small.fw'],
  playground: ['--help'],
  lsp: ['--help'],
  completion: ['bash'],
};

const files = {
  'small.fw': 'program P\nvar x\nthread t { x = 1; }\n',
  'net.spec':
    "vars a b\nrules\n a >= 1 -> a' = a - 1, b' = b + 1;\ninit a = 1, b = 0\ntarget b >= 1\n",
};

/**
 * Returns the exit code and messages of a run, with all numbers replaced, as some depend on time.
 */
function told({ code, stderr }: Ran): object {
  return { code, stderr: stderr.replaceAll(/\d[\d.,]*/g, 'N') };
}

test('the start sets no flag of V8 that the running Node does not know', async () => {
  const probe = (version: string): string => `
    Object.defineProperty(process.versions, 'node', { value: ${version} });
    const flags = [];
    require('node:v8').setFlagsFromString = (flag) => flags.push(flag);
    require(${JSON.stringify(loader)});
    process.stdout.write(JSON.stringify(flags));`;
  const known = await run(process.execPath, ['--v8-options']);
  const own = await run(process.execPath, ['-e', probe('process.versions.node')]);
  for (const flag of JSON.parse(own.stdout) as string[])
    expect(known.stdout).toContain(`  ${flag.replace(/=.*/, '')} (`);
  for (const version of ['22.0.0', '24.21.0', '26.1.0', '200.1.0']) {
    const other = await run(process.execPath, ['-e', probe(`'${version}'`)]);
    expect(other.stdout).toBe('[]');
  }
});

test('each verb has a run here', () => {
  expect(Object.keys(runs)).toEqual(Object.keys(verbs));
});

/**
 * Runs each verb under the given Node.js, in a new folder; returns exit codes and output by verb.
 */
async function runsUnder(node: string): Promise<ReadonlyMap<string, Ran>> {
  const cwd = await folderWith(files);
  const all = new Map<string, Ran>();
  for (const [verb, args] of Object.entries(runs))
    all.set(verb, await run(node, [binary, verb, ...args], cwd));
  return all;
}

let underThis: Promise<ReadonlyMap<string, Ran>> | undefined;

for (const node of ['node22', 'node24', 'node26'])
  describeWith(node, ['--version'], `under ${node}`, () => {
    test('each verb ends as under this Node, with the same messages', async () => {
      const here = await (underThis ??= runsUnder(process.execPath));
      for (const [verb, other] of await runsUnder(node)) {
        const own = here.get(verb)!;
        expect([verb, told(other)]).toEqual([verb, told(own)]);
        expect(other.stdout === '').toBe(own.stdout === '');
        expect(other.stderr).not.toMatch(/unrecognized|Warning/i);
      }
    });

    test('the flags for clang in WebAssembly are known', async () => {
      const tool = path.join(root, 'packages/languages');
      const clang = await findClang({
        ...{ folder: '/', tool, searchPath: '/nowhere', wasmRunner: 'run-wasm-clang.mjs' },
        signal: new AbortController().signal,
      });
      if (clang.kind !== 'wasm') return expect.fail();
      const flags = clang.first.filter((each) => each.startsWith('--'));
      expect(flags.length).toBeGreaterThan(0);
      expect(await run(node, [...flags, '-e', ''])).toEqual({ code: 0, stdout: '', stderr: '' });
    });
  });
