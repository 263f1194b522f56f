import type { Progress } from '@fencewright/core';
import type { BatchResult } from './job-result.js';
import type { JobOrder } from './plan-job.js';

/** The settings sent to a process of a batch before the first job. */
export interface JobSettings {
  readonly verb: string;
  /** The values of the options of the verb with which the batch checks files. */
  readonly values: object;
  /** Whether the jobs also collect findings for continuous integration. */
  readonly ci: boolean;
  /** Whether the results keep the computations of their witnesses. */
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
