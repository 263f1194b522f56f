import type { Exhaustion } from '@fencewright/ground/base/budget.js';
import type { Result } from './result.js';

/** What is known of a question while the work on it goes on. */
export interface Known {
  readonly result: Result;
  /** Whether nothing that is found out later changes the verdict. */
  readonly isFinal: boolean;
}

/** What ends work from outside, or makes it fail. */
export type WhyEnded = Exclude<Exhaustion, 'states'> | 'unsupported';
