/** The script of threads: a CommonJS module with the exports of `worker.ts`. */
export const workerScript = new URL('./start-worker.cjs', import.meta.url);
