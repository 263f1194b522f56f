import type { JobOutcome, QueuedJob, WorkerCounts } from '@fencewright/fleet';
import { JobChild, NoJobProcess } from '../batch/job-child.js';
import type { JobOrder } from '../batch/plan-job.js';
import { solverVariable } from '../environment.js';
import type { Sealer } from '../batch/seal.js';
import { sealedResult } from './sealed-result.js';
import { withoutQueue } from './queue-address.js';
import { type Allowed, unsafe } from './unsafe-jobs.js';

/** The settings of a worker that does jobs from a queue. */
export interface Doing {
  /** The script that the worker's processes run. */
  readonly script: URL;
  readonly processes: number;
  readonly allowed: readonly Allowed[];
  /** The signal at whose abort running jobs return to the queue. */
  readonly signal: AbortSignal;
  readonly counts: WorkerCounts;
  /** The sealer that makes seals for the results; absent if machines share no secret. */
  readonly sealer?: Sealer;
}

/** The processes of a worker for jobs from a queue; each does one job at a time. */
export class JobLanes {
  readonly #doing: Doing;
  readonly #free: JobChild[];

  constructor(doing: Doing) {
    this.#doing = doing;
    // A job controls the text given to a program of the machine: without permission, jobs find no
    // programs.
    const own = withoutQueue(process.env);
    const environment = {
      ...own,
      ...(doing.allowed.length === 0 && { PATH: '' }),
      ...(!doing.allowed.includes('z3') && { [solverVariable]: 'wasm' }),
    };
    this.#free = Array.from(
      { length: doing.processes },
      () => new JobChild(doing.script, () => undefined, environment),
    );
  }

  /**
   * Makes a free process do a job; the queue hands over at most as many jobs at a time as there are
   * processes.
   */
  async perform(job: QueuedJob): Promise<JobOutcome> {
    const { allowed, signal, counts } = this.#doing;
    const why = await unsafe(job, allowed);
    if (why !== undefined) return { kind: 'refused', why };
    if (signal.aborted) return { kind: 'stopped' };
    const child = this.#free.pop();
    if (!child) return { kind: 'stopped' };
    const begun = Date.now();
    try {
      await child.prepare(job.settings);
      const end = await child.run(job.order as JobOrder, signal);
      if (signal.aborted) return { kind: 'stopped' };
      if (end.kind === 'died') {
        counts.deaths++;
        return end;
      }
      counts.jobs++;
      counts.states += end.result.json.stats?.states ?? 0;
      return { kind: 'done', result: sealedResult(job, end.result, this.#doing.sealer) };
    } catch (error) {
      if (error instanceof NoJobProcess) return { kind: 'died', why: error.message };
      throw error;
    } finally {
      counts.seconds += (Date.now() - begun) / 1000;
      this.#free.push(child);
    }
  }

  close(): void {
    for (const child of this.#free) child.close();
  }
}
