import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * Packages are tested from their sources, without a build: the export condition `source` leads
 * there.
 */
const conditions = ['source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', './tools/summary-reporter.ts'],
    // By default one core is left to others.
    maxWorkers: availableParallelism(),
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
