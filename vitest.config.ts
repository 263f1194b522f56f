import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import RandomFirst from './tools/random-first.js';
import { inCampaign } from './tools/random-runs.js';

/**
 * Packages are tested from their sources, without a build: the export condition `source` leads
 * there.
 */
const conditions = ['source'];

/** Packages whose modules keep no state: each worker loads them once for all of their tests. */
const shared = [
  ...['ground', 'model', 'languages', 'engines', 'proofs', 'reports', 'nets', 'repairs'],
  ...['reference', 'core', 'verifier'],
];

/** Other packages whose tests need no build. */
const separate = ['lsp', 'vscode', 'web'];

const testsOf = (packages: readonly string[]) =>
  packages.map((name) => `packages/${name}/test/**/*.test.ts`);

/** Tests that replace modules have modules of their own. */
const replacing = [
  'packages/core/test/api/facts.test.ts',
  'packages/cli/test/fuzz/mutants.test.ts',
];

/** Milliseconds after which a test hangs, however busy the machine is. */
const longest = 3_600_000 * inCampaign(1, 100);

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    pool: 'forks',
    globalSetup: './tools/temporary-folder.ts',
    setupFiles: ['./tools/cpu-of-file.ts'],
    // Tests are bounded by states or CPU time. These only end what hangs.
    testTimeout: longest,
    hookTimeout: longest,
    reporters: ['default', './tools/summary-reporter.ts'],
    // Tests of the command line wait for programs, browsers and servers half of their time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: RandomFirst },
    projects: [
      {
        extends: true,
        test: { name: 'shared', include: testsOf(shared), exclude: replacing, isolate: false },
      },
      {
        extends: true,
        test: { name: 'separate', include: [...testsOf(separate), ...replacing] },
      },
      {
        extends: true,
        test: {
          name: 'cli',
          include: testsOf(['cli']),
          exclude: replacing,
          // Files that share a worker share the warm process of the command line, too.
          isolate: false,
          globalSetup: ['./tools/build-for-tests.ts', './tools/temporary-folder.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'tools', include: ['tools/**/*.test.ts'] },
      },
    ],
  },
});
