import type { BatchResult } from './job-result.js';

/** The expected and the actual verdict, in the same vocabulary. */
export interface Expectation {
  readonly expected: string;
  readonly found: string;
}

/** Returns the expectation for a file, if known, beside the actual verdict. */
export type Expectations = (file: string, result: BatchResult) => Expectation | undefined;
