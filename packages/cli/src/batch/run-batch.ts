import { countOf, quoteName } from '@fencewright/core';
import { NoFiles } from '../files-in.js';
import { watchInterrupts } from '../interrupt.js';
import { ProgressCounts } from './progress-counts.js';
import type { JournalHeader } from './journal-lines.js';
import { NoJobProcess } from './job-child.js';
import { type Journal, JournalError } from './journal.js';
import { openJournal } from './open-journal.js';
import { type Common, type PlannedJob, planJobs, type JobSubject } from './plan-job.js';
import type { Sealer } from './seal.js';
import { sharedSealer } from './secrets.js';
import { runJobs, type Work } from './run-jobs.js';
import { buildName } from '../build-name.js';

/** A run of a batch. */
export interface Batch extends Omit<Work, 'journal' | 'signal' | 'onProgress'> {
  /** The files or random programs of the batch, in order; each is read when a process is free. */
  readonly subjects: AsyncIterable<JobSubject>;
  readonly common: Common;
  readonly header: JournalHeader;
  /** The name of the folder with the journal of the batch. */
  readonly folder: string;
  readonly fresh: boolean;
  readonly sealer: Sealer;
  /** The queue of jobs for workers; absent if this machine does the jobs. */
  readonly queue?: BatchQueueWishes;
}

/** The user's options for the queue through which workers do the jobs of a batch. */
interface BatchQueueWishes {
  /** The address of the queue's store; `true` if the environment has the address. */
  readonly at: string | true;
  readonly name: string;
  /** The maximum number of jobs that the batch has in the queue at a time. */
  readonly window: number;
  /**
   * The number of milliseconds between two checks whether the queue has lost jobs, which are then
   * added again.
   */
  readonly reconcileEvery?: number;
}

/** The journal with the results of a run; or the reason why the run failed. */
export type BatchEnd =
  | {
      readonly kind: 'done' | 'stopped';
      readonly journal: Journal;
      /** Closes the journal of the batch, and releases the lock for another run. */
      readonly close: () => void;
    }
  | { readonly kind: 'failure'; readonly message: string };

/**
 * Yields the jobs that an earlier run began and did not end. Jobs about files that have changed
 * since are left out.
 */
async function* suspectsOf(journal: Journal, common: Common): AsyncGenerator<PlannedJob> {
  for (const { key, file, random } of journal.suspects())
    for (const job of await planJobs(random ?? file, common)) if (job.order.key === key) yield job;
}

/** Yields all jobs of a batch, each after it is listed in the journal. */
async function* listed({ subjects, common }: Batch, journal: Journal): AsyncGenerator<PlannedJob> {
  for await (const subject of subjects) {
    for (const job of await planJobs(subject, common)) {
      journal.append({ kind: 'file', ...job.listed });
      yield job;
    }
  }
  journal.endList();
}

/** Puts the jobs into a queue, for workers to do. */
async function throughQueue(
  work: Work,
  { at, name, ...more }: BatchQueueWishes,
  jobs: AsyncIterable<PlannedJob>,
): Promise<void> {
  const [{ loadFleet }, { queueAddress }, { runQueued }] = await Promise.all([
    import('../fleet/load-fleet.js'),
    import('../fleet/queue-address.js'),
    import('../fleet/run-queued.js'),
  ]);
  const { openQueue } = await loadFleet();
  const address = await queueAddress(at);
  const remark = (line: string): unknown => process.stderr.write(`${line}\n`);
  const queue = await openQueue(address, buildName(), name, {
    signal: work.signal,
    onAway: (seconds) => remark(`${address.shown} does not answer; trying for ${seconds} s`),
  });
  try {
    const workers = sharedSealer();
    await runQueued({ ...work, ...more, queue, remark, ...(workers && { workers }) }, jobs);
  } finally {
    await queue.close();
  }
}

/**
 * Returns the message for an error that the environment caused; `undefined` for internal errors.
 */
function messageOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof NoFiles) return `error: ${error.message}\n`;
  if (error instanceof JournalError || error instanceof NoJobProcess)
    return `fencewright: the batch cannot go on: ${error.message}\n`;
  // Errors of packages loaded on demand have no class to compare with.
  const isOfQueue = error.name === 'NoStore' || error.name === 'NoFleet';
  return isOfQueue ? `fencewright: ${error.message}\n` : undefined;
}

/** Does the jobs of a batch that have no result yet. */
export async function runBatch(batch: Batch): Promise<BatchEnd> {
  const { header, folder, fresh, shard } = batch;
  const opened = openJournal(folder, header, fresh, batch.sealer);
  if (opened.kind === 'failure') return opened;
  const { journal, release } = opened;
  const close = (): void => {
    journal.close();
    release();
  };
  const progress = new ProgressCounts(process.stderr);
  const interrupts = watchInterrupts(() => {
    progress.clear();
    process.stderr.write('stopping; the same command goes on from here\n');
  });
  try {
    const suspects = suspectsOf(journal, batch.common);
    journal.append({
      kind: 'run',
      ...(shard && { shard: `${shard.index}/${shard.count}` }),
    });
    if (journal.refused > 0)
      process.stderr.write(
        `fencewright: ${countOf(journal.refused, 'result')} in the journal of ${quoteName(folder)} without a seal of this user: these results are not trusted, and their jobs are run again\n`,
      );
    const { signal } = interrupts;
    const work: Work = { ...batch, journal, signal, onProgress: (said) => progress.show(said) };
    const jobs = listed(batch, journal);
    if (batch.queue) await throughQueue(work, batch.queue, jobs);
    else await runJobs(work, suspects, jobs);
    return { kind: signal.aborted ? 'stopped' : 'done', journal, close };
  } catch (error) {
    // The user asked to stop while the run waited for the store.
    if (interrupts.signal.aborted && error instanceof Error && error.name === 'NoStore')
      return { kind: 'stopped', journal, close };
    close();
    const message = messageOf(error);
    if (message !== undefined) return { kind: 'failure', message };
    throw error;
  } finally {
    progress.clear();
    interrupts.release();
  }
}
