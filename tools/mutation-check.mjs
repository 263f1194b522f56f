// Breaks the checker on purpose, one point at a time, in a copy of the working tree, and reports
// the tests that notice. Usage: node tools/mutation-check.mjs [name part ...]. The run fails on a
// mutation noticed by no test, on a mutation that no longer applies, and on a known gap that some
// test notices after all. Hand-written tests run first; tests on random programs run only if no
// hand-written test notices. A mutation with `tests` has its own tests, with `runs` as many random
// cases; with a `project`, the tests belong to that package.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allMutations } from './all-mutations.mjs';
import { judgeMutation, mutated, notApplied } from './mutation-rules.mjs';

/** The test suites, tried in this order until a test notices. */
const suites = [
  {
    label: '',
    files: [
      'packages/engines/test/robustness/pitfalls.test.ts',
      'packages/engines/test/robustness/lock-pitfalls.test.ts',
      'packages/engines/test/robustness/value-pitfalls.test.ts',
      'packages/engines/test/robustness/trencher-pitfalls.test.ts',
      'packages/engines/test/search/verdicts.test.ts',
      'packages/engines/test/search/owned-cells.test.ts',
      'packages/engines/test/automata/automata.test.ts',
      'packages/engines/test/search/shortest-witness.test.ts',
    ],
  },
  {
    label: '',
    files: [
      'packages/model/test/semantics',
      'packages/model/test/trace',
      'packages/ground/test/base',
      'packages/core/test/api',
      'packages/model/test/analysis',
      'packages/reference/test/explicit/budgets.test.ts',
      'packages/reference/test/explicit/dead-registers.test.ts',
      'packages/reference/test/explicit/explicit-engine.test.ts',
      'packages/reference/test/explicit/state-store.test.ts',
    ],
  },
  {
    label: 'only by random programs: ',
    files: [
      'packages/engines/test/robustness/agreement.test.ts',
      'packages/engines/test/search/search-agreement.test.ts',
    ],
  },
];

/**
 * The suites for a mutation, with paths from the root of the repository: the mutation's own tests,
 * in its project if named; otherwise all suites.
 */
function suitesFor({ tests, project }) {
  if (!tests) return suites;
  const files = project ? tests.map((file) => `packages/${project}/test/${file}`) : tests;
  return [{ label: '', files }];
}

/** Returns the titles of the tests that fail in the copy, with `runs` random cases each. */
function failingTests(copy, runs, files, ...options) {
  const run = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=json',
      '--testTimeout=180000',
      ...options,
      ...files,
    ],
    {
      cwd: copy,
      encoding: 'utf8',
      env: {
        FENCEWRIGHT_MUTATED: '1',
        ...(runs && { FENCEWRIGHT_RUNS: String(runs) }),
        ...process.env,
      },
      maxBuffer: 1 << 28,
      timeout: 600_000,
    },
  );
  const start = run.stdout.indexOf('{"numTotalTestSuites"');
  if (start < 0) return ['the tests do not come to an end'];
  const report = JSON.parse(run.stdout.slice(start, run.stdout.lastIndexOf('}') + 1));
  // The test runner itself may be broken; a run without tests proves nothing.
  if (report.numTotalTests === 0) return ['no test can be run'];
  return report.testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((result) => result.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [`${name} cannot be run`];
    return failed.map(({ fullName }) => fullName);
  });
}

function copyTree(root, copy) {
  for (const item of [
    'packages',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
    'tools',
    'corpus',
    'examples',
    'docs',
    'README.md',
    'bench',
    // The build of the command line needs the licences.
    'LICENSE',
    'THIRD-PARTY-LICENSES.txt',
  ])
    cpSync(join(root, item), join(copy, item), { recursive: true });
  linkModules(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/** Links installed packages to the working tree, and packages of this repository to the copy. */
function linkModules(modules, copied) {
  mkdirSync(join(copied, '@fencewright'), { recursive: true });
  for (const name of readdirSync(modules))
    if (name !== '@fencewright') symlinkSync(join(modules, name), join(copied, name));
  for (const name of readdirSync(join(modules, '@fencewright')))
    symlinkSync(join('../../packages', name), join(copied, '@fencewright', name));
}

/**
 * Applies the mutation to the copy, runs the tests and reverts the mutation. Returns the argument
 * `noticedBy` of `judgeMutation`.
 */
function whatNotices(copy, mutation) {
  const path = join(copy, mutation.file);
  const text = readFileSync(path, 'utf8');
  const broken = mutated(text, mutation);
  if (broken === undefined) return notApplied;
  writeFileSync(path, broken);
  try {
    for (const { label, files } of suitesFor(mutation)) {
      const failed = failingTests(copy, mutation.runs, files, '--bail=1');
      if (failed.length > 0) return label + failed[0];
    }
    return undefined;
  } finally {
    writeFileSync(path, text);
  }
}

const parts = process.argv.slice(2);
const wanted = allMutations.filter(
  ({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
);
const copy = mkdtempSync(join(tmpdir(), 'mutation-'));
let failures = 0;
try {
  copyTree(process.cwd(), copy);
  const failed = [...new Set(wanted.map(({ runs }) => runs))].flatMap((runs) => {
    const own = wanted.filter((mutation) => mutation.runs === runs);
    const needed = own.flatMap((mutation) => suitesFor(mutation).slice(0, 2));
    const files = [...new Set(needed.flatMap((suite) => suite.files))];
    return files.length === 0 ? [] : failingTests(copy, runs, files);
  });
  if (failed.length > 0)
    throw new Error(`these tests fail without a mutation: ${failed.join(', ')}`);
  for (const mutation of wanted) {
    const { fails, text } = judgeMutation(mutation, whatNotices(copy, mutation));
    console.log(text);
    if (fails) failures++;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);
