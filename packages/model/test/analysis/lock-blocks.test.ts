import { expect, test } from 'vitest';
import { computeLockBlocks } from '../../src/analysis/lock-blocks.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

/** Returns, for each label of the thread, the labels at which its lock block may have begun. */
function blocksOf(code: string): Readonly<Record<string, string>> {
  const [thread] = programOf(`var x, y, z thread t { local r; ${code} }`).threads;
  const blocks = computeLockBlocks(thread!);
  const name = (at: number): string[] => {
    const label = thread!.locations[at]!;
    return label.hidden ? [] : [label.name];
  };
  return Object.fromEntries(
    thread!.locations.flatMap((_, at) =>
      name(at).map((label) => [label, blocks(at).flatMap(name).sort().join(' ')]),
    ),
  );
}

test('a block comes from all that stands before in it, whatever branch it took, and from nothing outside', () => {
  expect(
    blocksOf(`before: x = 1; lock; a: r = x; if (r == 0) { b: y = 1; } else { c: y = 2; }
      d: z = 1; unlock; behind: x = 2;`),
  ).toEqual({ before: '', a: 'a', b: 'a b', c: 'a c', d: 'a b c d', behind: '' });
});

test('every block of a thread is one', () => {
  expect(blocksOf('lock; a: x = 1; b: y = 1; unlock; lock; c: z = 1; unlock; d: x = 2;')).toEqual({
    a: 'a',
    b: 'a b',
    c: 'c',
    d: '',
  });
});

test('a block that one branch ends goes on in the other', () => {
  const blocks = blocksOf(
    'lock; a: r = x; if (r == 0) { b: y = 1; unlock; c: z = 1; } else { d: y = 2; e: z = 2; unlock; }',
  );
  expect(blocks).toEqual({ a: 'a', b: 'a b', c: '', d: 'a d', e: 'a d e' });
});
