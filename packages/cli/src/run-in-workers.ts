import { Worker } from 'node:worker_threads';
import { cancelledReport, type FileReport, internalErrorReport } from './file-report.js';
import { type FileTask, runHere } from './run-here.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

interface Answer {
  readonly report: FileReport;
  /** Whether the worker can be asked again. */
  readonly alive: boolean;
}

/** Has `worker` run one file. A worker that dies of it, of lack of memory for one, has its end as the report. */
function ask(worker: Worker, file: string, task: FileTask): Promise<Answer> {
  const send = (message: ToWorker): void => worker.postMessage(message);
  return new Promise<Answer>((resolve) => {
    const cancel = (): void => send({ kind: 'cancel' });
    const hear = (message: FromWorker): void => {
      if (message.kind === 'report') finish({ report: message.report, alive: true });
      else task.onProgress(file, message.progress);
    };
    const fail = (error: unknown): void =>
      finish({ report: internalErrorReport(file, error), alive: false });
    const die = (): void => fail(new Error('its worker has died'));
    const finish = (answer: Answer): void => {
      task.signal.removeEventListener('abort', cancel);
      worker.off('message', hear).off('error', fail).off('exit', die);
      resolve(answer);
    };
    worker.on('message', hear).on('error', fail).on('exit', die);
    task.signal.addEventListener('abort', cancel);
    send({ kind: 'run', verb: task.verb, file, settings: task.settings });
  });
}

/** Runs the files on `jobs` threads; the reports are promised in the order of the files. */
export function runInWorkers(
  files: readonly string[],
  task: FileTask,
  jobs: number,
): Promise<FileReport>[] {
  const settle: ((report: FileReport) => void)[] = [];
  const reports = files.map((_, i) => new Promise<FileReport>((resolve) => (settle[i] = resolve)));
  let next = 0;
  const lane = async (): Promise<void> => {
    let worker: Worker | undefined;
    for (let i = next++; i < files.length; i = next++) {
      const file = files[i]!;
      let report: FileReport;
      if (task.signal.aborted) report = cancelledReport(file);
      // Standard input belongs to the main thread.
      else if (file === '-') report = await runHere(file, task);
      else {
        worker ??= new Worker(new URL('./worker.js', import.meta.url));
        const answer = await ask(worker, file, task);
        report = answer.report;
        if (!answer.alive) worker = undefined;
      }
      settle[i]?.(report);
    }
    await worker?.terminate();
  };
  for (let i = 0; i < Math.min(jobs, files.length); i++) void lane();
  return reports;
}
