// Types, and a few tests of each group of rooms, in less than half a minute of CPU time: what a
// change broke is often seen here. `npm test` decides. Usage: npm run quick.
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Parts of names of the test files to run; slow files are left out. */
const groups = {
  program: ['test/program/format', 'test/program/weak-rmw', 'test/trace/trace'],
  semantics: ['test/semantics/'],
  engines: [
    ...['robustness/lock-pitfalls', 'test/automata/', 'shortest-witness'],
    ...['load-buffers/directed', 'any-number/pitfalls', 'repairs/test/fences/certificate'],
    ...['serial/pitfalls', 'threads/pitfalls'],
  ],
  languages: [
    ...['native/structured-statements', 'trencher/parse'],
    ...['llvm-ir/read-module', 'llvm-ir/positions'],
  ],
  proofs: ['proofs/test/houdini', 'proofs/test/horn-words', 'proofs/test/buffer-free'],
  reports: [
    'reports/test/check',
    'reports/test/explain',
    'reports/test/fence',
    'html/explain-html',
  ],
  nets: ['nets/test/formats'],
  'command line': ['cli/test/exit-codes', 'cli/test/terminal', 'cli/test/trf'],
  verifier: ['verifier/test/false-claims', 'pairs/refuter-pitfalls'],
};

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const tests = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: root, encoding: 'utf8' });
const files = Object.entries(groups).flatMap(([group, parts]) =>
  parts.flatMap((part) => {
    const found = tests.split('\n').filter((file) => file.includes(part));
    if (found.length === 0) throw new Error(`no test of the group '${group}' has '${part}'`);
    return found;
  }),
);

/** Runs a script with Node.js; exits with the script's status if the script fails. */
function run(program, ...args) {
  const { status } = spawnSync(process.execPath, [path.join(root, program), ...args], {
    ...{ cwd: root, stdio: 'inherit' },
  });
  if (status !== 0) process.exit(status ?? 1);
}

run('node_modules/typescript-native/bin/tsc', '--singleThreaded', '--noEmit');
run('node_modules/vitest/vitest.mjs', 'run', '--config', 'tools/quick.config.ts', ...files);
