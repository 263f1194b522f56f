import {
  cancelledReport,
  type FileReport,
  internalErrorReport,
  overrunReport,
} from './file-report.js';
import { readStandardInput, type SourceText } from './read-source.js';
import type { FileTask } from './run-here.js';
import { workerScript } from './run-on-thread.js';
import { type Ended, WorkThread } from './work-thread.js';

/** Has a thread run one file. If it dies of it, its end is the report. */
async function runOnThread(
  thread: WorkThread,
  file: string,
  { verb, settings, signal, onProgress }: FileTask,
): Promise<FileReport> {
  const begun = Date.now();
  try {
    let given: SourceText | undefined;
    if (file === '-') {
      const read = await readStandardInput({ ...settings.limits, signal });
      if (read.kind === 'stopped') return overrunReport(file, read.reason);
      given = read;
    }
    const ended: Ended<FileReport> = await thread.run(
      'runTask',
      { verb, file, settings, begun, given },
      {
        limits: settings.limits,
        signal,
        onProgress: (progress) => onProgress(file, progress),
        spent: Date.now() - begun,
      },
    );
    return ended.kind === 'done' ? ended.value : overrunReport(file, ended.reason);
  } catch (error) {
    return internalErrorReport(file, error);
  }
}

/** Runs the files on `jobs` threads; the reports are promised in the order of the files. */
export function runInWorkers(
  files: readonly string[],
  task: FileTask,
  jobs: number,
  script = workerScript,
): Promise<FileReport>[] {
  const settle: ((report: FileReport) => void)[] = [];
  const reports = files.map((_, i) => new Promise<FileReport>((resolve) => (settle[i] = resolve)));
  let next = 0;
  const lane = async (): Promise<void> => {
    const thread = new WorkThread(script);
    for (let i = next++; i < files.length; i = next++) {
      const file = files[i]!;
      settle[i]?.(
        task.signal.aborted ? cancelledReport(file) : await runOnThread(thread, file, task),
      );
    }
    await thread.close();
  };
  for (let i = Math.min(jobs, files.length); i > 0; i--) void lane();
  return reports;
}
