import { existsSync } from 'node:fs';
import path from 'node:path';
import { type QueuedJob, readJob, storeAddress } from '@fencewright/fleet';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { JobLanes } from '../src/fleet/do-queued.js';
import { whyNobody } from '../src/fleet/run-queued.js';
import { unsafe } from '../src/fleet/unsafe-jobs.js';
import { buildName } from '../src/build-name.js';
import { defaultsOf } from '../src/options/declare.js';
import { batched } from '../src/verbs/batch.js';
import { loadBatch } from '../src/verbs/load-batch.js';
import { verbs } from '../src/verbs.js';
import { fencewrightAfresh as fencewright, folderWith } from './fencewright.js';
import { fenced } from './programs.js';

const poisoned = new URL('threads/poisoned-jobs.cjs', import.meta.url);

const key = 'a'.repeat(64);
const settings = { verb: 'check', values: { json: true }, ci: false, witnesses: false };
const job: QueuedJob = {
  form: 1,
  settings,
  order: { key, file: `job-${key}.fw`, format: 'native', given: { kind: 'text', text: fenced } },
};

describe('what travels', () => {
  test('is a job and nothing besides', () => {
    expect(readJob(job)).toEqual(job);
    const wrong: readonly unknown[] = [
      ...[null, 'job', {}, { ...job, form: 2 }, { ...job, more: 1 }],
      { ...job, order: { ...job.order, key: 'short' } },
      { ...job, order: { ...job.order, file: '/etc/passwd' } },
      { ...job, order: { ...job.order, file: '../x.fw' } },
      { ...job, order: { ...job.order, file: '-x' } },
      { ...job, order: { ...job.order, given: { kind: 'file', file: '/etc/passwd' } } },
      { ...job, order: { key, file: 'r:1..2', random: { generator: 'x', first: 1, count: 1e9 } } },
    ];
    for (const data of wrong) expect(readJob(data), JSON.stringify(data)).toHaveProperty('wrong');
  });

  test.each([
    [{ verb: 'explain' }, {}, [], "there is no job 'explain'"],
    [{}, { clang: 'evil' }, [], "'clang' has a value that a job of"],
    [{}, { include: ['/etc'] }, [], "'include' has a value that a job of"],
    [{}, { compileCommands: '/x' }, [], "'compileCommands' has a value that a job of"],
    [{ verb: 'fence' }, { cost: '/etc/passwd' }, [], "'cost' names"],
    [{ verb: 'fence' }, { cost: 'size' }, [], undefined],
    [{}, { engine: 'spin' }, [], 'the job runs SPIN'],
    [{}, { engine: 'spin' }, ['spin'], undefined],
    [{ verb: 'prove' }, { solver: 'native' }, ['spin'], 'the job runs Z3'],
    [{ verb: 'prove' }, { solver: 'native' }, ['z3'], undefined],
    [{}, {}, [], undefined],
    // Values that would write files, or that no option has.
    [{}, { certificate: '/tmp/x' }, [], "'certificate' has a value that a job of"],
    [{ verb: 'fence' }, { output: '/tmp/x' }, [], "'output' has a value that a job of"],
    [{ verb: 'fence' }, { write: true }, [], "'write' has a value that a job of"],
    [{ verb: 'prove' }, { script: '/tmp/x' }, [], "'script' has a value that a job of"],
    [{ verb: 'reach' }, { html: '/tmp/x' }, [], "'html' has a value that a job of"],
    [{}, { junit: '/tmp/x' }, [], "'junit' has a value that a job of"],
    [{}, { sarif: '/tmp/x' }, [], "'sarif' has a value that a job of"],
    [{}, { jobs: 1000 }, [], "'jobs' has a value that a job of"],
    [{}, { toString: 1 }, [], "'toString' has a value that a job of"],
    // Values that no command line can express.
    [{}, { maxStates: '7' }, [], "'maxStates' has a value that a job of"],
    [{}, { maxStates: 0.5 }, [], "'maxStates' has a value that a job of"],
    [{}, { maxStates: {} }, [], "'maxStates' has a value that a job of"],
    [{}, { timeout: -1 }, [], "'timeout' has a value that a job of"],
    [{}, { maxMemory: null }, [], "'maxMemory' has a value that a job of"],
    [{}, { engine: 'sh' }, [], "'engine' has a value that a job of"],
    [{}, { json: false }, [], "'json' has a value that a job of"],
    [{}, { without: ['x'] }, [], "'without' has a value that a job of"],
    [
      {},
      { threads: [{ thread: 't', low: 1, high: 1e9 }] },
      [],
      "'threads' has a value that a job of",
    ],
    [{}, { allAttacks: 1 }, [], "'allAttacks' has a value that a job of"],
    [{}, { formats: { '.x': 'sh' } }, [], "'formats' has a value that a job of"],
  ] as const)('with %j and %j, allowed %j: %s', async (more, values, allowed, why) => {
    const asked = { ...job, settings: { ...settings, ...more, values } };
    const said = await unsafe(asked, allowed);
    if (why === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(why);
  });

  test('is no C, and no format that nobody knows', async () => {
    const of = (format: string) => ({ ...job, order: { ...job.order, format } }) as QueuedJob;
    expect(await unsafe(of('c'), [])).toContain(
      'C programs are compiled on the machine that has their files',
    );
    expect(await unsafe(of('elf'), [])).toContain("no format 'elf'");
  });

  test('has an address that is shown without its password', () => {
    const { shown, hasPassword } = storeAddress('rediss://me:secret@host:7000/2');
    expect([shown, hasPassword]).toEqual(['rediss://host:7000/2', true]);
    expect(storeAddress('postgres://host/db?password=secret')).toMatchObject({
      ...{ kind: 'postgres', shown: 'postgres://host/db', hasPassword: true },
    });
    for (const text of ['http://me:secret@host', 'secret', 'redis:'])
      if (text !== 'redis:')
        expect(() => storeAddress(text)).toThrow(expect.not.stringContaining('secret') as Error);
  });
});

/** Returns the options that `batch` passes on to its verb, given these arguments. */
async function saidBy(args: readonly string[]): Promise<Record<string, unknown>> {
  const command = new Command().exitOverride();
  const { options } = await loadBatch(['batch', ...args]);
  for (const { make } of Object.values(options)) command.addOption(make());
  command.argument('[verb]').parse([...args], { from: 'user' });
  return command.opts();
}

describe('a worker', () => {
  test('takes all that the command line can say to a batch of each verb', async () => {
    const common = '--max-states 7 --timeout 0.5 --max-memory 100 --from trencher --threads t=1..3';
    const lines = [
      `check ${common} --all-attacks --without freeze,symmetry --fail-on violated,differs`,
      'check --threads t=1 --threads u=2,v=0..1 --no-freeze --kernel wasm --hb value --no-color',
      'check --instances e=2 --against tso --posting fenced --depth 3 --attack a:b:c --color never',
      'check --fail-on violated --fail-on vacuous --answers',
      'check --prove --solver wasm --no-config',
      `fence ${common} --repair any --cost profile --seed 0 --runs 3 --for p --for q`,
      'fence --minimise --locked-stores --hb standard --without freeze',
      `reach ${common} --buffer 2 --semantics single,multi-tso`,
      `trf ${common} --fence`,
      `prove ${common} --property a --property b --infer`,
    ];
    for (const line of lines) {
      const args = line.split(' ');
      const { jobs: _, queueName: __, generator: ___, ...values } = await saidBy(args);
      const asked = { ...settings, verb: args[0]!, values: { ...values, json: true } };
      expect(await unsafe({ ...job, settings: asked }, []), line).toBeUndefined();
    }
  });

  test('writes no file, whatever it is asked for', async () => {
    const cwd = await folderWith({});
    const counts = { jobs: 0, states: 0, seconds: 0, deaths: 0 };
    const { signal } = new AbortController();
    const lanes = new JobLanes({ script: poisoned, processes: 1, allowed: [], signal, counts });
    const file = path.join(cwd, 'written');
    for (const name of batched) {
      const options = (await verbs[name]!.load([])).options;
      for (const option of ['certificate', 'output', 'script', 'html', 'sarif', 'markdown']) {
        if (!(option in options)) continue;
        const values = JSON.parse(
          JSON.stringify({ ...defaultsOf(options), json: true, [option]: file }),
        ) as QueuedJob['settings']['values'];
        const asked = { ...job, settings: { ...settings, verb: name, values } };
        expect(await lanes.perform(asked), `${name} --${option}`).toMatchObject({
          kind: 'refused',
        });
      }
    }
    lanes.close();
    expect([existsSync(file), counts.jobs]).toEqual([false, 0]);
  });

  test('is missed in words that say which is wanted, and which there are', () => {
    const said = (workers: number, ...otherVersions: string[]): string =>
      whyNobody({ workers, otherVersions }, 30).replaceAll(buildName(), 'OURS');
    expect(said(0)).toBe('no job was taken for 30 s: the jobs wait for a worker of OURS');
    expect(said(0, '0.0.9', '0.2.0')).toBe(
      'no job was taken for 30 s: the jobs wait for a worker of OURS; there are workers of 0.0.9 and 0.2.0 only',
    );
    expect(said(2, '0.0.9')).toBe(
      'no job was taken for 30 s: workers of OURS are connected, but take no jobs',
    );
  });
});

test('an address that no client can read is refused in a line without it', async () => {
  const cwd = await folderWith({ 'a.fw': fenced });
  for (const url of ['redis:secret', 'redis://:sec%zzret@h', 'redis://h/secret', 'redis:///secret'])
    expect(
      await fencewright(['batch', 'a.fw', '--queue'], { cwd, env: { FENCEWRIGHT_QUEUE: url } }),
      url,
    ).toEqual({
      ...{ code: 64, stdout: '' },
      stderr: 'fencewright: a queue is at redis://, rediss:// or postgres://HOST:PORT\n',
    });
  const hidden = 'redis://127.0.0.1:1/?p%61ssword=secret';
  expect(storeAddress(hidden).hasPassword).toBe(true);
});
