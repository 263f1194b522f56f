import { describe, expect, test } from 'vitest';
import { programOf } from '../../../engines/test/robustness/native-program.js';
import { walk } from './walk.js';

const ring = programOf(`var x, y, z
  thread slow { local r; z = 1; heavy_fence; r = x; }
  thread one { local r; x = 1; r = y; }
  thread two { local r; y = 1; r = z; }`);

describe('a heavy fence', () => {
  test('does nothing under SC', () => {
    const { state, next } = walk('SC', ring, [
      'slow issue z 1, slow store z 1',
      'slow heavy-fence',
    ]);
    expect(state.asked).toBeUndefined();
    expect(next).toContain('slow load x 0');
  });

  test('waits for its own buffer before it begins', () => {
    expect(walk('TSO', ring, ['slow issue z 1']).next).not.toContain('slow heavy-fence');
  });

  test('waits for every thread whose buffer is not empty, while others go on', () => {
    const begun = ['slow issue z 1', 'slow store z 1', 'two issue y 1', 'slow heavy-fence'];
    const { state, next } = walk('TSO', ring, begun);
    expect(state.asked).toEqual([[2], [], []]);
    expect(next).toEqual(['one issue x 1', 'two store y 1', 'two load z 1']);
    const after = walk('TSO', ring, [...begun, 'two store y 1']);
    expect(after.state.asked).toBeUndefined();
    expect(after.next).toContain('slow load x 0');
  });

  test('does not wait again for a thread that it has reached', () => {
    const steps = [
      ...['two issue y 1', 'two load z 0', 'slow issue z 1', 'slow store z 1'],
      ...['slow heavy-fence', 'one issue x 1', 'one load y 0', 'two store y 1'],
    ];
    const { state, next } = walk('TSO', ring, steps);
    expect(state.buffers.map(({ length }) => length)).toEqual([0, 1, 0]);
    expect(next).toEqual(['slow load x 0', 'one store x 1']);
  });

  test('of two threads each wait for the other only as long as its buffer is not empty', () => {
    const both = programOf('var x thread a { heavy_fence; x = 1; } thread b { heavy_fence; }');
    expect(
      walk('TSO', both, ['a heavy-fence', 'a issue x 1', 'b heavy-fence']).state.asked,
    ).toEqual([[], [0]]);
  });
});
