// Starts the engine's thread before the page's own script is read: on a slow machine the two load
// side by side.

/** The thread that was started first; `isBroken` if it could not be loaded. */
export interface FirstThread {
  readonly thread: Worker;
  isBroken: boolean;
}

const thread = new Worker('worker.js', { type: 'module' });
const first: FirstThread = { thread, isBroken: false };
thread.onerror = () => {
  first.isBroken = true;
};
Object.assign(globalThis, { fencewrightThread: first });
