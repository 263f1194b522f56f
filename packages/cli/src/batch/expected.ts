import type { BatchResult } from './job-result.js';

/** The expected and the actual verdict, in words that can be compared. */
export interface Expectation {
  readonly expected: string;
  readonly found: string;
}

/**
 * Returns the expected verdict for a file together with the actual verdict; `undefined` if there is
 * no expectation.
 */
export type Expectations = (file: string, result: BatchResult) => Expectation | undefined;
