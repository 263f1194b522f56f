// The worker of `--jobs`: runs one file after the other, as it is told.
import { parentPort } from 'node:worker_threads';
import { runOnFile } from './run-on-file.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

const cancellation = new AbortController();

function send(message: FromWorker): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'cancel') {
    cancellation.abort();
    return;
  }
  const { verb, file, settings } = message;
  void runOnFile(verb, file, settings, {
    signal: cancellation.signal,
    onProgress: (progress) => send({ kind: 'progress', progress }),
  }).then((report) => send({ kind: 'report', report }));
});
