import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobType, Queue } from 'bullmq';
import type { QueuedJob } from './job-schema.js';
import { connect, inTime, NoStore, type StoreAddress } from './store.js';

/** The end of a queued job; `result` is the worker's unchecked output. */
export type QueuedJobEnd =
  | { readonly key: string; readonly kind: 'done'; readonly result: unknown }
  /** The job has failed in all attempts, and no worker will try it again. */
  | {
      readonly key: string;
      readonly kind: 'failed';
      readonly why: string;
      readonly attempts: number;
    };

/** The numbers of jobs in a queue, and of the workers that take jobs from the queue. */
export interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  readonly ended: number;
  readonly workers: number;
  /** The versions of the workers that take no jobs of this version. */
  readonly otherVersions: readonly string[];
}

/** A queue of jobs, as used by the machine that adds jobs to the queue. */
export interface JobQueue {
  /** Adds jobs; a job with a known key is left unchanged. */
  readonly add: (jobs: readonly QueuedJob[]) => Promise<void>;
  /** Returns the ends of those wanted jobs that have ended; not necessarily of all at once. */
  readonly ended: (wanted: ReadonlySet<string>) => Promise<readonly QueuedJobEnd[]>;
  readonly remove: (keys: readonly string[]) => Promise<void>;
  /** Returns the keys of all jobs known to the queue, in any state. */
  readonly known: () => Promise<ReadonlySet<string>>;
  readonly counts: () => Promise<QueueCounts>;
  /** Returns the metrics of the queue in the text form of Prometheus. */
  readonly metrics: () => Promise<string>;
  readonly close: () => Promise<void>;
}

/** The number of dead processes after which a job is given up. */
export const attempts = 3;
/**
 * The number of milliseconds between the first and the second attempt at a job; doubled for each
 * further attempt.
 */
const backOff = 500;
/** The number of jobs that one message adds to the queue or takes from it. */
const bundle = 200;
/**
 * The maximum number of characters of the texts of jobs handed over at once; a single job may have
 * more.
 */
const bundleText = 4 * 1024 * 1024;
/** The number of seconds after which uncollected results are removed. */
const week = 7 * 24 * 3600;

const finished: JobType[] = ['completed', 'failed'];
const unfinished: JobType[] = ['waiting', 'active', 'delayed', 'prioritized'];

/**
 * Returns the name of a queue, which contains the version: workers of another version never take
 * the jobs.
 */
export const queueName = (version: string, name: string): string =>
  `fencewright-${name}@${version}`;

/**
 * Returns the version of a worker with a given queue name, from the client name in the store;
 * `undefined` for other clients.
 */
function versionOf(client: string, name: string): string | undefined {
  const [, coded, plain] = /^(?:bull:([^:]+)|([^:]+)):w/.exec(client) ?? [];
  const queue = coded === undefined ? plain : Buffer.from(coded, 'base64').toString();
  const prefix = queueName('', name);
  return queue?.startsWith(prefix) ? queue.slice(prefix.length) : undefined;
}

/**
 * Returns the end of a job; `undefined` if the job has not ended. A job with a result may also keep
 * the failure reasons of earlier attempts.
 */
function endedOf(key: string, job: Job): QueuedJobEnd | undefined {
  if (job.finishedOn === undefined) return undefined;
  const result = job.returnvalue as unknown;
  return result === null || result === undefined
    ? { key, kind: 'failed', why: job.failedReason ?? '', attempts: job.attemptsMade }
    : { key, kind: 'done', result };
}

/** Yields jobs in bundles, limited in number and size. */
function* bundlesOf(jobs: readonly QueuedJob[]): Generator<readonly QueuedJob[]> {
  let some: QueuedJob[] = [];
  let characters = 0;
  for (const job of jobs) {
    const length = 'given' in job.order ? job.order.given.text.length : 0;
    if (some.length === bundle || (some.length > 0 && characters + length > bundleText)) {
      yield some;
      some = [];
      characters = 0;
    }
    some.push(job);
    characters += length;
  }
  if (some.length > 0) yield some;
}

/**
 * The numbers of milliseconds for which a store is absent before a report, and before giving up.
 */
const [short, absence] = [5000, 120_000];
/** The number of milliseconds between two attempts to reach the store. */
const between = 500;
/**
 * The maximum number of milliseconds to wait for a store's answer: the clients by themselves wait
 * for ever.
 */
const answerIn = 15_000;
/** The maximum number of milliseconds to close a connection. */
const closeIn = 1000;

/** The options of the program that uses a queue. */
export interface QueueWishes {
  /** A signal that aborts when the program that uses the queue needs no more answers. */
  readonly signal?: AbortSignal;
  /** Called while the store does not answer; attempts go on for `seconds` more seconds. */
  readonly onAway?: (seconds: number) => void;
}

/**
 * A queue in a store. Every request to the store can be repeated without harm, and is repeated
 * until answered.
 */
class BullQueue implements JobQueue {
  constructor(
    private readonly queue: Queue,
    private readonly shown: string,
    private readonly version: string,
    private readonly name: string,
    private readonly disconnect: () => void,
    private readonly wishes: QueueWishes,
  ) {}

  async #patiently<T>(ask: () => Promise<T>): Promise<T> {
    const { signal, onAway } = this.wishes;
    const begun = performance.now();
    for (let isTold = false; ;)
      try {
        return await inTime(ask(), answerIn, signal);
      } catch {
        const since = performance.now() - begun;
        if (since > absence || signal?.aborted)
          throw new NoStore(`${this.shown} no longer answers`);
        if (!isTold && since > short) onAway?.(absence / 1000);
        isTold ||= since > short;
        await sleep(between, undefined, signal && { signal }).catch(() => undefined);
      }
  }

  async add(jobs: readonly QueuedJob[]): Promise<void> {
    for (const some of bundlesOf(jobs))
      await this.#patiently(() =>
        this.queue.addBulk(
          some.map((data) => ({
            name: 'job',
            data,
            opts: {
              ...{ jobId: data.order.key, attempts },
              backoff: { type: 'exponential', delay: backOff },
              ...{ removeOnComplete: { age: week }, removeOnFail: { age: week } },
            },
          })),
        ),
      );
  }

  async ended(wanted: ReadonlySet<string>): Promise<readonly QueuedJobEnd[]> {
    const all = await this.#patiently(() => this.queue.getRanges(finished, 0, -1));
    const keys = all.filter((key) => wanted.has(key));
    const found: QueuedJobEnd[] = [];
    for (const key of keys.slice(0, bundle)) {
      const job = (await this.#patiently(() => this.queue.getJob(key))) as Job | undefined;
      const ended = job && endedOf(key, job);
      if (ended) found.push(ended);
    }
    return found;
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#patiently(() => this.queue.remove(key));
  }

  async known(): Promise<ReadonlySet<string>> {
    const all = [...unfinished, ...finished];
    return new Set(await this.#patiently(() => this.queue.getRanges(all, 0, -1)));
  }

  async counts(): Promise<QueueCounts> {
    const all = [...unfinished, ...finished];
    const counts = await this.#patiently(() => this.queue.getJobCounts(...all));
    const versions = await this.#versionsOfWorkers();
    const of = (...names: string[]): number =>
      names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
    return {
      waiting: of('waiting', 'delayed', 'prioritized'),
      active: of('active'),
      ended: of('completed', 'failed'),
      workers: versions.filter((one) => one === this.version).length,
      otherVersions: [...new Set(versions.filter((one) => one !== this.version))].sort(),
    };
  }

  /** Returns the version of each worker; none if the store does not list clients. */
  async #versionsOfWorkers(): Promise<readonly string[]> {
    const lists = await inTime(this.queue.backend.getClientList(), answerIn).catch(() => []);
    const names = lists.flatMap((list) => [...list.matchAll(/(?:^|\s)name=(\S+)/gm)]);
    return names.flatMap(([, client]) => versionOf(client!, this.name) ?? []);
  }

  metrics(): Promise<string> {
    return this.queue.exportPrometheusMetrics();
  }

  async close(): Promise<void> {
    await inTime(this.queue.close(), closeIn).catch(() => undefined);
    this.disconnect();
  }
}

/** Opens the queue of a version and a name in an available store. */
export async function openQueue(
  address: StoreAddress,
  version: string,
  name: string,
  wishes: QueueWishes = {},
): Promise<JobQueue> {
  const { Queue: Jobs } = await import('bullmq');
  const { connection, backend, close } = await connect(address);
  const queue = new Jobs(queueName(version, name), { connection }, ...backend);
  queue.on('error', () => undefined);
  try {
    await inTime(queue.waitUntilReady(), answerIn, wishes.signal);
  } catch {
    close();
    throw new NoStore(`${address.shown} no longer answers`);
  }
  return new BullQueue(queue, address.shown, version, name, close, wishes);
}
