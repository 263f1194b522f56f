import type { BatchResult } from './job-result.js';

/** The expected and the actual verdict, in the same vocabulary. */
export interface Expectation {
  readonly expected: string;
  readonly found: string;
}

/**
 * Returns the expected verdict for a file, beside the actual verdict; `undefined` if there is no
 * expectation.
 */
export type Expectations = (file: string, result: BatchResult) => Expectation | undefined;
