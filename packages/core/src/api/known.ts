import type { Exhaustion } from '@fencewright/ground/base/budget.js';
import type { Result } from './result.js';

/** The part of an answer that is known while work on the question goes on. */
export interface Known {
  readonly result: Result;
  /** Whether the known verdict can no longer change. */
  readonly isFinal: boolean;
}

/** The reason why work ended before the answer was complete. */
export type WhyEnded = Exclude<Exhaustion, 'states'> | 'unsupported';
