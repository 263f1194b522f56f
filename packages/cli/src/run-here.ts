import type { Progress } from '@fencewright/core';
import type { FileVerb } from './file-verb.js';
import type { Finding } from './finding.js';
import { runOnFile } from './run-on-file.js';
import type { Settings } from './settings.js';

/** What is to be done with each of the files of a run. */
export interface FileTask {
  readonly verb: FileVerb;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly onProgress: (file: string, progress: Progress) => void;
}

/** Finds out about one file here. */
export function runHere(file: string, task: FileTask): Promise<Finding> {
  const { verb, settings, signal } = task;
  const onProgress = (progress: Progress): void => task.onProgress(file, progress);
  return runOnFile(verb, file, settings, { signal, onProgress });
}
