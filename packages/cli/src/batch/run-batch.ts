import { countOf, quoteName } from '@fencewright/core';
import { NoFiles } from '../files-in.js';
import { watchInterrupts } from '../interrupt.js';
import { ProgressCounts } from './progress-counts.js';
import type { JournalHeader } from './journal-lines.js';
import { NoJobProcess } from './job-child.js';
import { type Journal, JournalError } from './journal.js';
import { openJournal } from './open-journal.js';
import { type Common, type PlannedJob, planJobs, type Subject } from './plan-job.js';
import type { Sealer } from './seal.js';
import { sharedSealer } from './secrets.js';
import { runJobs, type Work } from './run-jobs.js';
import { buildName } from '../build-name.js';

/** A run of a batch. */
export interface Batch extends Omit<Work, 'journal' | 'signal' | 'onProgress'> {
  /** The subjects, in order; requested one at a time as processes become free. */
  readonly subjects: AsyncIterable<Subject>;
  readonly common: Common;
  readonly header: JournalHeader;
  /** The folder of the journal. */
  readonly folder: string;
  readonly fresh: boolean;
  readonly sealer: Sealer;
  /** The queue for jobs done by workers; absent if jobs are done on this machine. */
  readonly queue?: QueueWishes;
}

/** The queue for workers. */
export interface QueueWishes {
  /** The address; `true`: the environment has the address. */
  readonly at: string | true;
  readonly name: string;
  /** Maximal number of jobs in the queue. */
  readonly window: number;
  /** As in `QueuedWork`. */
  readonly reconcileEvery?: number;
}

/** The end of a run: the journal with the results, or the reason for a failure. */
export type BatchEnd =
  | {
      readonly kind: 'done' | 'stopped';
      readonly journal: Journal;
      /** Closes the journal, and releases the lock for another run. */
      readonly close: () => void;
    }
  | { readonly kind: 'failure'; readonly message: string };

/** Yields the jobs begun and not ended by an earlier run, for files that have not changed. */
async function* suspectsOf(journal: Journal, common: Common): AsyncGenerator<PlannedJob> {
  for (const { key, file, random } of journal.suspects())
    for (const job of await planJobs(random ?? file, common)) if (job.order.key === key) yield job;
}

/** Yields all jobs; each job is recorded in the journal first. */
async function* listed({ subjects, common }: Batch, journal: Journal): AsyncGenerator<PlannedJob> {
  for await (const subject of subjects) {
    for (const job of await planJobs(subject, common)) {
      journal.append({ kind: 'file', ...job.listed });
      yield job;
    }
  }
  journal.endList();
}

/** Lets workers do the jobs. */
async function throughQueue(
  work: Work,
  { at, name, ...more }: QueueWishes,
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
    onAway: (seconds) => remark(`${address.shown} does not answer; it is asked for ${seconds} s`),
  });
  try {
    const workers = sharedSealer();
    await runQueued({ ...work, ...more, queue, remark, ...(workers && { workers }) }, jobs);
  } finally {
    await queue.close();
  }
}

/** Returns the message for an error caused by the environment; `undefined` for internal errors. */
function messageOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof NoFiles) return `error: ${error.message}\n`;
  if (error instanceof JournalError || error instanceof NoJobProcess)
    return `fencewright: the batch cannot go on: ${error.message}\n`;
  // Errors of packages loaded on demand have no class to compare with.
  const isOfQueue = error.name === 'NoStore' || error.name === 'NoFleet';
  return isOfQueue ? `fencewright: ${error.message}\n` : undefined;
}

/** Does the remaining jobs of a batch. */
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
        `fencewright: ${countOf(journal.refused, 'result')} in the journal of ${quoteName(folder)} without a seal of this user: not believed, and their jobs are done again\n`,
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
