import { countOf } from '@fencewright/core';
import { JobChild, type JobEnd } from './job-child.js';
import { JobLedger, type LedgerWishes } from './job-ledger.js';
import type { JobSettings } from './job-messages.js';
import { crashedResult } from './job-result.js';
import type { PlannedJob } from './plan-job.js';

/** The number of processes that a job may kill; a job that kills so many is given up. */
const mostDeaths = 3;

export interface Work extends LedgerWishes {
  readonly settings: JobSettings;
  /** The script that the processes for jobs run. */
  readonly script: URL;
  /** The number of processes that do jobs in parallel. */
  readonly processes: number;
  readonly signal: AbortSignal;
  readonly onProgress: (said: { readonly file: string; readonly states?: number }) => void;
}

/** A run through a list of jobs: decides which jobs to do, and records the results. */
class JobRun {
  readonly #work: Work;
  readonly #children: readonly JobChild[];
  readonly #ledger: JobLedger;
  /** The jobs whose process died. Each is tried again alone, while no other job runs. */
  readonly #again: PlannedJob[] = [];
  /** Whether the run has failed by an error that no job has caused. */
  #hasFailed = false;

  constructor(work: Work) {
    this.#work = work;
    this.#ledger = new JobLedger(work);
    this.#children = Array.from(
      { length: work.processes },
      () => new JobChild(work.script, ({ states }) => work.onProgress({ file: '', states })),
    );
  }

  get #isOver(): boolean {
    return this.#work.signal.aborted || this.#hasFailed;
  }

  /**
   * Whether a job is given up because too many processes died during the job. If so, the failure is
   * recorded as its result.
   */
  #isGivenUp({ order: { key, file } }: PlannedJob): boolean {
    const { journal } = this.#work;
    const { count, why = 'the run ended while the job was being done' } = journal.deathsOf(key);
    if (count < mostDeaths) return false;
    const result = crashedResult(file, `given up after ${countOf(count, 'attempt')}: ${why}`);
    journal.record(key, result);
    return true;
  }

  #record(job: PlannedJob, end: JobEnd): void {
    const { journal, signal } = this.#work;
    const { key } = job.order;
    if (signal.aborted) {
      journal.append({ kind: 'stopped', key });
    } else if (end.kind === 'done') {
      this.#ledger.record(job, end.result);
    } else {
      journal.append({ kind: 'died', key, why: end.why });
      if (!this.#isGivenUp(job)) this.#again.push(job);
    }
  }

  /**
   * Makes a process do a job, twice if required. A job that kills the process is tried again later.
   */
  async #do(child: JobChild, job: PlannedJob): Promise<void> {
    const { journal, signal, onProgress } = this.#work;
    const { key } = job.order;
    while (!this.#isOver && !this.#ledger.isDone(job)) {
      if (this.#isGivenUp(job)) return;
      await child.prepare(this.#work.settings);
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
      if (!this.#ledger.takes(next.value)) continue;
      this.#ledger.recall(next.value);
      await this.#do(child, next.value);
    }
  }

  /** Does the jobs on one process, in sequence. */
  async alone(jobs: AsyncIterable<PlannedJob>): Promise<void> {
    await this.#doAll(this.#children[0]!, jobs[Symbol.asyncIterator]());
  }

  /** Does jobs on all processes at once; the next job is read when a process is free. */
  async together(jobs: AsyncIterable<PlannedJob>): Promise<void> {
    // An asynchronous generator answers requests in order.
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

  /**
   * Tries jobs that killed their process again, in sequence, until each job is done or given up.
   */
  async again(): Promise<void> {
    for (let job = this.#again.shift(); job; job = this.#again.shift())
      await this.#do(this.#children[0]!, job);
  }

  close(): void {
    for (const child of this.#children) child.close();
  }
}

/**
 * Does the jobs that have no result in the journal. The jobs in `suspects`, begun but not ended by
 * an earlier run, come first, one at a time. The journal records every start and end.
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
