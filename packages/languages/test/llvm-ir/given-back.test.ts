import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { reach } from '../../../core/src/api/reach.js';
import {
  forAnybody,
  forItself,
  marksDistance,
  markSize,
  marksSize,
} from '../../src/llvm-ir/block-marks.js';
import { mostThreads } from '../../src/llvm-ir/thread-limit.js';
import { libraryOf, lowered } from './fixtures.js';

function modulesOf(name: string) {
  const file = new URL(`../fixtures/c/programs/${name}.ll`, import.meta.url);
  return [{ file: name, text: readFileSync(fileURLToPath(file), 'utf8') }, libraryOf('clang-16')];
}

async function violated(name: string): Promise<readonly boolean[]> {
  const { sc, tso } = await reach(lowered(modulesOf(name), { main: name }));
  return [sc, tso].map(({ failedAssertions }) => failedAssertions.length > 0);
}

it('finds the node that was another when it is looked at again (ABA)', async () => {
  expect(await violated('given-back-aba.c')).toEqual([true, true]);
  expect(await violated('given-back-once-aba.c')).toEqual([false, false]);
  // The threads call a function through a pointer; the function starts no threads.
  expect(await violated('given-back-aba-through-pointer.c')).toEqual([true, true]);
  expect(await violated('given-back-aba-in-starter.c')).toEqual([true, true]);
});

it('keeps a mark of its own for each thread that there may be', () => {
  const marks = Array.from({ length: mostThreads + 1 }, (_, thread) => forItself(thread));
  expect(new Set([forAnybody, ...marks]).size).toBe(mostThreads + 2);
  for (const mark of marks) expect(mark + markSize).toBeLessThanOrEqual(marksSize);
  expect(marksSize).toBeLessThan(marksDistance);
});
