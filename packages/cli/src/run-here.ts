import type { Progress } from '@fencewright/core';
import type { FileFinding } from './finding.js';
import { type KnownAnswer, withKnown } from './known-answer.js';
import { runOnFile } from './run-on-file.js';
import type { Request } from './run-settings.js';

/** The work to do on each file of a run, and how its progress is reported. */
export interface FileTask {
  readonly request: Request;
  readonly signal: AbortSignal;
  readonly onProgress: (file: string, progress: Progress) => void;
  /** Called with the part of an answer about a file that is known while work goes on. */
  readonly onKnown?: (file: string, known: KnownAnswer) => void;
}

/** Answers the question about one file in this thread. */
export async function runHere(file: string, task: FileTask): Promise<FileFinding> {
  const { request, signal } = task;
  let known: KnownAnswer | undefined;
  const finding = await runOnFile(file, request, {
    signal,
    onProgress: (progress) => task.onProgress(file, progress),
    onKnown: (now) => {
      known = now;
      task.onKnown?.(file, now);
    },
  });
  // The file is tried again with a larger stack.
  return finding.kind === 'too-deep' ? finding : withKnown(finding, () => known, request.question);
}
