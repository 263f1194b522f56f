import type { Exhaustion } from '@fencewright/ground/base/budget.js';
import type { Result } from './result.js';

/** The known part of an answer while work on the question goes on. */
export interface Known {
  readonly result: Result;
  /** Whether the verdict can no longer change. */
  readonly isFinal: boolean;
}

/** The external reason for an early end of work, or the reason for failure. */
export type WhyEnded = Exclude<Exhaustion, 'states'> | 'unsupported';
