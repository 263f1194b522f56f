import type { QueuedJob } from '@fencewright/fleet';
import { canonicalJson } from '@fencewright/core';
import type { BatchResult } from '../batch/job-result.js';
import type { Sealer } from '../batch/seal.js';

/**
 * The result of a job, sealed if the worker shares a secret with the machine that gives jobs out.
 */
export interface SealedResult {
  readonly result: BatchResult;
  readonly seal?: string;
}

/**
 * Returns the text of a job that enters the seal of its result, an HMAC; the text is equal before
 * and after transport.
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
