import type { QueuedJob } from '@fencewright/fleet';
import { canonicalJson } from '@fencewright/core';
import type { BatchResult } from '../batch/job-result.js';
import type { Sealer } from '../batch/seal.js';

/**
 * The result of a job, with a seal if the worker shares a secret with the machine that adds jobs to
 * the queue.
 */
export interface SealedResult {
  readonly result: BatchResult;
  readonly seal?: string;
}

/**
 * Returns the text of a job for the seal (an HMAC) of its result; the text is equal before and
 * after transport.
 */
export function jobText(job: QueuedJob): string {
  return canonicalJson(JSON.parse(JSON.stringify(job)) as unknown);
}

/**
 * Returns a result in the form for transport. The seal covers the whole job, so that the result of
 * another text cannot pass as the result of a job with an equal key.
 */
export function sealedResult(
  job: QueuedJob,
  result: BatchResult,
  sealer: Sealer | undefined,
): SealedResult {
  return { result, ...(sealer && { seal: sealer.seal('queue', jobText(job), result) }) };
}
