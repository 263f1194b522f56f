import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobType, Queue } from 'bullmq';
import type { QueuedJob } from './job-schema.js';
import { connect, inTime, NoStore, type StoreAddress } from './store.js';

/** What became of a job that travelled; `result` is whatever the worker made of it. */
export type Ended =
  | { readonly key: string; readonly kind: 'done'; readonly result: unknown }
  /** No worker will try it again. */
  | {
      readonly key: string;
      readonly kind: 'failed';
      readonly why: string;
      readonly attempts: number;
    };

/** How many jobs are in a queue, and how many workers look after it. */
export interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  readonly ended: number;
  readonly workers: number;
  /** The versions of workers that look after the jobs of other versions. */
  readonly otherVersions: readonly string[];
}

/** Jobs that wait for workers, as who gives them out sees it. */
export interface JobQueue {
  /** A key that is there already is left as it is. */
  readonly add: (jobs: readonly QueuedJob[]) => Promise<void>;
  /** Some of those that have ended. */
  readonly ended: (wanted: ReadonlySet<string>) => Promise<readonly Ended[]>;
  readonly remove: (keys: readonly string[]) => Promise<void>;
  /** All keys that the queue knows, however far they are. */
  readonly known: () => Promise<ReadonlySet<string>>;
  readonly counts: () => Promise<QueueCounts>;
  /** In the text form of Prometheus. */
  readonly metrics: () => Promise<string>;
  readonly close: () => Promise<void>;
}

/** After so many deaths of processes that did it a job is given up. */
export const attempts = 3;
/** Milliseconds before the second of them; then twice as many. */
const backOff = 500;
/** Jobs that are handed over, or asked for, at once. */
const bundle = 200;
/** Characters of the texts of jobs that are handed over at once, if it is more than one job. */
const bundleText = 4 * 1024 * 1024;
/** Seconds for which results stay that nobody collects. */
const week = 7 * 24 * 3600;

const finished: JobType[] = ['completed', 'failed'];
const unfinished: JobType[] = ['waiting', 'active', 'delayed', 'prioritized'];

/** The name of a queue: workers of another version never see its jobs. */
export const queueName = (version: string, name: string): string =>
  `fencewright-${name}@${version}`;

/** The version whose jobs a client of a store looks after, if it is a worker of this name. */
function versionOf(client: string, name: string): string | undefined {
  const [, coded, plain] = /^(?:bull:([^:]+)|([^:]+)):w/.exec(client) ?? [];
  const queue = coded === undefined ? plain : Buffer.from(coded, 'base64').toString();
  const prefix = queueName('', name);
  return queue?.startsWith(prefix) ? queue.slice(prefix.length) : undefined;
}

/** A job that was done keeps the reasons why earlier attempts were not. */
function endedOf(key: string, job: Job): Ended | undefined {
  if (job.finishedOn === undefined) return undefined;
  const result = job.returnvalue as unknown;
  return result === null || result === undefined
    ? { key, kind: 'failed', why: job.failedReason ?? '', attempts: job.attemptsMade }
    : { key, kind: 'done', result };
}

/** Jobs, some at a time: neither too many nor too large. */
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

/** Milliseconds for which a store may be away before that is told, before it is given up. */
const [short, absence] = [5000, 120_000];
/** Milliseconds between two tries. */
const between = 500;
/** Milliseconds that an answer may take: clients wait for ever for a store that is away. */
const answerIn = 15_000;
/** Milliseconds that saying good-bye may take. */
const closeIn = 1000;

/** What the user of a queue wishes besides. */
export interface QueueWishes {
  /** Nobody waits for answers any more. */
  readonly signal?: AbortSignal;
  /** The store does not answer; it is asked again for so many seconds. */
  readonly onAway?: (seconds: number) => void;
}

/** Everything that is asked of the store may be asked twice; so it is, until there is an answer. */
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
          throw new NoStore(`nobody answers at ${this.shown} any more`);
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

  async ended(wanted: ReadonlySet<string>): Promise<readonly Ended[]> {
    const all = await this.#patiently(() => this.queue.getRanges(finished, 0, -1));
    const keys = all.filter((key) => wanted.has(key));
    const found: Ended[] = [];
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

  /** The version of each worker; none where the store does not tell. */
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

/** The queue of a version and a name in a store that is there. */
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
    throw new NoStore(`nobody answers at ${address.shown} any more`);
  }
  return new BullQueue(queue, address.shown, version, name, close, wishes);
}
