// The process of a batch: does one job after the other, on a thread, so that the main thread always
// hears messages.
import { writeFileSync } from 'node:fs';
import { stopSignals } from '../interrupt.js';
import type { Hooks } from '../run-settings.js';
import { workerScript } from '../worker-script.js';
import { WorkThread } from '../work-thread.js';
import { doJob } from './do-job.js';
import type { FromJobProcess, JobSettings, ToJobProcess } from './job-messages.js';
import type { JobOrder } from './plan-job.js';

/** The exit status if the parent process has disappeared, as in sysexits.h. */
const temporaryFailure = 75;
/**
 * The number of milliseconds in which the work thread, with the programs it started, can end after
 * the parent has disconnected.
 */
const graceAfterDisconnect = 1500;
/** The number of milliseconds between two messages to the parent about progress. */
const progressEvery = 500;

function say(message: FromJobProcess): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/**
 * Makes the system end this process first if memory runs out, and not the parent with the list of
 * jobs.
 */
function volunteer(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500');
  } catch {
    // Only Linux has this file; elsewhere nothing is set.
  }
}

/** Does the jobs that the parent process sends, until the parent disconnects. */
export function serveJobs(): void {
  const thread = new WorkThread(workerScript);
  let settings: JobSettings | undefined;
  let cancellation = new AbortController();
  let isRunning = false;
  const run = async (order: JobOrder): Promise<void> => {
    cancellation = new AbortController();
    isRunning = true;
    let last = Date.now();
    const hooks: Required<Hooks> = {
      signal: cancellation.signal,
      onProgress: (progress) => {
        if (Date.now() - last < progressEvery) return;
        last = Date.now();
        say({ kind: 'progress', progress });
      },
    };
    const result = await doJob({ thread, settings: settings!, hooks }, order);
    isRunning = false;
    if (!process.connected) process.exit(temporaryFailure);
    say({ kind: 'result', key: order.key, result });
  };
  volunteer();
  // The parent process is asked to stop, too, and decides about this process.
  for (const name of stopSignals) process.on(name, () => undefined);
  process.on('disconnect', () => {
    if (!isRunning) process.exit();
    cancellation.abort();
    setTimeout(() => process.exit(temporaryFailure), graceAfterDisconnect);
  });
  process.on('message', (message: ToJobProcess) => {
    if (message.kind === 'settings') ({ settings } = message);
    else if (message.kind === 'job') void run(message.order);
    else cancellation.abort();
  });
  say({ kind: 'ready' });
}
