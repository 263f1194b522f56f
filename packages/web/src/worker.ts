// The thread of the engines: one run at a time, always the latest.
import type { WorkerOrder, Report } from './messages.js';
import { run } from './run.js';

let current: { readonly run: number; readonly stop: AbortController } | undefined;
let turn = Promise.resolve();

globalThis.addEventListener('message', ({ data }: MessageEvent<WorkerOrder>) => {
  if (data.kind === 'stop') {
    if (current?.run === data.run) current.stop.abort();
    return;
  }
  current?.stop.abort();
  const mine = { run: data.run, stop: new AbortController() };
  current = mine;
  const tell = (part: Report['part']): void => postMessage({ run: mine.run, part });
  turn = turn.then(async () => run(data.asked, mine.stop.signal, tell));
});
