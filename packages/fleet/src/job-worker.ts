import type { Job } from 'bullmq';
import { queueName } from './job-queue.js';
import { type QueuedJob, readJob } from './job-schema.js';
import { connect, inTime, NoStore, type StoreAddress } from './store.js';

/** The outcome of a job given to a worker. */
export type JobOutcome =
  | { readonly kind: 'done'; readonly result: unknown }
  /** The process of the job died; the job is tried again. */
  | { readonly kind: 'died'; readonly why: string }
  /** The worker refuses the job, for the given reason. */
  | { readonly kind: 'refused'; readonly why: string }
  /** The worker was asked to stop: another worker may take the job. */
  | { readonly kind: 'stopped' };

export interface WorkerWishes {
  readonly version: string;
  readonly name: string;
  /** The maximum number of jobs that the worker does in parallel. */
  readonly concurrency: number;
  /**
   * The number of seconds without a sign of life from a worker after which the worker's jobs go to
   * another worker.
   */
  readonly lock: number;
  readonly perform: (job: QueuedJob) => Promise<JobOutcome>;
  /** Called when the store stops answering, or answers again. */
  readonly onStore?: (is: 'away' | 'there') => void;
}

export interface JobWorker {
  /**
   * Stops the worker: no new jobs are taken, and the running jobs are awaited for at most `within`
   * seconds, as the store may not answer.
   */
  readonly close: (within: number) => Promise<void>;
}

/**
 * The maximum number of workers that may die during one job before the job counts as failed; a job
 * is seldom to blame for the first deaths.
 */
const mostStalls = 20;

/**
 * The number of milliseconds within which a store, already found to answer, has to be ready for a
 * worker.
 */
const readyIn = 15_000;

/** Whether an error concerns the connection to the store, not the request. */
function isAboutConnection(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return /ECONN|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EPIPE|\b57P0|\b08\d{3}\b/.test(`${code} ${message}`);
}

/** Starts to do the jobs of a queue. */
export async function startWorker(address: StoreAddress, wishes: WorkerWishes): Promise<JobWorker> {
  const { UnrecoverableError, WaitingError, Worker: Jobs } = await import('bullmq');
  const { connection, backend, close } = await connect(address);
  const { version, name, concurrency, lock, perform, onStore } = wishes;
  const process = async (job: Job, token?: string): Promise<unknown> => {
    const read = readJob(job.data);
    if ('wrong' in read) throw new UnrecoverableError(`refused: not a job: ${read.wrong}`);
    const end = await perform(read);
    switch (end.kind) {
      case 'done':
        return end.result;
      case 'died':
        throw new Error(end.why);
      case 'refused':
        throw new UnrecoverableError(`refused: ${end.why}`);
      case 'stopped':
        await job.moveToWait(token);
        throw new WaitingError();
    }
  };
  const worker = new Jobs(
    queueName(version, name),
    process,
    {
      connection,
      concurrency,
      lockDuration: lock * 1000,
      stalledInterval: lock * 500,
      maxStalledCount: mostStalls,
      name: 'w',
    },
    ...backend,
  );
  let isAway = false;
  worker.on('error', (error) => {
    if (isAway || !isAboutConnection(error)) return;
    isAway = true;
    onStore?.('away');
  });
  const isThere = (): void => {
    if (isAway) onStore?.('there');
    isAway = false;
  };
  worker.on('ready', isThere);
  worker.on('active', isThere);
  try {
    await inTime(worker.waitUntilReady(), readyIn);
  } catch {
    await inTime(worker.disconnect(), 1000).catch(() => undefined);
    close();
    throw new NoStore(`${address.shown} no longer answers`);
  }
  return {
    close: async (within) => {
      await inTime(worker.close(), within * 1000).catch(() => undefined);
      await inTime(worker.disconnect(), 1000).catch(() => undefined);
      close();
    },
  };
}
