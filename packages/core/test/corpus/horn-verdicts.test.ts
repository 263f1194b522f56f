import { afterAll, describe, expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { createNativeZ3 } from '../../src/node/z3-process.js';
import { enumerateAttacks } from '@fencewright/engines/robustness/attacks.js';
import { attacksToDecide } from '@fencewright/reference/instrument/instrument.js';
import { describeWith } from '../../../../tools/external-program.js';
import { loadCorpus, parseCorpusFile } from './load-corpus.js';

/** Returns the programs that need a solver for at most a few seconds. */
function smallPrograms(folder: Parameters<typeof loadCorpus>[0]) {
  return loadCorpus(folder)
    .map((file) => ({ ...file, program: parseCorpusFile(file) }))
    .filter(({ program }) => {
      const attacks = attacksToDecide(program, enumerateAttacks(program)).length;
      return attacks > 0 && attacks <= 8 && program.threads.length <= 3;
    });
}

describeWith('z3', ['--version'], 'small programs of the corpus', () => {
  const smtSolver = createNativeZ3();
  afterAll(() => smtSolver.close());

  describe.each(['corpus/figures', 'corpus/litmus', 'examples'] as const)('%s', (folder) => {
    test.each(smallPrograms(folder))('$path: chc gives the expected verdict', async (file) => {
      const { verdict } = await check(file.program, { engine: { name: 'chc', smtSolver } });
      expect(verdict.kind).toBe(file.expected.verdict);
    });
  });
});
