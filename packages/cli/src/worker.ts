// What the threads of `--jobs` do.
import type { FileReport } from './file-report.js';
import { runOnFile } from './run-on-file.js';
import type { FromWorker, ToWorker, WorkerTask } from './worker-messages.js';

/** Runs one file, and tells through the port of the task how far it has come. */
export async function runTask({ verb, file, settings, port }: WorkerTask): Promise<FileReport> {
  const cancellation = new AbortController();
  port.on('message', (message: ToWorker) => cancellation.abort(message));
  try {
    return await runOnFile(verb, file, settings, {
      signal: cancellation.signal,
      onProgress: (progress: FromWorker) => port.postMessage(progress),
    });
  } finally {
    port.close();
  }
}
