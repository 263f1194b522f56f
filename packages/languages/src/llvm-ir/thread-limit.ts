/** The maximum number of threads, not counting `main`. */
export const mostThreads = 64;
