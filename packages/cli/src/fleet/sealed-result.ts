import type { QueuedJob } from '@fencewright/fleet';
import { canonicalJson } from '@fencewright/core';
import type { BatchResult } from '../batch/job-result.js';
import type { Sealer } from '../batch/seal.js';

/** What a worker says of a job; sealed where it shares a key with who gives jobs out. */
export interface SealedResult {
  readonly result: BatchResult;
  readonly seal?: string;
}

/** What a job is, as one text: the same before and behind its way. */
export function jobText(job: QueuedJob): string {
  return canonicalJson(JSON.parse(JSON.stringify(job)) as unknown);
}

/**
 * A result as it travels. The seal is about the whole job, so that the result of another text
 * cannot be passed off as that of a job by its key.
 */
export function sealedResult(
  job: QueuedJob,
  result: BatchResult,
  sealer: Sealer | undefined,
): SealedResult {
  return { result, ...(sealer && { seal: sealer.seal('queue', jobText(job), result) }) };
}
