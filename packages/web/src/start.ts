// Starts the engine's thread, and its first run, before the page's own script is read: on a slow
// machine the two work side by side.
import { firstText, usualTimeout } from './first-text.js';
import type { BegunRun } from './engine.js';
import type { Report, WorkerOrder } from './messages.js';

/** The thread that was started first; `isBroken` if it could not be loaded. */
export interface FirstThread {
  readonly thread: Worker;
  /** The run that the thread has begun; absent if the page's text comes from a link. */
  readonly begun?: BegunRun;
  isBroken: boolean;
}

/** Asks for the verdict on the text with which the page begins. */
function begin(thread: Worker): BegunRun | undefined {
  // A link is unpacked by the page's own script.
  if (location.hash !== '') return undefined;
  const isEmbed = location.pathname.endsWith('/embed.html');
  const asked = { ...firstText(isEmbed), timeout: usualTimeout };
  const reports: Report[] = [];
  thread.onmessage = ({ data }: MessageEvent<Report>) => reports.push(data);
  thread.postMessage({ kind: 'ask', run: 1, asked } satisfies WorkerOrder);
  return { asked, reports };
}

const thread = new Worker('worker.js', { type: 'module' });
const begun = begin(thread);
const first: FirstThread = { thread, ...(begun && { begun }), isBroken: false };
thread.onerror = () => {
  first.isBroken = true;
};
Object.assign(globalThis, { fencewrightThread: first });
