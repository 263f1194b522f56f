import type { Progress } from '@fencewright/core';
import type { BatchResult } from './job-result.js';
import type { JobOrder } from './plan-job.js';

/** The settings that a process of a batch receives before the first job. */
export interface JobSettings {
  readonly verb: string;
  /** The values of the verb's options. */
  readonly values: object;
  /** Whether to collect findings for continuous integration. */
  readonly ci: boolean;
  /** Whether results keep the computations of witnesses. */
  readonly witnesses: boolean;
}

export type ToJobProcess =
  | { readonly kind: 'settings'; readonly settings: JobSettings }
  | { readonly kind: 'job'; readonly order: JobOrder }
  | { readonly kind: 'cancel' };

export type FromJobProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'result'; readonly key: string; readonly result: BatchResult };
