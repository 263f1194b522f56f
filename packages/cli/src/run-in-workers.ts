import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { cancelledReport, type FileReport, internalErrorReport } from './file-report.js';
import { type FileTask, runHere } from './run-here.js';
import type { FromWorker, ToWorker, WorkerTask } from './worker-messages.js';

/** Has a thread of the pool run one file. If it dies of it, of lack of memory for one, its end is the report. */
async function runInPool(
  { pool, filename }: { readonly pool: Piscina; readonly filename: string },
  file: string,
  task: FileTask,
): Promise<FileReport> {
  const { verb, settings, signal } = task;
  const { port1, port2 } = new MessageChannel();
  const send = (message: ToWorker): void => port1.postMessage(message);
  const cancel = (): void => send('cancel');
  port1.on('message', (progress: FromWorker) => task.onProgress(file, progress));
  signal.addEventListener('abort', cancel);
  try {
    const order: WorkerTask = { verb, file, settings, port: port2 };
    const options = { filename, name: 'runTask', transferList: [port2] };
    return (await pool.run(order, options)) as FileReport;
  } catch (error) {
    return internalErrorReport(file, error);
  } finally {
    signal.removeEventListener('abort', cancel);
    port1.close();
  }
}

/**
 * Runs the files on `jobs` threads; the reports are promised in the order of the files. `script` is a CommonJS module that exports what
 * `worker.ts` does.
 */
export function runInWorkers(
  files: readonly string[],
  task: FileTask,
  jobs: number,
  script = new URL('./start-worker.cjs', import.meta.url),
): Promise<FileReport>[] {
  const threads = Math.min(jobs, files.length);
  const filename = fileURLToPath(script);
  const pool = new Piscina({
    minThreads: threads,
    maxThreads: threads,
    // A thread that waits for its next task is to hear of other things as well.
    atomics: 'disabled',
  });
  // Of threads that die between tasks. They are replaced.
  pool.on('error', () => undefined);
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
      else report = await runInPool({ pool, filename }, file, task);
      settle[i]?.(report);
    }
  };
  void Promise.all(Array.from({ length: threads }, lane)).then(() => pool.destroy());
  return reports;
}
