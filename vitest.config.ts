import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { inCampaign } from './tools/random-runs.js';

/**
 * Packages are tested from their sources, without a build: the export condition `source` leads
 * there.
 */
const conditions = ['source'];

/** The wings. */
const wings = [
  ...['ground', 'model', 'languages', 'engines', 'proofs'],
  ...['reports', 'nets', 'repairs', 'reference'],
];

/** Packages whose modules keep no state: they are loaded once for many test files. */
const shared = [...wings, 'core', 'verifier'];

/** The packages on the wings whose tests need no build. */
const packages = ['core', 'verifier', 'lsp', 'vscode', 'web'];

/** Tests that replace modules have modules of their own. */
const replacing = ['packages/core/test/api/facts.test.ts'];

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
      ...[...wings, ...packages].map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`packages/${name}/test/**/*.test.ts`],
          exclude: replacing,
          isolate: !shared.includes(name),
        },
      })),
      { extends: true, test: { name: 'core-replacing', include: replacing } },
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
