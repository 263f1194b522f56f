import { expect, test } from 'vitest';
import { eventRing } from '../../../../../bench/generators/event-ring.js';
import { checkConcurrency, checkSerialisable } from '../../../src/events/serial/check-serial.js';
import { allReductions, type SerialReductions } from '../../../src/events/serial/serial-machine.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { eventModel } from '@fencewright/model/program/model.js';

const ring = (n: number, fences = false) =>
  eventModel(parseNative(eventRing(n, { fences })).model)!.program;

test.each([2, 4, 12])('the ring of %d events needs fences', async (n) => {
  const concurrency = await checkConcurrency(ring(n));
  const serialisable = await checkSerialisable(ring(n));
  expect([concurrency.verdict, serialisable.verdict]).toEqual(['robust', 'not-robust']);
  expect((await checkSerialisable(ring(n, true))).verdict).toBe('robust');
  // Without `skipIdleEvents`, each further event doubles the number of states.
  expect(concurrency.figures.states).toBeLessThan(100 + 2 * n ** 3);
  expect(serialisable.figures.states).toBeLessThan(100 + 2 * n ** 3);
});

test('the reductions change no verdict, and each makes the searches smaller', async () => {
  const states = async (reductions: SerialReductions): Promise<number> => {
    const concurrency = await checkConcurrency(ring(5), { reductions });
    const serialisable = await checkSerialisable(ring(5), { reductions });
    expect([concurrency.verdict, serialisable.verdict]).toEqual(['robust', 'not-robust']);
    return concurrency.figures.states + serialisable.figures.states;
  };
  const all = await states(allReductions);
  for (const off of ['forgetDeadCells', 'skipIdleEvents', 'dropLostTargets'] as const)
    expect(await states({ ...allReductions, [off]: false }), off).toBeGreaterThan(all);
});

test('events that nobody notices are not run in all combinations', async () => {
  const numbers = Array.from({ length: 14 }, (_, i) => i + 1);
  const text = `program apart
    var ready, ${numbers.map((i) => `x${i}`).join(', ')}
    event first() { ready = 1; }
    ${numbers.map((i) => `event e${i}() { local r; r = ready; async[any] p${i}(r); }`).join('\n')}
    ${numbers.map((i) => `procedure p${i}(v) { x${i} = v; }`).join('\n')}
    events first(), ${numbers.map((i) => `e${i}()`).join(', ')}`;
  const { program } = eventModel(parseNative(text).model)!;
  for (const check of [checkConcurrency, checkSerialisable]) {
    const { verdict, figures } = await check(program);
    expect(verdict).toBe('robust');
    expect(figures.states).toBeLessThan(1000);
  }
});
