import type { Progress } from '@fencewright/core';
import type { FileReport } from './file-report.js';
import type { FileVerb } from './run-on-file.js';
import type { Settings } from './settings.js';

export type ToWorker =
  | {
      readonly kind: 'run';
      readonly verb: FileVerb;
      readonly file: string;
      readonly settings: Settings;
    }
  | { readonly kind: 'cancel' };

export type FromWorker =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'report'; readonly report: FileReport };
