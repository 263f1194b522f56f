import type { Progress } from '@fencewright/core';
import type { Finding } from './finding.js';
import { runOnFile } from './run-on-file.js';
import type { Request } from './run-settings.js';

/** What is to be done with each of the files of a run. */
export interface FileTask {
  readonly request: Request;
  readonly signal: AbortSignal;
  readonly onProgress: (file: string, progress: Progress) => void;
}

/** Finds out about one file here. */
export function runHere(file: string, task: FileTask): Promise<Finding> {
  const { request, signal } = task;
  const onProgress = (progress: Progress): void => task.onProgress(file, progress);
  return runOnFile(file, request, { signal, onProgress });
}
