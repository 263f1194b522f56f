import { finiteProgram } from '@fencewright/model/program/model.js';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { hornText } from '../../../core/src/api/horn-text.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { createNativeZ3 } from '../../../core/src/node/z3-process.js';
import { enumerateAttacks } from '@fencewright/engines/robustness/attacks.js';
import { attacksToDecide, instrumentAttack } from '@fencewright/reference/instrument/instrument.js';
import { readRepositoryFile } from '../../../core/test/corpus/load-corpus.js';
import { describeWith } from '../../../../tools/external-program.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';
import { usualCases } from '../../../../tools/usual-cases.js';

const folder = 'examples/unbounded';
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const files = readdirSync(root + folder).filter((name) => name.endsWith('.fw'));

describeWith('z3', ['--version'], 'programs with infinitely many states', () => {
  const smtSolver = createNativeZ3();
  afterAll(() => smtSolver.close());

  test.each(usualCases(files, (name) => name !== 'ticket-lock.fw'))(
    '%s is proved robust by chc, and is too much for search',
    async (name) => {
      const text = readRepositoryFile(`${folder}/${name}`);
      const expected = readRepositoryFile(`${folder}/${name.replace('.fw', '.expected.json')}`);
      const { model } = parseNative(text);
      const program = finiteProgram(model);
      if (!program) throw new Error(`${name} does not parse`);
      const proved = await check(program, { engine: { name: 'chc', smtSolver } });
      expect(proved.verdict.kind).toBe((JSON.parse(expected) as { verdict: string }).verdict);
      const searched = await check(program, { limits: { maxStates: 20_000 } });
      expect(searched.verdict).toMatchObject({ kind: 'unknown', reason: 'states' });
    },
  );

  test('the exported question has the answer of the engine', async () => {
    const feasible = programOf(`var x, y
      thread p { local r, n; loop { n = n + 1; x = n; r = y; } }
      thread q { local r, n; loop { n = n + 1; y = n; r = x; } }`);
    const [attack] = attacksToDecide(feasible, enumerateAttacks(feasible));
    if (!attack) throw new Error('no attack');
    const { text = '' } = hornText(instrumentAttack(feasible, attack), feasible);
    const script = text.replace('(set-logic HORN)', '').replace('(check-sat)', '');
    const answer = await smtSolver.solve({ logic: 'HORN', script, timeout: 60_000 });
    expect(answer.kind).toBe('unsat');
    const { verdict } = await check(feasible, { engine: { name: 'chc', smtSolver } });
    expect(verdict.kind).toBe('not-robust');
  });
});

describe('what Horn clauses cannot say', () => {
  test('is refused', () => {
    const chased = programOf(`var head
      thread p { local a; loop { a = head; mem[a + 1] = a; head = a + 1; a = mem[a]; } }
      thread q { local a; loop { a = head; mem[a] = 1; a = mem[a + 1]; } }`);
    const [attack] = enumerateAttacks(chased);
    if (!attack) throw new Error('no attack');
    const { text, diagnostics } = hornText(instrumentAttack(chased, attack), chased);
    expect(text).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['FW1012']);
  });
});
