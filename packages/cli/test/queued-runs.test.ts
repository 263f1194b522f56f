import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { QueuedJobEnd, JobQueue, QueuedJob } from '@fencewright/fleet';
import { expect, onTestFinished, test } from 'vitest';
import { Journal } from '../src/batch/journal.js';
import type { PlannedJob } from '../src/batch/plan-job.js';
import { type QueuedWork, runQueued } from '../src/fleet/run-queued.js';
import { testSealer } from './batch-runs.js';
import { folderWith } from './fencewright.js';
import { fenced } from './programs.js';

const poisoned = new URL('threads/poisoned-jobs.cjs', import.meta.url);
const settings = { verb: 'check', values: { json: true }, ci: false, witnesses: false };
const robust = { exitCode: 0, json: { file: 'job.fw', verdict: 'robust', diagnostics: [] } };

const keyOf = (i: number): string => i.toString(16).padStart(64, '0');

/**
 * A queue in memory that records its calls; some jobs end whenever the queue is asked for results.
 */
class RememberedQueue implements JobQueue {
  readonly jobs = new Map<string, QueuedJob>();
  readonly added: string[] = [];
  most = 0;
  /** Called before jobs are removed. */
  onRemove = (_: readonly string[]): void => undefined;

  constructor(
    private readonly perLook: number,
    private readonly endOf = (key: string): QueuedJobEnd => ({
      key,
      kind: 'done',
      result: { result: robust },
    }),
  ) {}

  add(jobs: readonly QueuedJob[]): Promise<void> {
    for (const one of jobs) {
      this.added.push(one.order.key);
      this.jobs.set(one.order.key, one);
    }
    this.most = Math.max(this.most, this.jobs.size);
    return Promise.resolve();
  }

  ended(wanted: ReadonlySet<string>): Promise<readonly QueuedJobEnd[]> {
    const keys = [...this.jobs.keys()].filter((one) => wanted.has(one)).slice(0, this.perLook);
    return Promise.resolve(keys.map((key) => this.endOf(key)));
  }

  remove(keys: readonly string[]): Promise<void> {
    this.onRemove(keys);
    for (const one of keys) this.jobs.delete(one);
    return Promise.resolve();
  }

  known = () => Promise.resolve(new Set(this.jobs.keys()));
  counts = () =>
    Promise.resolve({
      ...{ waiting: this.jobs.size, active: 0, ended: 0 },
      ...{ workers: 0, otherVersions: [] },
    });
  metrics = () => Promise.resolve('');
  close = () => Promise.resolve();
}

function planned(i: number, more: object = {}): PlannedJob {
  const given = { kind: 'text', text: `${fenced}// ${i}` } as const;
  const [key, file] = [keyOf(i), `${i}.fw`];
  const order = { key, file, format: 'native', given, ...more } as const;
  return { listed: { key, file }, order, reuse: 'any run' };
}

const several = (count: number): readonly PlannedJob[] =>
  Array.from({ length: count }, (_, i) => planned(i));

/** Returns a new journal and its file; the journal is closed at the end of the test. */
async function begunJournal(): Promise<{ readonly journal: Journal; readonly file: string }> {
  const file = path.join(await folderWith({}), 'journal.jsonl');
  const journal = new Journal(file, 'write', { kind: 'sealed', sealer: testSealer });
  onTestFinished(() => journal.close());
  return { journal, file };
}

async function run(
  queue: RememberedQueue,
  jobs: Iterable<PlannedJob> | AsyncIterable<PlannedJob>,
  more: Partial<QueuedWork> = {},
): Promise<Journal> {
  const journal = more.journal ?? (await begunJournal()).journal;
  const { signal } = new AbortController();
  await runQueued(
    {
      ...{ queue, journal, signal, settings, window: 50, retry: [], audit: 0 },
      ...{ script: poisoned, processes: 1, onProgress: () => undefined },
      ...{ remark: () => undefined, ...more },
    },
    Readable.from(jobs),
  );
  return journal;
}

test('there are never more jobs in the queue than the window says', async () => {
  const queue = new RememberedQueue(40);
  const journal = await run(queue, several(1000));
  expect(queue.most).toBe(50);
  expect(queue.added).toHaveLength(1000);
  expect(new Set(queue.added).size).toBe(1000);
  expect(journal.countOf(keyOf(0))).toBe(1);
  expect(queue.jobs.size).toBe(0);
});

test('a job is done twice where results are to be compared', async () => {
  const queue = new RememberedQueue(7);
  const journal = await run(queue, several(20), { audit: 1 });
  expect(queue.added).toHaveLength(40);
  expect(journal.countOf(keyOf(0))).toBe(2);
});

test('what an earlier run has left in the queue is collected and not handed over again', async () => {
  const queue = new RememberedQueue(10);
  queue.jobs.set(keyOf(0), {} as QueuedJob);
  async function* slowly() {
    yield planned(0);
    // Meanwhile the first job has been collected, and no further job was handed over.
    while (queue.jobs.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    yield planned(1);
  }
  const journal = await run(queue, slowly());
  expect(queue.added).toEqual([keyOf(1)]);
  expect([0, 1].map((i) => journal.countOf(keyOf(i)))).toEqual([1, 1]);
});

test('what the queue has lost is handed over again, and nothing else', async () => {
  const queue = new RememberedQueue(10);
  // One of the two jobs is lost, and the run does not end before the job is back.
  const look = queue.ended.bind(queue);
  let isLost = false;
  queue.ended = (wanted) => {
    if (queue.jobs.size < 2) return Promise.resolve([]);
    if (isLost) return look(wanted);
    isLost = queue.jobs.delete(keyOf(1));
    return Promise.resolve([]);
  };
  await run(queue, several(2), { reconcileEvery: 1 });
  expect(queue.added).toEqual([0, 1, 1].map(keyOf));
});

test('jobs that wait to be handed over are not lost ones', async () => {
  const queue = new RememberedQueue(10);
  let early: readonly string[] | undefined;
  async function* slowly() {
    yield planned(0);
    await new Promise((resolve) => setTimeout(resolve, 400));
    early = [...queue.added];
    yield planned(1);
  }
  await run(queue, slowly(), { reconcileEvery: 1 });
  expect(early).toEqual([]);
  expect(queue.added).toEqual([0, 1].map(keyOf));
});

test('a job is taken from the queue when its result is in the journal, and not before', async () => {
  const { journal, file } = await begunJournal();
  const queue = new RememberedQueue(3);
  let removed = 0;
  queue.onRemove = (keys) => {
    const written = readFileSync(file, 'utf8');
    for (const key of keys) expect(written).toContain(`"kind":"end","key":"${key}"`);
    removed += keys.length;
  };
  await run(queue, several(10), { journal });
  expect(removed).toBe(10);
});

test('what is no result, and what no worker has survived, is a crash', async () => {
  const why = 'its process was ended by SIGKILL';
  const ends: readonly QueuedJobEnd[] = [
    { key: keyOf(0), kind: 'done', result: { result: { exitCode: 99, json: { file: 'x' } } } },
    { key: keyOf(1), kind: 'done', result: { result: { exitCode: 0, json: null } } },
    { key: keyOf(2), kind: 'done', result: 'robust' },
    { key: keyOf(3), kind: 'failed', why, attempts: 3 },
    { key: keyOf(4), kind: 'failed', why: 'refused: no', attempts: 1 },
  ];
  const queue = new RememberedQueue(9, (key) => ends.find((end) => end.key === key)!);
  const journal = await run(queue, several(5));
  const results = ends.map(({ key }) => journal.resultOf(key));
  const none = 'a worker returned data that is not a result';
  expect(results.map((result) => [result?.exitCode, result?.json.detail])).toEqual([
    ...[none, none, none, `given up after 3 attempts: ${why}`, 'refused: no'].map((detail) => [
      5,
      detail,
    ]),
  ]);
});

test('a job travels with all that its answer depends on', async () => {
  const queue = new RememberedQueue(0);
  const stop = new AbortController();
  const values = { json: true, maxStates: 7, without: [] };
  const running = run(queue, [planned(0, { copies: { t: 2 } })], {
    ...{ signal: stop.signal, settings: { ...settings, values } },
  });
  while (queue.jobs.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  await running;
  expect(queue.jobs.get(keyOf(0))).toEqual({
    form: 1,
    // An empty list is no result.
    settings: { ...settings, values: { json: true, maxStates: 7 } },
    order: {
      ...{ key: keyOf(0), file: '0.fw', format: 'native', copies: { t: 2 } },
      given: { kind: 'text', text: `${fenced}// 0` },
    },
  });
});
