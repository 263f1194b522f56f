import { expect, test } from 'vitest';
import { eventRing } from '../../../../../bench/generators/event-ring.js';
import { checkConcurrency, checkSerialisable } from '../../../src/events/serial/check-serial.js';
import { allReductions } from '../../../src/events/serial/serial-machine.js';
import { parseNative } from '../../../src/frontends/native/parse-native.js';
import { eventModel } from '../../../src/program/model.js';

const ring = (n: number, fences = false) =>
  eventModel(parseNative(eventRing(n, { fences })).model)!.program;

test.each([2, 4, 12])('the ring of %d events needs fences', async (n) => {
  const concurrency = await checkConcurrency(ring(n));
  const serialisable = await checkSerialisable(ring(n));
  expect([concurrency.verdict, serialisable.verdict]).toEqual(['robust', 'not-robust']);
  expect((await checkSerialisable(ring(n, true))).verdict).toBe('robust');
  // Without `skipIdleEvents` twice as many with each event.
  expect(concurrency.figures.states).toBeLessThan(100 + 2 * n ** 3);
  expect(serialisable.figures.states).toBeLessThan(100 + 2 * n ** 3);
});

test('the reductions change no verdict, and each makes the searches smaller', async () => {
  const all = await checkConcurrency(ring(5));
  for (const off of ['forgetDeadCells', 'skipIdleEvents', 'dropLostTargets'] as const) {
    const reductions = { ...allReductions, [off]: false };
    const without = await checkConcurrency(ring(5), { reductions });
    expect(without.verdict, off).toBe('robust');
    expect(without.figures.states, off).toBeGreaterThan(all.figures.states);
    const late = await checkSerialisable(ring(5), { reductions });
    expect(late.verdict, off).toBe('not-robust');
  }
});
