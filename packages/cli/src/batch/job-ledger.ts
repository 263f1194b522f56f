import { exitCodes } from '../exit-codes.js';
import { isAudited } from './audit.js';
import { type BatchResult, isFinal, isForWant } from './job-result.js';
import type { Journal } from './journal.js';
import type { TakenFrom } from './journal-lines.js';
import type { PlannedJob } from './plan-job.js';
import type { ResultCache } from './result-cache.js';
import { isInShard, type Shard } from './shard.js';

/** What may be done once more: what is unknown for want of time or memory, what has crashed. */
export const retried = ['unknown', 'quarantined', 'error'] as const;
export type Retried = (typeof retried)[number];

/** What decides which jobs are to be done. */
export interface LedgerWishes {
  readonly journal: Journal;
  readonly shard?: Shard;
  readonly cache?: ResultCache;
  readonly retry: readonly Retried[];
  /** The part of the jobs that is done twice, to compare the results. */
  readonly audit: number;
}

/** Whether a result is of those that are asked for once more. */
function isRetried(result: BatchResult, retry: readonly Retried[]): boolean {
  if (result.json.reason === 'crashed') return retry.includes('quarantined');
  return (
    (retry.includes('unknown') && isForWant(result)) ||
    (retry.includes('error') && result.exitCode === exitCodes.internal)
  );
}

/** Which jobs a run is to do, by what the journal knows; and what came out of them. */
export class JobLedger {
  readonly #wishes: LedgerWishes;
  /** What was seen in this run. */
  readonly #seen = new Set<string>();

  constructor(wishes: LedgerWishes) {
    this.#wishes = wishes;
  }

  /** Whether the job is this run's, which has not seen it; then it is seen. */
  takes({ order: { key } }: PlannedJob): boolean {
    const { shard } = this.#wishes;
    if (this.#seen.has(key) || (shard && !isInShard(key, shard))) return false;
    this.#seen.add(key);
    return true;
  }

  /** Whether a job has its result, and another one if that is to be compared. */
  isDone({ order: { key }, reuse }: PlannedJob): boolean {
    const { journal, audit } = this.#wishes;
    const count = journal.countOf(key);
    if (count !== 1 || reuse === 'none' || !isAudited(key, audit)) return count > 0;
    return !isFinal(journal.resultOf(key)!);
  }

  /** Forgets what is not to count, and takes over what is known elsewhere. */
  recall({ order: { key }, reuse }: PlannedJob): void {
    const { journal, retry, cache } = this.#wishes;
    const known = journal.resultOf(key);
    if (known && (reuse === 'none' || isRetried(known, retry)))
      journal.append({ kind: 'forget', key });
    if (journal.countOf(key) > 0 || reuse !== 'any run') return;
    const kept = cache?.get(key);
    if (kept) journal.record(key, kept, 'cache');
  }

  /** Writes a result down. */
  record({ order: { key }, reuse }: PlannedJob, result: BatchResult, from?: TakenFrom): void {
    const { journal, cache } = this.#wishes;
    const isFirst = journal.countOf(key) === 0;
    journal.record(key, result, from);
    if (isFirst && !from && reuse === 'any run') cache?.put(key, result);
  }
}
