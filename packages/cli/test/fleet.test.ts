import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SeededRandom } from '@fencewright/core/testing';
import { type QueuedJob, NoStore, openQueue, startWorker, storeAddress } from '@fencewright/fleet';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { inCampaign, randomSeed } from '../../../tools/random-runs.js';
import { describeWith } from '../../../tools/external-program.js';
import { sourceOf } from '../src/batch/batch-rows.js';
import { finishBatch } from '../src/batch/finish-batch.js';
import type { BatchResult } from '../src/batch/job-result.js';
import { Journal } from '../src/batch/journal.js';
import { filesIn } from '../src/files-in.js';
import { JobLanes } from '../src/fleet/do-queued.js';
import { queueAddress } from '../src/fleet/queue-address.js';
import { buildName } from '../src/build-name.js';
import {
  countIn,
  linesOf,
  resultsAt,
  runBatchOn,
  testKey,
  testSealer,
  until,
  withoutTime,
} from './batch-runs.js';
import { fencewrightAfresh as fencewright, folderWith, type Run } from './fencewright.js';
import { fenced, huge, storeBuffering } from './programs.js';
import { freePort, postgresPrograms, startPostgres, startRedis, type TestStore } from './stores.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const binary = fileURLToPath(new URL('../bin/fencewright.js', import.meta.url));
const poisoned = new URL('threads/poisoned-jobs.cjs', import.meta.url);

/** The folder from which the test takes programs. */
const corpus = process.env.FENCEWRIGHT_FLEET_FOLDER ?? path.join(root, 'corpus/litmus');
/** The number of programs in the batch. */
const programs = inCampaign(24, 200);
/** The number of times that the test kills a worker. */
const kills = inCampaign(3, 20);
const seed = randomSeed(1);

const key = 'a'.repeat(64);
const settings = { verb: 'check', values: { json: true }, ci: false, witnesses: false };
// Batches without a queue use the key of the workers.
Object.assign(process.env, testKey);
afterAll(() => void delete process.env.FENCEWRIGHT_KEY);

const job: QueuedJob = {
  form: 1,
  settings,
  order: { key, file: `job-${key}.fw`, format: 'native', given: { kind: 'text', text: fenced } },
};

/** A running `fencewright worker` and its output; killed at the end of the test. */
interface TestWorker {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly ended: Promise<number | null>;
}

async function beginWorker(
  url: string,
  more: readonly string[] = [],
  mark = '',
): Promise<TestWorker> {
  const args = ['worker', '--queue', '--jobs', '1', '--lock', '2', ...more];
  const env = { PATH: process.env.PATH ?? '', FENCEWRIGHT_QUEUE: url, MARK: mark, ...testKey };
  const child = spawn(process.execPath, [binary, ...args], { env });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await until(() => said.includes('\n'), child);
  return { child, said: () => said, ended };
}

/** Returns the processes with a mark in their environment; only on Linux. */
function processesWith(mark: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
}

async function chosenPrograms(): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const file of filesIn([corpus])) all.push(file);
  const step = Math.max(1, Math.floor(all.length / programs));
  return all.filter((_, i) => i % step === 0).slice(0, programs);
}

const lines = async (file: string): Promise<unknown[]> =>
  (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line, withoutTime));

const through = (url: string, args: readonly string[], cwd: string): Promise<Run> =>
  fencewright(['batch', ...args, '--queue'], { cwd, env: { FENCEWRIGHT_QUEUE: url, ...testKey } });

/** Returns the results of the batch on this machine alone, for comparison with all stores. */
async function hereOf(cwd: string, limits: readonly string[]) {
  const more = ['--journal', 'here', '--report', 'jsonl=here.jsonl'];
  const { code, stdout } = await fencewright(['batch', ...limits, ...more], { cwd });
  return { code, stdout, rows: await lines(path.join(cwd, 'here.jsonl')) };
}

let withoutQueue: ReturnType<typeof hereOf> | undefined;

function suite(start: () => Promise<TestStore>): void {
  test('a batch comes to the same as without, whoever is killed', async () => {
    const { url, kill } = await start();
    const files = await chosenPrograms();
    const cwd = await folderWith({ list: files.join('\n') });
    const limits = ['--from-list', 'list', '--max-states', '20000'];
    const mark = `MARK${randomUUID()}`;
    const workers = await Promise.all([1, 2, 3].map(() => beginWorker(url, [], mark)));
    const random = new SeededRandom(seed);
    const journal = path.join(cwd, 'queued');
    const run = through(
      url,
      [...limits, '--journal', 'queued', '--report', 'jsonl=queued.jsonl'],
      cwd,
    );
    for (let i = 0; i < kills; i++) {
      const target = Math.floor((files.length * (i + 1)) / (kills + 2));
      await Promise.race([run, until(() => countIn(journal, 'end') >= target)]);
      const at = random.below(workers.length);
      workers[at]!.child.kill('SIGKILL');
      if (i % 7 === 0) await kill();
      workers[at] = await beginWorker(url, [], mark);
    }
    const { code, stdout, stderr } = await run;
    expect(stderr).toBe('');
    const here = await (withoutQueue ??= hereOf(cwd, limits));
    expect([code, stdout]).toEqual([here.code, here.stdout]);
    expect(await lines(path.join(cwd, 'queued.jsonl'))).toEqual(here.rows);
    const ends = (await linesOf(journal)).flatMap((line) =>
      line.kind === 'end' ? [line.key] : [],
    );
    expect(new Set(ends).size).toBe(ends.length);
    for (const { child } of workers) child.kill('SIGKILL');
    if (process.platform !== 'linux') return;
    await until(() => processesWith(mark).length === 0);
  });

  test('who is killed with jobs out collects what was done meanwhile', async () => {
    const { url } = await start();
    const texts = Object.fromEntries([1, 2, 3].map((i) => [`${i}.fw`, `${fenced}// ${i}`]));
    const cwd = await folderWith(texts);
    const args = [binary, 'batch', '.', '--queue', '--journal', 'j'];
    const env = { PATH: process.env.PATH ?? '', FENCEWRIGHT_QUEUE: url, ...testKey };
    const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore' });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    const queue = await openQueue(storeAddress(url), buildName(), 'default');
    onTestFinished(() => queue.close());
    while ((await queue.counts()).waiting < 3)
      await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGKILL');
    await gone;
    const worker = await beginWorker(url);
    while ((await queue.counts()).ended < 3)
      await new Promise((resolve) => setTimeout(resolve, 20));
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(worker.said()).toContain('3 jobs done');
    // No worker is left to repeat the jobs.
    expect(await through(url, ['.', '--journal', 'j'], cwd)).toMatchObject({
      ...{ code: 0, stdout: expect.stringContaining('3 files: 3 robust') as string },
    });
    expect(await queue.known()).toEqual(new Set());
  });
}

/** Returns the message of the command about a store that cannot be used. */
async function sentenceOf(url: string): Promise<string> {
  vi.stubEnv('FENCEWRIGHT_QUEUE', url);
  onTestFinished(() => void vi.unstubAllEnvs());
  try {
    await queueAddress(true);
  } catch (error) {
    expect(error).toBeInstanceOf(NoStore);
    return (error as Error).message;
  }
  throw new Error(`${url} can be used`);
}

const redis = ['redis-server', ['--version'], 'jobs in Redis'] as const;

describeWith(...redis, () => {
  suite(() => startRedis());

  test('a job that ends its process takes nobody with it', async () => {
    const { url } = await startRedis();
    const address = storeAddress(url);
    const counts = { jobs: 0, states: 0, seconds: 0, deaths: 0 };
    const { signal } = new AbortController();
    const lanes = new JobLanes({ script: poisoned, processes: 2, allowed: [], signal, counts });
    const perform = lanes.perform.bind(lanes);
    const wishes = { version: buildName(), name: 'default', concurrency: 2, lock: 2, perform };
    const worker = await startWorker(address, wishes);
    const poison = (kind: string): string => `${fenced}// poison: ${kind}\n`;
    const texts = {
      ...{ 'kill.fw': poison('kill'), 'exit.fw': poison('exit') },
      // Poisons of the job's thread: it never yields, or takes too much memory.
      'spin.fw': `${fenced}// thread poison: spin\n`,
      'wasm.fw': `${fenced}// thread poison: wasm\n`,
      'z.fw': fenced,
    };
    const cwd = await folderWith({ 'a.fw': storeBuffering, ...texts });
    await writeFile(path.join(cwd, 'once.fw'), poison(`once ${path.join(cwd, 'mark')}`));
    const names = ['a.fw', ...Object.keys(texts), 'once.fw'];
    const files = names.map((name) => path.join(cwd, name));
    const queue = { at: url, name: 'default', window: 10 };
    const limits = { json: true, maxMemory: 128, timeout: 10 };
    const more = { queue, settings: { ...settings, values: limits } };
    const results = new Map(await runBatchOn(files, cwd, more, resultsAt));
    // The last result counts, whatever happened before.
    expect(['a.fw', 'z.fw', 'once.fw'].map((name) => results.get(name)?.exitCode)).toEqual([
      ...[10, 0, 0],
    ]);
    expect(results.get('once.fw')?.json.verdict).toBe('robust');
    expect(['spin.fw', 'wasm.fw'].map((name) => results.get(name)?.json.reason)).toEqual([
      ...['time', 'memory'],
    ]);
    for (const [name, why] of [
      ['kill.fw', 'its process was ended by SIGKILL'],
      ['exit.fw', 'its process ended with exit code 3'],
    ] as const) {
      const { exitCode, json } = results.get(name)!;
      expect([exitCode, json.reason]).toEqual([5, 'crashed']);
      expect(json.detail).toBe(`given up after 3 attempts: ${why}`);
    }
    expect(counts).toMatchObject({ jobs: 5, deaths: 7 });
    // Two different results of one text are an error of the tool.
    const fickle = await folderWith({ 'f.fw': poison('fickle') });
    const code = await runBatchOn(
      [path.join(fickle, 'f.fw')],
      fickle,
      { queue, audit: 1 },
      ({ journal }) => finishBatch(sourceOf(journal), { outputs: {}, quiet: true }),
    );
    expect(code).toBe(70);
    await worker.close(5);
    lanes.close();
  });

  test('who is asked to stop does so, also where the store is gone', async () => {
    const { url, end } = await startRedis();
    const cwd = await folderWith({ 'a.fw': fenced });
    const queue = await openQueue(storeAddress(url), buildName(), 'default');
    const beginning = beginWorker(url, ['--grace', '0.1', '--queue-name', 'other']);
    let stop = (_: NodeJS.Signals): void => undefined;
    const env = { FENCEWRIGHT_QUEUE: url, ...testKey };
    const batch = fencewright(['batch', '.', '--queue'], {
      cwd,
      env,
      during: (kill) => (stop = kill),
    });
    while ((await queue.counts()).waiting < 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await queue.close();
    const worker = await beginning;
    await end();
    stop('SIGTERM');
    await until(() => worker.said().includes('does not answer'), worker.child);
    worker.child.kill('SIGTERM');
    expect(await batch).toEqual({
      ...{ code: 5, stdout: '', stderr: 'stopping; the same command goes on from here\n' },
    });
    expect(await worker.ended).toBe(0);
    expect(worker.said()).toContain('0 jobs done');
  });

  test('a result that is not to count any more is not taken from the queue', async () => {
    const { url } = await startRedis();
    const cwd = await folderWith({ 'a.fw': fenced });
    const files = [path.join(cwd, 'a.fw')];
    const queue = await openQueue(storeAddress(url), buildName(), 'default');
    onTestFinished(() => queue.close());
    const wishes = { at: url, name: 'default', window: 10 };
    // Simulates that the collecting process was killed before it removed the job.
    const [{ key } = { key: '' }] = await runBatchOn(
      files,
      cwd,
      {},
      ({ journal }) => journal.files,
    );
    const failed: BatchResult = { exitCode: 70, json: { file: 'job.fw', diagnostics: [] } };
    const journal = new Journal(path.join(cwd, 'journal.jsonl'), 'write', {
      kind: 'sealed',
      sealer: testSealer,
    });
    journal.append({ kind: 'forget', key });
    journal.record(key, failed);
    journal.close();
    const worker = await startWorker(storeAddress(url), {
      ...{ version: buildName(), name: 'default', concurrency: 1, lock: 2 },
      perform: () => Promise.resolve({ kind: 'done', result: { result: failed } }),
    });
    await queue.add([{ ...job, order: { ...job.order, key } }]);
    while ((await queue.counts()).ended < 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await worker.close(5);
    await beginWorker(url);
    const more = { queue: wishes, retry: ['error'] } as const;
    expect((await runBatchOn(files, cwd, more, resultsAt))[0]?.[1]?.exitCode).toBe(0);
  });

  test('a job that is given back waits for who takes it next', async () => {
    const { url } = await startRedis();
    const queue = await openQueue(storeAddress(url), buildName(), 'default');
    onTestFinished(() => queue.close());
    let taken = 0;
    const worker = await startWorker(storeAddress(url), {
      ...{ version: buildName(), name: 'default', concurrency: 1, lock: 2 },
      perform: () =>
        Promise.resolve(taken++ === 0 ? { kind: 'stopped' } : { kind: 'done', result: 'made' }),
    });
    onTestFinished(() => worker.close(1));
    await queue.add([job]);
    while ((await queue.counts()).ended < 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await queue.ended(new Set([key]))).toEqual([{ key, kind: 'done', result: 'made' }]);
    expect(taken).toBe(2);
  });

  test('what the queue has lost is put there again', async () => {
    const { url } = await startRedis();
    const cwd = await folderWith({ 'a.fw': fenced, 'b.fw': storeBuffering });
    const files = ['a.fw', 'b.fw'].map((name) => path.join(cwd, name));
    const address = storeAddress(url);
    const queue = await openQueue(address, buildName(), 'default');
    const wishes = { at: url, name: 'default', window: 10, reconcileEvery: 500 };
    const run = runBatchOn(files, cwd, { queue: wishes }, resultsAt);
    while ((await queue.counts()).waiting < 2)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await queue.remove([...(await queue.known())]);
    await beginWorker(url);
    expect((await run).map(([, result]) => result?.exitCode)).toEqual([0, 10]);
    await queue.close();
  });

  test('a worker that is asked to stop gives its job to another', async () => {
    const { url } = await startRedis();
    const cwd = await folderWith({ 'huge.fw': huge });
    const first = await beginWorker(url, ['--grace', '0.2']);
    const run = through(url, ['huge.fw', '--timeout', '3', '--report', 'jsonl=out'], cwd);
    const queue = await openQueue(storeAddress(url), buildName(), 'default');
    onTestFinished(() => queue.close());
    while ((await queue.counts()).active === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(first.said()).toContain('0 jobs done');
    await beginWorker(url);
    expect(await run).toMatchObject({ code: 5, stderr: '' });
    const [row] = (await lines(path.join(cwd, 'out'))) as [{ reason?: string }];
    expect(row.reason).toBe('time');
  });

  test('who is no job is refused, and those of other versions are left alone', async () => {
    const { url } = await startRedis();
    const queue = await openQueue(storeAddress(url), buildName(), 'default');
    const other = await openQueue(storeAddress(url), '0.0.0', 'default');
    onTestFinished(async () => {
      await queue.close();
      await other.close();
    });
    const bad = { ...job, order: { ...job.order, file: '/etc/passwd' } };
    await queue.add([bad]);
    await other.add([job]);
    await beginWorker(url);
    // A run that waits for a worker of one version is told which versions exist.
    expect(await other.counts()).toMatchObject({ workers: 0, otherVersions: [buildName()] });
    while ((await queue.counts()).ended < 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const [ended] = await queue.ended(new Set([key]));
    expect(ended).toMatchObject({ kind: 'failed', attempts: 1 });
    expect(ended?.kind === 'failed' && ended.why).toContain('refused: not a job: order');
    expect(await other.counts()).toMatchObject({ waiting: 1 });
  });

  test('says in a sentence why a store cannot be used, and no password', async () => {
    const cwd = await folderWith({ 'a.fw': fenced });
    const port = await freePort();
    const locked = await startRedis(['--requirepass', 'hushhush']);
    const dropping = await startRedis(['--maxmemory-policy', 'allkeys-lru']);
    const replica = await startRedis(['--replicaof', '127.0.0.1', String(port)]);
    const withPassword = (url: string, word: string): string => url.replace('//', `//:${word}@`);
    const cases = [
      [`redis://127.0.0.1:${port}`, `redis://127.0.0.1:${port} does not answer (ECONNREFUSED)`],
      [locked.url, 'refuses this user and password'],
      [withPassword(locked.url, 'secretly'), 'refuses this user and password'],
      [dropping.url, 'maxmemory-policy allkeys-lru'],
      [replica.url, 'is a replica'],
      [`postgres://me:secretly@127.0.0.1:${port}/x`, 'does not answer'],
      ['nonsense', 'a queue is at redis://'],
    ] as const;
    for (const [url, words] of cases) {
      const said = await sentenceOf(url);
      expect(said.split('\n'), url).toHaveLength(1);
      expect(said).toContain(words);
      expect(said).not.toContain('secretly');
    }
    const [wrong] = cases[2];
    expect(await through(wrong, ['a.fw'], cwd)).toEqual({
      ...{ code: 64, stdout: '', stderr: `fencewright: ${await sentenceOf(wrong)}\n` },
    });
    const given = withPassword(locked.url, 'hushhush');
    const open = await fencewright(['batch', 'a.fw', '--queue', given], { cwd });
    expect(open).toMatchObject({ code: 64, stdout: '' });
    expect(open.stderr).toContain('a password on the command line');
    expect(open.stderr).not.toContain('hushhush');
    // With the right password everything works, and no output contains the password.
    const worker = await beginWorker(given);
    expect(await through(given, ['a.fw', '--report', 'jsonl=out'], cwd)).toMatchObject({ code: 0 });
    const status = await fencewright(['batch', 'status', '--queue'], {
      ...{ cwd, env: { FENCEWRIGHT_QUEUE: given, ...testKey } },
    });
    expect(status.stdout).toMatch(
      /: 0 waiting, 0 being done, 0 done and not collected, 1 worker$/m,
    );
    const journal = readFileSync(path.join(cwd, '.fencewright/batch/check/journal.jsonl'), 'utf8');
    const written = [journal, readFileSync(path.join(cwd, 'out'), 'utf8'), worker.said()];
    expect(written.join('')).not.toContain('hushhush');
    if (existsSync('/proc/self/cmdline'))
      expect(readFileSync(`/proc/${worker.child.pid}/cmdline`, 'utf8')).not.toContain('hushhush');
  });

  test('a worker serves what it counts', async () => {
    const { url } = await startRedis();
    const cwd = await folderWith({ 'a.fw': fenced });
    const worker = await beginWorker(url, ['--metrics', '0']);
    const [address] = /http:\S+\/metrics/.exec(worker.said()) ?? [];
    await through(url, ['a.fw'], cwd);
    const text = await (await fetch(address!)).text();
    expect(text).toMatch(/^fencewright_worker_jobs_total 1$/m);
    expect(text).toMatch(/^bullmq_job_completed_total/m);
    const health = await fetch(address!.replace('metrics', 'healthz'));
    expect([health.status, await health.text()]).toEqual([200, 'ok\n']);
  });
});

describeWith(`${postgresPrograms ?? ''}/postgres`, ['--version'], 'jobs in PostgreSQL', () =>
  suite(startPostgres),
);
