import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Budget } from '@fencewright/ground/base/budget.js';
import { writeRobustnessProof } from '../../src/closures/write-proof.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { programOf } from '../robustness/native-program.js';
import { cpuTimer } from '@fencewright/reference/testing/cpu-timer.js';

test('a counter without bound ends a proof before its tables are too large', async () => {
  const file = new URL('../../../../examples/textbook/seqlock.fw', import.meta.url);
  const program = finiteProgram(parseNative(readFileSync(file, 'utf8')).model)!;
  const proof = await writeRobustnessProof(program, 'standard', new Budget());
  expect(proof).toEqual({ happensBefore: 'standard' });
});

// `v` counts on from any value that it may have stored, one for each unit of work; the work for
// the kept cells takes more than a millisecond. Addresses do not refute the attack of `t`.
test('a proof ends with its time, also inside of a closure', async () => {
  const program = programOf(`var x, y, a[2]
    thread t { local r; x = 2; y = r; r = a[1]; }
    thread u { local r; r = cas(a[0], 0, 3); r = y; a[1] = 1; r = x; }
    thread v { local r; x = x + 1; r = a[1]; }`);
  const budget = new Budget({ timeout: 1 });
  const took = cpuTimer();
  expect(await writeRobustnessProof(program, 'standard', budget)).toBe('time');
  expect(took()).toBeLessThan(5_000);
});
