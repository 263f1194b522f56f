import type { Verb } from '../verb.js';
import { type Batched, batched, batchOf } from './batch.js';

const loaders: Readonly<Record<Batched, () => Promise<Verb>>> = {
  check: async () => (await import('./check.js')).checkVerb,
  fence: async () => (await import('./fence.js')).fenceVerb,
  reach: async () => (await import('./reach.js')).reachVerb,
  trf: async () => (await import('./trf.js')).trfVerb,
  prove: async () => (await import('./prove.js')).proveVerb,
};

/**
 * Loads `batch` with the options of the verb that follows (`check` by default), or `batch status`
 * or `batch merge`. `verbNames` are the names of all verbs.
 */
export async function loadBatch(
  args: readonly string[],
  verbNames: readonly string[] = [],
): Promise<Verb> {
  const behind = args[args.indexOf('batch') + 1];
  if (behind === 'merge') return (await import('./batch-merge.js')).batchMerge;
  if (behind === 'status') return (await import('./batch-status.js')).batchStatus;
  const name = batched.find((known) => known === behind) ?? 'check';
  return batchOf(await loaders[name](), verbNames);
}
