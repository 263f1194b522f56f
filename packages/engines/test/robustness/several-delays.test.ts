import { describe, expect, test } from 'vitest';
import { maySeveralDelay } from '../../src/robustness/several-delays.js';
import { programOf } from './native-program.js';

/** Returns threads in a ring: each stores to its own cell and loads the cell of the next thread. */
function ring(between: readonly string[]): string {
  const cell = (t: number): string => `x${t % between.length}`;
  const threads = between.map(
    (fences, t) => `thread t${t} { local r; ${cell(t)} = 1; ${fences} r = ${cell(t + 1)}; }`,
  );
  return [`var ${between.map((_, t) => cell(t)).join(', ')}`, ...threads].join('\n');
}

const h = 'heavy_fence;';

describe('the count of delays and heavy fences', () => {
  // docs/asymmetric.md: the delays of a cycle outnumber its heavy fences.
  test.each([
    [[h, ''], false],
    [[h, '', ''], true],
    [[h + h, '', ''], false],
    [[h + h, '', '', ''], true],
    [[h, '', h, '', ''], true],
    [[h + h, '', h, '', ''], false],
    [[h + h + h, '', '', ''], false],
    // An exchange drains the buffer, and delays nothing.
    [[h, '', 'xchg(x1, 1);'], false],
  ])('in the ring %j leaves room: %s', (between, mayBe) => {
    expect(maySeveralDelay(programOf(ring(between)))).toBe(mayBe);
  });

  test('leaves cycles without heavy fences to the search with one delaying thread', () => {
    const apart = 'var d, e\nthread apart { local r; d = 1; heavy_fence; r = e; }';
    expect(maySeveralDelay(programOf(`${ring(['', '', ''])}\n${apart}`))).toBe(false);
  });
});
