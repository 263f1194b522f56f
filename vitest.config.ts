import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * Packages are tested from their sources, without a build: the export condition `source` leads
 * there.
 */
const conditions = ['source'];

/** The wings, and the packages on them whose tests need no build. */
const packages = [
  'ground',
  'model',
  'languages',
  'engines',
  'proofs',
  'reports',
  'nets',
  'repairs',
  'reference',
  'core',
  'verifier',
  'lsp',
  'vscode',
  'web',
];

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
      ...packages.map((name) => ({
        extends: true as const,
        test: { name, include: [`packages/${name}/test/**/*.test.ts`] },
      })),
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
