import type { BlockStep } from './program.js';

/** Whether a step on a block stands for an access to a cell of the block. */
export function isBlockAccess(step: BlockStep | undefined): step is 'loaded' | 'stored' {
  return step === 'loaded' || step === 'stored';
}
