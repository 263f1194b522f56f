import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import type { C11Limit } from '@fencewright/model/verdict/c11-result.js';
import { SeveralCells } from './atomic-block.js';
import { UnknownCell, WideValue } from './monitor-steps.js';
import { TooManyValues } from './value-classes.js';

/** Returns the limit because of which a step of a program threw; throws all other errors again. */
export function limitOf(error: unknown): C11Limit {
  if (error instanceof ExecutionFault) return 'faults';
  if (error instanceof TooManyValues) return 'values';
  if (error instanceof WideValue) return 'wide-values';
  if (error instanceof SeveralCells) return 'lock-blocks';
  if (error instanceof UnknownCell) return error.isPlain ? 'rmws-on-plain' : 'addresses';
  throw error;
}
