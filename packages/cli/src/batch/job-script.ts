/** The script of the processes of a batch. */
export const jobScript = new URL('./start-job-process.cjs', import.meta.url);
