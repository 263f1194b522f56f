import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobType, Queue } from 'bullmq';
import type { QueuedJob } from './job-schema.js';
import { connect, NoStore, type StoreAddress } from './store.js';

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
/** Seconds for which results stay that nobody collects. */
const week = 7 * 24 * 3600;

const finished: JobType[] = ['completed', 'failed'];
const unfinished: JobType[] = ['waiting', 'active', 'delayed', 'prioritized'];

/** The name of a queue: workers of another version never see its jobs. */
export const queueName = (version: string, name: string): string =>
  `fencewright-${version}-${name}`;

function endedOf(key: string, job: Job): Ended | undefined {
  if (job.failedReason !== undefined && job.failedReason !== '' && job.finishedOn !== undefined)
    return { key, kind: 'failed', why: job.failedReason, attempts: job.attemptsMade };
  return job.finishedOn === undefined
    ? undefined
    : { key, kind: 'done', result: job.returnvalue as unknown };
}

/** Milliseconds for which a store may be away before it is given up, and between two tries. */
const [absence, between] = [120_000, 500];

/** Everything that is asked of the store may be asked twice; so it is, until there is an answer. */
class BullQueue implements JobQueue {
  constructor(
    private readonly queue: Queue,
    private readonly shown: string,
    private readonly disconnect: () => void,
  ) {}

  async #patiently<T>(ask: () => Promise<T>): Promise<T> {
    const begun = Date.now();
    for (;;)
      try {
        return await ask();
      } catch {
        if (Date.now() - begun > absence)
          throw new NoStore(`nobody answers at ${this.shown} any more`);
        await sleep(between);
      }
  }

  async add(jobs: readonly QueuedJob[]): Promise<void> {
    for (let from = 0; from < jobs.length; from += bundle)
      await this.#patiently(() =>
        this.queue.addBulk(
          jobs.slice(from, from + bundle).map((data) => ({
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
    const of = (...names: string[]): number =>
      names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
    return {
      waiting: of('waiting', 'delayed', 'prioritized'),
      active: of('active'),
      ended: of('completed', 'failed'),
      workers: await this.queue.getWorkersCount().catch(() => 0),
    };
  }

  metrics(): Promise<string> {
    return this.queue.exportPrometheusMetrics();
  }

  async close(): Promise<void> {
    await this.queue.close().catch(() => undefined);
    this.disconnect();
  }
}

/** The queue of a version and a name in a store that is there. */
export async function openQueue(
  address: StoreAddress,
  version: string,
  name: string,
): Promise<JobQueue> {
  const { Queue: Jobs } = await import('bullmq');
  const { connection, backend, close } = await connect(address);
  const queue = new Jobs(queueName(version, name), { connection }, ...backend);
  queue.on('error', () => undefined);
  await queue.waitUntilReady();
  return new BullQueue(queue, address.shown, close);
}
