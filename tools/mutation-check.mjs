// Breaks the checker on purpose, one point at a time, in a copy of the working tree, and tells which tests notice.
// Usage: node tools/mutation-check.mjs [name part]. A mutation that no test notices, or that no longer applies, fails the run.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const attacker = 'packages/core/src/robustness/instrument-attacker.ts';
const helper = 'packages/core/src/robustness/instrument-helper.ts';
const moves = 'packages/core/src/reach/explicit/compile-moves.ts';
const lint = 'packages/core/src/analysis/lint-program.ts';

const mutations = [
  {
    name: 'the attacker goes on after its last load',
    file: attacker,
    from: 'draft.add(copyFrom, last, halt,',
    to: 'draft.add(copyFrom, last, to,',
  },
  {
    name: 'success looks at the newest delayed store, not the first',
    file: attacker,
    from: '...(first ? [keep] : [])',
    to: '...[keep]',
  },
  {
    name: '(W5) is forgotten: the last load may read from the buffer',
    file: attacker,
    from: "condition: binary(isPending ? '!=' : '==', registerValue(scratch.pending), constant(0)),",
    to: "condition: binary(isPending ? '!=' : '>=', registerValue(scratch.pending), constant(0)),",
  },
  {
    name: 'a load joins after a load',
    file: helper,
    from: "[assumeThat(scratch.level, '==', accessLevel.store), ...steps]",
    to: "[assumeThat(scratch.level, '>=', accessLevel.load), ...steps]",
  },
  {
    name: 'a store joins only after a store',
    file: helper,
    from: "assumeThat(scratch.level, '>=', accessLevel.load),",
    to: "assumeThat(scratch.level, '==', accessLevel.store),",
  },
  {
    name: 'levels fall: a load after a store sets the level of a load',
    file: helper,
    from: 'readsOnly ? atLeastLoad : constant(accessLevel.store)',
    to: 'constant(readsOnly ? accessLevel.load : accessLevel.store)',
  },
  {
    name: 'loads on the path raise no level',
    file: helper,
    from: 'readsOnly ? atLeastLoad : constant(accessLevel.store)',
    to: 'readsOnly ? registerValue(level) : constant(accessLevel.store)',
  },
  {
    name: 'an rmw joins as a load',
    file: helper,
    from: "if (instruction.operation.kind !== 'cas')\n        return [{ steps: [{ ...instruction, address }], readsOnly: false }];",
    to: "if (instruction.operation.kind !== 'cas')\n        return [{ steps: [{ ...instruction, address }], readsOnly: true }];",
  },
  {
    name: 'a failing cas counts as a store',
    file: helper,
    from: 'readsOnly: result === 0,',
    to: 'readsOnly: false,',
  },
  {
    name: 'helpers that hold the lock are stopped off the path (Fig. 7 (7), read literally)',
    file: helper,
    from: 'const freezes = freezeOffPath && !locked.has(from);',
    to: 'const freezes = freezeOffPath;',
  },
  {
    name: 'the goal does not wait for the lock to be free',
    file: helper,
    from: "{ kind: 'lock' },\n      {\n        kind: 'auxiliary-load',\n        space: 'control',\n        into: address,",
    to: "{\n        kind: 'auxiliary-load',\n        space: 'control',\n        into: address,",
  },
  {
    name: 'a lock held by the attacker does not stop helpers',
    file: moves,
    from: "return instruction.kind === 'block' ? instruction.steps.some(accesses) : accesses(instruction);",
    to: "return instruction.kind === 'block' ? false : accesses(instruction);",
  },
  {
    name: 'stores that reached memory before the first delayed one count as delayed',
    file: 'packages/core/src/robustness/instrument.ts',
    from: "draft.add(from, instruction, to, { role: 'plain', from: id });\n  });\n  addAttackerCode",
    to: "draft.add(from, instruction.kind === 'store' ? { kind: 'block', steps: [{ kind: 'auxiliary-store', space: 'pending', address: instruction.address, value: { kind: 'constant', value: 1 } }, instruction] } : instruction, to, { role: 'plain', from: id });\n  });\n  addAttackerCode",
  },
  {
    name: 'an rmw does not drain the buffer',
    file: 'packages/core/src/program/instruction.ts',
    from: "    case 'fence':\n    case 'rmw':\n    case 'lock':\n    case 'unlock':\n      return true;",
    to: "    case 'rmw':\n      return false;\n    case 'fence':\n    case 'lock':\n    case 'unlock':\n      return true;",
  },
  {
    name: 'the address is taken after the load has changed its register',
    file: helper,
    from: 'onPathBlocks(instruction, scratch))',
    to: 'onPathBlocks(instruction, scratch).map((b): InstrumentedInstruction => b.kind !== "block" ? b : { ...b, steps: b.steps.map((s) => s.kind === "auxiliary-store" ? { ...s, address: instruction.address } : s) }))',
  },
  {
    name: 'a thread on a cycle of local steps runs alone for ever',
    file: moves,
    from: 'closers[location] !== true &&',
    to: '',
  },
  {
    name: 'unreachable labels are not reported',
    file: lint,
    from: 'unreachableLabel(',
    to: '((..._: unknown[]) => undefined as never)(',
  },
];

const wanted = mutations.filter(({ name }) => name.includes(process.argv[2] ?? ''));
const root = process.cwd();
let failures = 0;
for (const { name, file, from, to } of wanted) {
  const copy = mkdtempSync(join(tmpdir(), 'mutation-'));
  try {
    cpSync(join(root, 'packages/core'), join(copy, 'packages/core'), { recursive: true });
    for (const item of [
      'package.json',
      'tsconfig.json',
      'vitest.config.ts',
      'tools',
      'corpus',
      'examples',
    ])
      cpSync(join(root, item), join(copy, item), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const path = join(copy, file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(from)) {
      failures++;
      console.log(`does not apply  ${name}`);
      continue;
    }
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
    const run = spawnSync(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--reporter=json',
        'packages/core/test/robustness',
        'packages/core/test/analysis',
      ],
      {
        cwd: copy,
        encoding: 'utf8',
        env: { ...process.env, FENCEWRIGHT_RUNS: '600' },
        maxBuffer: 1 << 28,
      },
    );
    const start = run.stdout.indexOf('{"numTotalTestSuites"');
    const end = run.stdout.lastIndexOf('}') + 1;
    const report = JSON.parse(run.stdout.slice(start, end));
    const failed = report.testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title),
    );
    if (failed.length === 0) failures++;
    console.log(`${failed.length === 0 ? 'NOT NOTICED' : 'noticed'}  ${name}`);
    for (const title of failed.slice(0, 6)) console.log(`            ${title}`);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
process.exit(failures === 0 ? 0 : 1);
