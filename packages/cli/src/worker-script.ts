/** The script of the threads: a CommonJS module that exports what `worker.ts` does. */
export const workerScript = new URL('./start-worker.cjs', import.meta.url);
