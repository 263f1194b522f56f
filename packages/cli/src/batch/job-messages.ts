import type { Progress } from '@fencewright/core';
import type { BatchResult } from './job-result.js';
import type { JobOrder } from './plan-job.js';

/** The settings sent first to a process of a batch. */
export interface JobSettings {
  readonly verb: string;
  /** Of the options of the verb. */
  readonly values: object;
  /** Whether reports for continuous integration are wanted. */
  readonly ci: boolean;
  /** Whether computations of witnesses are kept. */
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
