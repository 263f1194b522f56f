import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Budget } from '../../src/base/budget.js';
import { writeRobustnessProof } from '../../src/closures/write-proof.js';
import { parseNative } from '../../src/frontends/native/parse-native.js';
import { finiteProgram } from '../../src/program/model.js';

test('a counter without bound ends a proof before its tables are too large', async () => {
  const file = new URL('../../../../examples/textbook/seqlock.fw', import.meta.url);
  const program = finiteProgram(parseNative(readFileSync(file, 'utf8')).model)!;
  const proof = await writeRobustnessProof(program, 'standard', new Budget());
  expect(proof).toMatchObject({ attacks: [] });
});
