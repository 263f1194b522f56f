import type { Piscina } from 'piscina';
import { cancelledReport, type FileReport, internalErrorReport } from './file-report.js';
import { type FileTask, runHere } from './run-here.js';
import { createPool, runOnThread, workerScript } from './run-on-thread.js';

/** Has a thread of the pool run one file. If it dies of it, its end is the report. */
async function runInPool(
  where: { readonly pool: Piscina; readonly script: URL },
  file: string,
  { verb, settings, signal, onProgress }: FileTask,
): Promise<FileReport> {
  try {
    return await runOnThread<FileReport>(
      { ...where, name: 'runTask' },
      { verb, file, settings },
      { signal, onProgress: (progress) => onProgress(file, progress) },
    );
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
  const threads = Math.min(jobs, files.length);
  const pool = createPool(threads);
  const settle: ((report: FileReport) => void)[] = [];
  const reports = files.map((_, i) => new Promise<FileReport>((resolve) => (settle[i] = resolve)));
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let i = next++; i < files.length; i = next++) {
      const file = files[i]!;
      let report: FileReport;
      if (task.signal.aborted) report = cancelledReport(file);
      // Standard input belongs to the main thread.
      else if (file === '-') report = await runHere(file, task);
      else report = await runInPool({ pool, script }, file, task);
      settle[i]?.(report);
    }
  };
  void Promise.all(Array.from({ length: threads }, lane)).then(() => pool.destroy());
  return reports;
}
