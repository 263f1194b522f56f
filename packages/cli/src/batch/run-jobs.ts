import { exitCodes } from '../exit-codes.js';
import { isAudited } from './audit.js';
import { JobChild, type JobEnd } from './job-child.js';
import { type BatchResult, crashedResult, isFinal, isForWant } from './job-result.js';
import type { JobSettings } from './job-messages.js';
import type { Journal } from './journal.js';
import type { PlannedJob } from './plan-job.js';
import type { ResultCache } from './result-cache.js';
import { isInShard, type Shard } from './shard.js';

/** After so many deaths of processes that did it a job is given up. */
export const mostDeaths = 3;

/** What may be done once more: what is unknown for want of time or memory, what has crashed. */
export const retried = ['unknown', 'quarantined', 'error'] as const;
export type Retried = (typeof retried)[number];

export interface Work {
  readonly journal: Journal;
  readonly settings: JobSettings;
  /** Of the processes. */
  readonly script: URL;
  /** How many there are at the same time. */
  readonly processes: number;
  readonly shard?: Shard;
  readonly cache?: ResultCache;
  readonly retry: readonly Retried[];
  /** The part of the jobs that is done twice, to compare the results. */
  readonly audit: number;
  readonly signal: AbortSignal;
  readonly onProgress: (said: { readonly file: string; readonly states?: number }) => void;
}

/** Whether a result is of those that are asked for once more. */
function isRetried(result: BatchResult, retry: readonly Retried[]): boolean {
  if (result.json.reason === 'crashed') return retry.includes('quarantined');
  return (
    (retry.includes('unknown') && isForWant(result)) ||
    (retry.includes('error') && result.exitCode === exitCodes.internal)
  );
}

/** One run over the jobs of a list: which are to be done, and what becomes of them. */
class JobRun {
  readonly #work: Work;
  readonly #children: readonly JobChild[];
  /** What was begun in this run. */
  readonly #begun = new Set<string>();
  /** What its process has not survived: to be done once more, alone. */
  readonly #again: PlannedJob[] = [];
  /** Something went wrong that is about no job. */
  #hasFailed = false;

  constructor(work: Work) {
    this.#work = work;
    this.#children = Array.from(
      { length: work.processes },
      () =>
        new JobChild(work.script, work.settings, ({ states }) =>
          work.onProgress({ file: '', states }),
        ),
    );
  }

  get #isOver(): boolean {
    return this.#work.signal.aborted || this.#hasFailed;
  }

  /** Whether the job is this run's, which has not seen it; then it is seen. */
  #takes({ order: { key } }: PlannedJob): boolean {
    const { shard } = this.#work;
    if (this.#begun.has(key) || (shard && !isInShard(key, shard))) return false;
    this.#begun.add(key);
    return true;
  }

  /** Whether a job has its result, and another one if that is to be compared. */
  #isDone({ order: { key }, reuse }: PlannedJob): boolean {
    const { journal, audit } = this.#work;
    const count = journal.countOf(key);
    if (count !== 1 || reuse === 'none' || !isAudited(key, audit)) return count > 0;
    return !isFinal(journal.resultOf(key)!);
  }

  /** Forgets what is not to count, and takes over what is known elsewhere. */
  #recall({ order: { key }, reuse }: PlannedJob): void {
    const { journal, retry, cache } = this.#work;
    const known = journal.resultOf(key);
    if (known && (reuse === 'none' || isRetried(known, retry)))
      journal.append({ kind: 'forget', key });
    if (journal.countOf(key) > 0 || reuse !== 'any run') return;
    const kept = cache?.get(key);
    if (kept) journal.append({ kind: 'end', key, result: kept });
  }

  /** Whether a job has ended too many processes; then that is its result. */
  #isGivenUp({ order: { key, file } }: PlannedJob): boolean {
    const { journal } = this.#work;
    const { count, why = 'the run ended while it was being done' } = journal.deathsOf(key);
    if (count < mostDeaths) return false;
    const result = crashedResult(file, `given up after ${count} attempts: ${why}`);
    journal.append({ kind: 'end', key, result });
    return true;
  }

  #record(job: PlannedJob, end: JobEnd): void {
    const { journal, cache, signal } = this.#work;
    const { key } = job.order;
    if (signal.aborted) {
      journal.append({ kind: 'stopped', key });
    } else if (end.kind === 'done') {
      const isFirst = journal.countOf(key) === 0;
      journal.append({ kind: 'end', key, result: end.result });
      if (isFirst && job.reuse === 'any run') cache?.put(key, end.result);
    } else {
      journal.append({ kind: 'died', key, why: end.why });
      if (!this.#isGivenUp(job)) this.#again.push(job);
    }
  }

  /** Does a job as often as it is to be done; what kills its process comes later again. */
  async #do(child: JobChild, job: PlannedJob): Promise<void> {
    const { journal, signal, onProgress } = this.#work;
    const { key } = job.order;
    while (!this.#isOver && !this.#isDone(job)) {
      if (this.#isGivenUp(job)) return;
      await child.prepare();
      onProgress({ file: job.listed.file });
      journal.append({ kind: 'start', key });
      const end = await child.run(job.order, signal);
      this.#record(job, end);
      if (end.kind === 'died') return;
    }
  }

  async #doAll(child: JobChild, jobs: AsyncIterator<PlannedJob>): Promise<void> {
    while (!this.#isOver) {
      const next = await jobs.next();
      if (next.done) return;
      if (!this.#takes(next.value)) continue;
      this.#recall(next.value);
      await this.#do(child, next.value);
    }
  }

  /** Does jobs one at a time. */
  async alone(jobs: AsyncIterable<PlannedJob>): Promise<void> {
    await this.#doAll(this.#children[0]!, jobs[Symbol.asyncIterator]());
  }

  /** Does jobs on all processes; a job is asked for when there is a process for it. */
  async together(jobs: AsyncIterable<PlannedJob>): Promise<void> {
    // An asynchronous generator answers in turn.
    const source = jobs[Symbol.asyncIterator]();
    const lane = async (child: JobChild): Promise<void> => {
      try {
        await this.#doAll(child, source);
      } catch (error) {
        this.#hasFailed = true;
        throw error;
      }
    };
    const ends = await Promise.allSettled(this.#children.map(lane));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Does what its process has not survived, one at a time, until it is done or given up. */
  async again(): Promise<void> {
    for (let job = this.#again.shift(); job; job = this.#again.shift())
      await this.#do(this.#children[0]!, job);
  }

  close(): void {
    for (const child of this.#children) child.close();
  }
}

/**
 * Does the jobs that the journal has no result of, `suspects` first and one at a time: those that
 * an earlier run has begun and not ended. Everything that happens is in the journal.
 */
export async function runJobs(
  work: Work,
  suspects: AsyncIterable<PlannedJob>,
  jobs: AsyncIterable<PlannedJob>,
): Promise<void> {
  const run = new JobRun(work);
  try {
    await run.alone(suspects);
    await run.together(jobs);
    await run.again();
  } finally {
    run.close();
  }
}
