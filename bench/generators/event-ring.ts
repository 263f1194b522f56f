import { block, fenceIf, programText, range, type Variant } from './family.js';

/**
 * A chain of `n` events. Each event is started by a flag of the event before, stores to a variable
 * of its own, and reads the variable of the next event; the last event reads the variable of the
 * first. Robust against concurrency; under TSO, the chain may come round before the first store has
 * reached memory, unless there are fences.
 * Source: [BEMR18] Fig. 2, right, with the ring closed.
 */
export function eventRing(n: number, variant: Variant = {}): string {
  const numbers = range(n).map((i) => i + 1);
  return programText(
    `EventRing${n}`,
    [`[BEMR18] Fig. 2, right, n = ${n}, with the ring closed.`],
    `var y0 = 1, ${numbers.map((i) => `x${i}, y${i}, a${i}`).join(', ')}`,
    [
      numbers.map((i) => [
        `event e${i}() { if (y${i - 1} == 1) { async[any] p${i}(); } }`,
        block(`procedure p${i}()`, [
          `x${i} = 1;`,
          fenceIf(variant),
          `a${i} = x${(i % n) + 1};`,
          `async[any] q${i}();`,
        ]),
        `procedure q${i}() { y${i} = 1; }`,
      ]),
      `events ${numbers.map((i) => `e${i}()`).join(', ')}`,
    ],
  );
}
