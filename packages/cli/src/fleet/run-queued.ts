import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ended, JobQueue, QueueCounts, QueuedJob } from '@fencewright/fleet';
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

/** The options of a batch through a queue. */
export interface QueuedWork extends Work {
  readonly queue: JobQueue;
  /** Maximal number of jobs in the queue at a time. */
  readonly window: number;
  /** Checks the seals of workers; if absent, all results of workers are trusted. */
  readonly workers?: Sealer;
  /** Prints a line for the user. */
  readonly remark: (line: string) => void;
  /** Milliseconds after which jobs lost by the queue are put into the queue again. */
  readonly reconcileEvery?: number;
}

/** Number of jobs handed over at once. */
const bundle = 200;
/** Milliseconds between looks at the queue. */
const lookEvery = 100;
/** Seconds without a taken job after which the user is told the reason. */
const remarkAfter = 30;

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/**
 * Returns the job in the form for the queue; `undefined` if the job must run on the machine with
 * the files.
 */
function travelling({ order }: PlannedJob, settings: Work['settings']): QueuedJob | undefined {
  const { values, ...rest } = settings;
  // An empty list says nothing.
  const said = Object.entries(values).filter(([, value]) => !isEmptyList(value));
  const common = { form: 1, settings: { ...rest, values: Object.fromEntries(said) } } as const;
  if ('random' in order) return { ...common, order: { ...order, random: { ...order.random } } };
  const { key, file, format, given, copies } = order;
  if (given.kind !== 'text' || format === undefined || needsCompiler(format)) return undefined;
  const { text } = given;
  return {
    ...common,
    order: { key, file, format, given: { kind: 'text', text }, ...(copies && { copies }) },
  };
}

/** Returns the message for waiting jobs that no worker takes. */
export function whyNobody(
  { workers, otherVersions }: Pick<QueueCounts, 'workers' | 'otherVersions'>,
  seconds: number,
): string {
  const head = `no job was taken for ${seconds} s: `;
  if (workers > 0) return `${head}there are workers of ${buildName()}, which take none`;
  const others =
    otherVersions.length === 0 ? '' : `; there are workers of ${enumerate(otherVersions)} only`;
  return `${head}the jobs wait for a worker of ${buildName()}${others}`;
}

/** A result of a job from elsewhere, and whether a trusted worker sealed the result. */
interface Heard {
  readonly result: BatchResult;
  readonly isSealed: boolean;
}

/** Reads a worker's answer to a job, if the answer has the shape of a result of the job. */
function heardFrom(ended: Ended, job: QueuedJob, sealer: Sealer | undefined): Heard {
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
    return { result: crashedResult(file, 'a worker says that it has failed'), isSealed };
  // The file of the job is known on this machine.
  return { result: { ...result, json: { ...result.json, file } }, isSealed };
}

/** A run over the jobs of a list, done by workers. */
class QueuedRun {
  readonly #work: QueuedWork;
  readonly #ledger: JobLedger;
  /** Jobs believed to be in the queue. */
  readonly #pending = new Map<string, PlannedJob>();
  /** Jobs to be handed over. */
  #bundle: PlannedJob[] = [];
  /** Jobs to be done on this machine. */
  readonly here: PlannedJob[] = [];
  /** Number of jobs with untrusted results. */
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

  /** Records the jobs that have ended; returns their number. */
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

  /**
   * Puts pending jobs unknown to the queue into the queue again: the list of the run is
   * authoritative.
   */
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
 * Lets workers do the jobs without a result in the journal, and records the results. Jobs that need
 * files of this machine are done on this machine at the end. Jobs in the queue of a stopped run
 * stay in the queue; the next run collects the results.
 */
export async function runQueued(work: QueuedWork, jobs: AsyncIterable<PlannedJob>): Promise<void> {
  const run = new QueuedRun(work);
  if (!work.workers)
    work.remark(
      `results of workers are believed without proof of their origin: ${keyVariable} is not set, so results have no seal`,
    );
  await run.run(jobs);
  if (run.doubted > 0)
    work.remark(
      `${countOf(run.doubted, 'job')} came back without a seal by ${keyVariable}: not believed, and done here`,
    );
  if (run.here.length > 0) await runJobs(work, Readable.from([]), Readable.from(run.here));
}
