import { exitCodes } from '../exit-codes.js';
import { isAudited } from './audit.js';
import { type BatchResult, isFinalResult, isForWant } from './job-result.js';
import type { Journal } from './journal.js';
import type { TakenFrom } from './journal-lines.js';
import type { PlannedJob } from './plan-job.js';
import type { ResultCache } from './result-cache.js';
import { isInShard, type Shard } from './shard.js';

/**
 * The kinds of results that the user may have tried again: results unknown for lack of time or
 * memory, jobs given up, and internal errors.
 */
export const retried = ['unknown', 'quarantined', 'error'] as const;
export type Retried = (typeof retried)[number];

/** The options for choosing the jobs of a run. */
export interface LedgerWishes {
  readonly journal: Journal;
  readonly shard?: Shard;
  readonly cache?: ResultCache;
  readonly retry: readonly Retried[];
  /** The fraction of the jobs that are done twice, to compare the results. */
  readonly audit: number;
}

/** Whether the user wants a job with this result to be tried again. */
function isRetried(result: BatchResult, retry: readonly Retried[]): boolean {
  if (result.json.reason === 'crashed') return retry.includes('quarantined');
  return (
    (retry.includes('unknown') && isForWant(result)) ||
    (retry.includes('error') && result.exitCode === exitCodes.internal)
  );
}

/** Decides from the journal which jobs a run has to do, and records the results. */
export class JobLedger {
  readonly #wishes: LedgerWishes;
  /** The keys of all jobs met in this run so far. */
  readonly #seen = new Set<string>();

  constructor(wishes: LedgerWishes) {
    this.#wishes = wishes;
  }

  /**
   * Returns whether the job belongs to this part of the batch and was not seen before in this run;
   * marks the job as seen.
   */
  takes({ order: { key } }: PlannedJob): boolean {
    const { shard } = this.#wishes;
    if (this.#seen.has(key) || (shard && !isInShard(key, shard))) return false;
    this.#seen.add(key);
    return true;
  }

  /**
   * Whether a job needs no further work: the job has a result and, if the job is to be done twice,
   * a second result.
   */
  isDone({ order: { key }, reuse }: PlannedJob): boolean {
    const { journal, audit } = this.#wishes;
    const count = journal.countOf(key);
    if (count !== 1 || reuse === 'none' || !isAudited(key, audit)) return count > 0;
    return !isFinalResult(journal.resultOf(key)!);
  }

  /**
   * Removes the results of a job that do not count any more, and takes over a result from the
   * cache, if any.
   */
  recall({ order: { key }, reuse }: PlannedJob): void {
    const { journal, retry, cache } = this.#wishes;
    const known = journal.resultOf(key);
    if (known && (reuse === 'none' || isRetried(known, retry)))
      journal.append({ kind: 'forget', key });
    if (journal.countOf(key) > 0 || reuse !== 'any run') return;
    const kept = cache?.get(key);
    if (kept) journal.record(key, kept, 'cache');
  }

  /** Records a result of a job in the journal, with its source. */
  record({ order: { key }, reuse }: PlannedJob, result: BatchResult, from?: TakenFrom): void {
    const { journal, cache } = this.#wishes;
    const isFirst = journal.countOf(key) === 0;
    journal.record(key, result, from);
    if (isFirst && !from && reuse === 'any run') cache?.put(key, result);
  }
}
