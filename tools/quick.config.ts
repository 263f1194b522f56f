import { defineConfig } from 'vitest/config';

/** One project and one thread for all packages: each module is compiled and loaded once. */
const conditions = ['source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    root: '.',
    ...{ pool: 'threads', isolate: false, maxWorkers: 1 },
    setupFiles: ['./tools/cpu-of-file.ts'],
    globalSetup: './tools/build-for-tests.ts',
    reporters: ['default', './tools/summary-reporter.ts'],
  },
});
