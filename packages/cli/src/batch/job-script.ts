/** The script that the processes of a batch run. */
export const jobScript = new URL('./start-job-process.cjs', import.meta.url);
