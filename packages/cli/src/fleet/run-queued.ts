import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueuedJobEnd, JobQueue, QueueCounts, QueuedJob } from '@fencewright/fleet';
import { countOf, enumerate, printableLine } from '@fencewright/core';
import { JobLedger } from '../batch/job-ledger.js';
import { type BatchResult, crashedResult } from '../batch/job-result.js';
import type { PlannedJob } from '../batch/plan-job.js';
import type { Sealer } from '../batch/seal.js';
import { keyVariable } from '../batch/secrets.js';
import { soundResult } from '../batch/sound-result.js';
import { jobText, type SealedResult } from './sealed-result.js';
import { runJobs, type Work } from '../batch/run-jobs.js';
import { exitCodes } from '../exit-codes.js';
import { buildName } from '../build-name.js';
import { needsCompiler } from '../formats.js';

/** The jobs of a batch that workers do through a queue, with options. */
export interface QueuedWork extends Work {
  readonly queue: JobQueue;
  /** The maximum number of jobs in the queue at a time. */
  readonly window: number;
  /**
   * The sealer that checks the seals of workers' results; if absent, all results from workers are
   * trusted.
   */
  readonly workers?: Sealer;
  /** Prints a line about the run for the user. */
  readonly remark: (line: string) => void;
  /**
   * The number of milliseconds between two checks whether the queue has lost jobs, which are then
   * added again.
   */
  readonly reconcileEvery?: number;
}

/** The number of jobs that one request adds to the queue. */
const bundle = 200;
/** The number of milliseconds between two requests for ended jobs. */
const lookEvery = 100;
/**
 * The number of seconds in which no worker takes a job, after which the user is told the likely
 * reason.
 */
const remarkAfter = 30;

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Returns a job in the form for the queue; `undefined` if the job needs files of this machine. */
function travelling({ order }: PlannedJob, settings: Work['settings']): QueuedJob | undefined {
  const { values, ...rest } = settings;
  // An option with an empty list is left out, as it has no effect.
  const nonEmpty = Object.entries(values).filter(([, value]) => !isEmptyList(value));
  const common = { form: 1, settings: { ...rest, values: Object.fromEntries(nonEmpty) } } as const;
  if ('random' in order) return { ...common, order: { ...order, random: { ...order.random } } };
  const { key, file, format, given, copies } = order;
  if (given.kind !== 'text' || format === undefined || needsCompiler(format)) return undefined;
  const { text } = given;
  return {
    ...common,
    order: { key, file, format, given: { kind: 'text', text }, ...(copies && { copies }) },
  };
}

/** Returns the message that no worker takes the waiting jobs, with the likely reason. */
export function whyNobody(
  { workers, otherVersions }: Pick<QueueCounts, 'workers' | 'otherVersions'>,
  seconds: number,
): string {
  const head = `no job was taken for ${seconds} s: `;
  if (workers > 0) return `${head}workers of ${buildName()} are connected, but take no jobs`;
  const others =
    otherVersions.length === 0 ? '' : `; there are workers of ${enumerate(otherVersions)} only`;
  return `${head}the jobs wait for a worker of ${buildName()}${others}`;
}

/**
 * A result of a job that a worker sent, and whether the worker has sealed it with the shared
 * secret.
 */
interface Heard {
  readonly result: BatchResult;
  readonly isSealed: boolean;
}

/**
 * Returns the result in a worker's answer to a job, or a result that tells why the answer is
 * refused.
 */
function heardFrom(ended: QueuedJobEnd, job: QueuedJob, sealer: Sealer | undefined): Heard {
  const { file } = job.order;
  if (ended.kind === 'failed') {
    const how = ended.attempts > 1 ? `given up after ${countOf(ended.attempts, 'attempt')}: ` : '';
    return { result: crashedResult(file, printableLine(how + ended.why)), isSealed: false };
  }
  const { result: said, seal } = (ended.result ?? {}) as Partial<SealedResult>;
  const isSealed = sealer?.knows('queue', jobText(job), said, seal) ?? false;
  const result = soundResult(said);
  if (!result)
    return { result: crashedResult(file, 'a worker returned data that is not a result'), isSealed };
  // Anyone with access to the queue could write such a result.
  if (!isSealed && result.exitCode === exitCodes.internal)
    return { result: crashedResult(file, 'a worker reported a failure'), isSealed };
  // The file of the job is known on this machine.
  return { result: { ...result, json: { ...result.json, file } }, isSealed };
}

/** A run through a list of jobs that workers do. */
class QueuedRun {
  readonly #work: QueuedWork;
  readonly #ledger: JobLedger;
  /** The jobs that have no result and should be in the queue, by key. */
  readonly #pending = new Map<string, PlannedJob>();
  /** The jobs that the next request will add to the queue. */
  #bundle: PlannedJob[] = [];
  /** The jobs in need of files of this machine; this machine does the jobs at the end. */
  readonly here: PlannedJob[] = [];
  /** The number of jobs whose results were not trusted. */
  doubted = 0;
  #isListed = false;
  #hasFailed = false;
  #lastTaken = performance.now();

  constructor(work: QueuedWork) {
    this.#work = work;
    this.#ledger = new JobLedger(work);
  }

  get #isOver(): boolean {
    return this.#work.signal.aborted || this.#hasFailed;
  }

  async #handOver(jobs: readonly PlannedJob[]): Promise<void> {
    const { queue, settings } = this.#work;
    await queue.add(jobs.flatMap((job) => travelling(job, settings) ?? []));
  }

  async #flush(): Promise<void> {
    // Results left by an earlier run may have been collected meanwhile.
    const jobs = this.#bundle.filter(({ order }) => this.#pending.has(order.key));
    this.#bundle = [];
    if (jobs.length > 0) await this.#handOver(jobs);
  }

  async #feed(jobs: AsyncIterable<PlannedJob>): Promise<void> {
    const { window, settings, signal } = this.#work;
    for await (const job of jobs) {
      if (this.#isOver) return;
      if (!this.#ledger.takes(job)) continue;
      const wasDone = this.#work.journal.countOf(job.order.key) > 0;
      this.#ledger.recall(job);
      if (this.#ledger.isDone(job)) continue;
      if (!travelling(job, settings)) {
        this.here.push(job);
        continue;
      }
      // A killed run may have left an invalid result in the queue.
      if (wasDone) await this.#work.queue.remove([job.order.key]);
      while (this.#pending.size >= window && !this.#isOver) {
        await this.#flush();
        await sleep(lookEvery, undefined, { signal }).catch(() => undefined);
      }
      this.#pending.set(job.order.key, job);
      this.#bundle.push(job);
      if (this.#bundle.length >= bundle) await this.#flush();
    }
    await this.#flush();
    this.#isListed = true;
  }

  /** Records the results of ended jobs; returns the number of ended jobs. */
  async #collect(): Promise<number> {
    const { queue, journal, onProgress, settings, workers } = this.#work;
    const ended = await queue.ended(new Set(this.#pending.keys()));
    if (ended.length === 0) return 0;
    const again: PlannedJob[] = [];
    for (const one of ended) {
      const job = this.#pending.get(one.key)!;
      this.#pending.delete(one.key);
      const { result, isSealed } = heardFrom(one, travelling(job, settings)!, workers);
      if (workers && one.kind === 'done' && !isSealed) {
        this.doubted++;
        this.here.push(job);
        continue;
      }
      this.#ledger.record(job, result, isSealed ? undefined : 'worker');
      if (!this.#ledger.isDone(job)) again.push(job);
      onProgress({ file: job.listed.file });
    }
    // Only results on the disk may be removed from the queue.
    journal.sync();
    await queue.remove(ended.map(({ key }) => key));
    for (const job of again) this.#pending.set(job.order.key, job);
    await this.#handOver(again);
    return ended.length;
  }

  /** Adds those pending jobs to the queue again that the queue has lost. */
  async #reconcile(): Promise<void> {
    const { queue, remark } = this.#work;
    const unsent = new Set(this.#bundle);
    const known = await queue.known();
    const lost = [...this.#pending.values()].filter(
      (job) => !known.has(job.order.key) && !unsent.has(job),
    );
    await this.#handOver(lost);
    const counts = await queue.counts();
    const seconds = Math.round((performance.now() - this.#lastTaken) / 1000);
    if (counts.active > 0) this.#lastTaken = performance.now();
    else if (counts.waiting > 0 && seconds >= remarkAfter) remark(whyNobody(counts, seconds));
  }

  async #watch(): Promise<void> {
    const { reconcileEvery = 30_000, signal } = this.#work;
    // A monotonic clock, as the machine's clock may be set meanwhile.
    let reconciled = performance.now();
    while (!this.#isOver && !(this.#isListed && this.#pending.size === 0)) {
      if ((await this.#collect()) > 0) this.#lastTaken = performance.now();
      else await sleep(lookEvery, undefined, { signal }).catch(() => undefined);
      if (performance.now() - reconciled < reconcileEvery) continue;
      await this.#reconcile();
      reconciled = performance.now();
    }
  }

  async run(jobs: AsyncIterable<PlannedJob>): Promise<void> {
    const guarded = async (work: Promise<void>): Promise<void> => {
      try {
        await work;
      } catch (error) {
        // A stopped run waits for no more answers.
        if (this.#work.signal.aborted) return;
        this.#hasFailed = true;
        throw error;
      }
    };
    const ends = await Promise.allSettled([guarded(this.#feed(jobs)), guarded(this.#watch())]);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

/**
 * Puts the jobs without a result in the journal into a queue for workers, and records the results.
 * Jobs that need files of this machine are done here at the end. If the run is stopped, its jobs
 * stay in the queue; the next run collects the results.
 */
export async function runQueued(work: QueuedWork, jobs: AsyncIterable<PlannedJob>): Promise<void> {
  const run = new QueuedRun(work);
  if (!work.workers)
    work.remark(`results of workers are trusted without a seal: ${keyVariable} is not set`);
  await run.run(jobs);
  if (run.doubted > 0)
    work.remark(
      `${countOf(run.doubted, 'job')} came back without a seal by ${keyVariable}: the results are not trusted, and the jobs are done here`,
    );
  if (run.here.length > 0) await runJobs(work, Readable.from([]), Readable.from(run.here));
}
