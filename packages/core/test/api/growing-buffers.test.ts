import { Budget } from '@fencewright/ground/base/budget.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lookAtDrained } from '../../src/api/look-at-drained.js';
import { reach } from '../../src/api/reach.js';

// The loop stores without end before its loads: from each state with empty buffers infinitely many
// states are reachable, and longer buffers take longer.
const program = finiteProgram(
  parseNative(`program Growing
var x, y
thread a { local r; y = 1; x = 1; fence; r = y; }
thread b { local r; loop { y = 1; r = x; y = 1; } }`).model,
)!;

test('where buffers grow for ever, the search for waiting threads gives up after few states', async () => {
  const limits = { maxStates: 200_000 };
  const { sc, tso, model } = await reach(program, { limits });
  expect(tso.incomplete).toBe('states');
  const finished = vi.spyOn(Budget.prototype, 'finishSearch');
  onTestFinished(() => finished.mockRestore());
  const { hangs } = await lookAtDrained(program, { sc, tso, model }, false, new Budget(limits));
  expect(hangs).toMatchObject({ kind: 'unknown', why: { kind: 'limit', reason: 'states' } });
  const states = finished.mock.calls.map(([count]) => count);
  expect(states.length).toBeGreaterThan(0);
  expect(Math.max(...states)).toBeLessThan(10_000);
});
