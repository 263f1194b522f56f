import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { inCampaign } from './tools/random-runs.js';

/**
 * Packages are tested from their sources, without a build: the export condition `source` leads
 * there.
 */
const conditions = ['source'];

/** Milliseconds after which a test hangs, however busy the machine is. */
const longest = 3_600_000 * inCampaign(1, 100);

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    pool: 'forks',
    setupFiles: ['./tools/cpu-of-file.ts'],
    // Tests are bounded by states or CPU time. These only end what hangs.
    testTimeout: longest,
    hookTimeout: longest,
    reporters: ['default', './tools/summary-reporter.ts'],
    // Tests of the command line wait for programs, browsers and servers a fifth of their time.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: { name: 'core', include: ['packages/core/test/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'verifier', include: ['packages/verifier/test/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'lsp', include: ['packages/lsp/test/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'vscode', include: ['packages/vscode/test/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'web', include: ['packages/web/test/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'cli',
          include: ['packages/cli/test/**/*.test.ts'],
          globalSetup: './tools/build-for-tests.ts',
        },
      },
      {
        extends: true,
        test: { name: 'tools', include: ['tools/**/*.test.ts'] },
      },
    ],
  },
});
