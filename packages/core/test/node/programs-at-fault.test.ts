import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { check } from '../../src/api/check.js';
import { createSpin, removeSpinLeftovers } from '../../src/node/spin.js';
import { createNativeZ3 } from '../../src/node/z3-process.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

const storeBuffering = programOf(`var x, y
  thread a { local r; x = 1; r = y; }
  thread b { local r; y = 1; r = x; }`);

let folder: string;
let temporary: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fencewright-'));
  temporary = path.join(folder, 'tmp');
  await mkdir(temporary);
  vi.stubEnv('TMPDIR', temporary);
  vi.stubEnv('PATH', `${folder}:${process.env.PATH ?? ''}`);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** Writes a fake program of this name that comes first on the PATH. */
async function fake(name: string, script: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

/** Writes a fake SPIN, whose verifier runs the script. */
async function fakeVerifier(script: string): Promise<void> {
  await fake('spin', 'touch pan.c');
  await fake('cc', `printf '%s\\n' '#!/bin/sh' '${script}' > pan; chmod +x pan`);
}

async function bySpin() {
  return check(storeBuffering, {
    engine: { name: 'spin', modelChecker: createSpin({ compiler: 'cc' }) },
  });
}

test.each([
  ['rubbish', 'echo rubbish'],
  ['nothing', 'true'],
  ['an attack that is none', 'echo assertion violated'],
  ['only half, since it is killed', 'echo "Depth= 7 States= 9"; kill -9 $$'],
])('a verifier that says %s gives no verdict, and no fault of ours', async (_, script) => {
  await fakeVerifier(script);
  const { verdict, diagnostics } = await bySpin();
  expect(['unknown', 'error']).toContain(verdict.kind);
  if (verdict.kind === 'error') expect(diagnostics[0]?.code).toBe('FW4002');
  expect(await readdir(temporary)).toEqual([]);
});

test.each([
  ['spin', 'echo "spin: out of memory"; exit 1'],
  ['cc', 'kill -9 $$'],
])('%s that dies is named', async (name, script) => {
  await fake('spin', 'touch pan.c');
  await fake(name, script);
  const { verdict, diagnostics } = await bySpin();
  expect(verdict.kind).toBe('error');
  expect(diagnostics[0]).toMatchObject({ code: 'FW4002' });
  expect(diagnostics[0]?.message).toContain(`'${name}'`);
});

test('no room for the files of SPIN is said', async () => {
  vi.stubEnv('TMPDIR', path.join(folder, 'nowhere'));
  const { verdict, diagnostics } = await bySpin();
  expect(verdict.kind).toBe('error');
  expect(diagnostics[0]?.message).toContain('ENOENT');
});

test('the files of SPIN are in a folder for nobody else; those of a run that was killed go', async () => {
  const dead = spawnSync('true').pid;
  const stale = path.join(temporary, `fencewright-spin-${dead}-AAAAAA`);
  const open = path.join(temporary, `fencewright-spin-${dead}-BBBBBB`);
  const living = path.join(temporary, `fencewright-spin-${process.ppid}-CCCCCC`);
  for (const one of [stale, open, living]) await mkdir(one, { mode: 0o700 });
  // The folder may belong to another user, who could make the tool remove files or kill processes.
  await chmod(open, 0o777);
  await writeFile(path.join(stale, `group-${process.ppid}`), '');
  let seen: readonly string[] = [];
  let mode = 0;
  const options = { stateBytes: 10, signal: new AbortController().signal };
  await createSpin({ compiler: 'cc' }).withVerifier('', options, async () => {
    seen = (await readdir(temporary)).toSorted();
    const own = seen.find((name) => name.includes(`-${process.pid}-`)) ?? '';
    mode = (await stat(path.join(temporary, own))).mode & 0o777;
  });
  expect(seen).toHaveLength(3);
  expect(seen).not.toContain(path.basename(stale));
  expect(mode).toBe(0o700);
  removeSpinLeftovers();
  expect((await readdir(temporary)).toSorted()).toEqual(
    [open, living].map((one) => path.basename(one)).toSorted(),
  );
});

const answering = (words: string): string =>
  `while read line; do case "$line" in *check-sat*) ${words};; *echo*) echo fencewright-end-of-answer;; esac; done`;

test.each([
  ['rubbish', answering('echo rubbish')],
  ['a model that is none', answering('echo sat') + '\n'],
  ['nothing, and ends', 'exit 0'],
  ['rubbish without end', 'yes rubbish'],
  ['that there is no memory', answering(`echo '(error "out of memory")'`)],
])('z3 that says %s decides nothing, and is no fault of ours', async (what, script) => {
  const command = await fake(
    'z3',
    what === 'a model that is none'
      ? answering('echo sat').replace('*echo*)', '*get-model*) echo "(define-fun";; *echo*)')
      : script,
  );
  const solver = createNativeZ3({ command });
  const answer = await solver.solve({ script: '(assert true)', wantsModel: true });
  await solver.close();
  expect(answer.kind).toBe('unknown');
});
