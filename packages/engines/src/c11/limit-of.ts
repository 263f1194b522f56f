import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import type { C11Refusal } from '@fencewright/model/verdict/c11-result.js';
import { SeveralCells } from './atomic-block.js';
import { UnknownCell, WideValue } from './monitor-steps.js';
import { TooManyValues } from './value-classes.js';

/**
 * Returns the limit behind an exception thrown by a step of a program; throws all other errors
 * again.
 */
export function limitOf(error: unknown): C11Refusal {
  if (error instanceof ExecutionFault) return { limit: 'faults' };
  if (error instanceof TooManyValues) return { limit: 'values', address: error.address };
  if (error instanceof WideValue) return { limit: 'wide-values' };
  if (error instanceof SeveralCells) return { limit: 'lock-blocks' };
  if (error instanceof UnknownCell) return { limit: error.isPlain ? 'rmws-on-plain' : 'addresses' };
  throw error;
}
