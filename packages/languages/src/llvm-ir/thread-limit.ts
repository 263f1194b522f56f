/** How many threads may be started, `main` excepted. */
export const mostThreads = 64;
