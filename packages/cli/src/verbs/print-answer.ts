import type { Result } from '@fencewright/core';
import type { FileReport } from '../file-report.js';
import type { ReadFile } from '../finding.js';
import type { Settings } from '../settings.js';

/** Prints an answer. Each verb loads what it needs when it is needed. */
export async function printAnswer(
  read: ReadFile,
  result: Exclude<Result, { readonly kind: 'refused' }>,
  settings: Settings,
): Promise<FileReport> {
  switch (result.kind) {
    case 'check':
      return (await import('./check.js')).printCheck(read, result, settings);
    case 'explain':
      return (await import('./explain.js')).printExplain(read, result, settings);
    case 'bench':
      return (await import('./bench.js')).printBench(read, result, settings);
    case 'reach':
      return (await import('./reach.js')).printReach(read, result, settings);
    case 'trf':
      return (await import('./trf.js')).printTrf(read, result, settings);
    case 'fence':
      return (await import('./fence.js')).printFence(read, result, settings);
    case 'prove':
      return (await import('./prove.js')).printProof(read, result, settings);
  }
}
