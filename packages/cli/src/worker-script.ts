/** The script that threads run: a CommonJS module that exports the functions of `worker.ts`. */
export const workerScript = new URL('./start-worker.cjs', import.meta.url);
