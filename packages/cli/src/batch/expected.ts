import type { BatchResult } from './job-result.js';

/** What was to come out, and what did, in the same words. */
export interface Expectation {
  readonly expected: string;
  readonly found: string;
}

/** What a file should come to, where that is known, beside what it came to. */
export type Expectations = (file: string, result: BatchResult) => Expectation | undefined;
