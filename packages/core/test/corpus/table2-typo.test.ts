import { parseTrencher } from '@fencewright/languages/trencher/parse-trencher.js';
import { lintProgram } from '@fencewright/model/analysis/lint-program.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { expect, test } from 'vitest';
import { mendReaders } from '../../../../tools/reproduce-table2.mjs';
import { check } from '../../src/api/check.js';
import { fence } from '../../src/api/fence.js';

/**
 * Store buffering with the typing error of the NBW inputs of [BDM13] Table 2: the second load of
 * the first thread is unreachable, as `r2` leads to `r3`, and the code goes on at `r4`.
 */
const typo = `
thread reader
initial r1
transition r1 r2 write 1 0
transition r2 r3 read other 2
transition r4 r5 read seen 1
end

thread writer
initial w1
transition w1 w2 write 1 1
transition w2 w3 read seen 0
end
`;

function read(text: string) {
  const program = finiteProgram(parseTrencher(text).model);
  if (!program) throw new Error('not read');
  return program;
}

test('a missing transition hides a violation, and a warning names the thread', async () => {
  const program = read(typo);
  const { verdict } = await check(program);
  expect(verdict.kind).toBe('robust');
  const codes = lintProgram(program).map(({ code }) => code);
  expect(codes).toContain('FW2002');
});

test('mended, the reader goes on, and its store may pass the second load', async () => {
  const mended = mendReaders(typo);
  expect(mended).toContain('transition r2 r4 read other 2');
  const program = read(mended);
  expect((await check(program)).verdict.kind).toBe('not-robust');
  // Both threads delay their store past a load, and the other thread's store overtakes this load.
  const { verdict } = await fence(program);
  expect(verdict.kind === 'found' && verdict.repairs.length).toBe(2);
  expect(lintProgram(program)).toEqual([]);
});
