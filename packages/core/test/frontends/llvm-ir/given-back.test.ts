import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { reach } from '../../../src/api/reach.js';
import {
  forAnybody,
  forItself,
  marksDistance,
  markSize,
  marksSize,
} from '../../../src/frontends/llvm-ir/block-marks.js';
import { parseLlvmIr } from '../../../src/frontends/llvm-ir/parse-llvm-ir.js';
import { mostThreads } from '../../../src/frontends/llvm-ir/thread-limit.js';
import { libraryOf, lowered } from './fixtures.js';

function modulesOf(name: string) {
  const file = new URL(`../../fixtures/c/programs/${name}.ll`, import.meta.url);
  return [{ file: name, text: readFileSync(fileURLToPath(file), 'utf8') }, libraryOf('clang-16')];
}

function said(name: string): readonly string[] {
  const { diagnostics } = parseLlvmIr(modulesOf(name), { main: name });
  return diagnostics.map(({ code, span }) => `${code} ${(span?.start.line ?? -1) + 1}`);
}

it('says where memory is given back that main would get again', () => {
  expect(said('given-back-in-main.c')).toEqual(['FW5006 8']);
});

it('says nothing where threads get it again, or only get or only give back', () => {
  expect(said('given-back.c')).toEqual([]);
  expect(said('late-node.c')).toEqual([]);
  expect(said('given-back-only.c')).toEqual([]);
});

async function violated(name: string): Promise<readonly boolean[]> {
  const { sc, tso } = await reach(lowered(modulesOf(name), { main: name }));
  return [sc, tso].map(({ failedAssertions }) => failedAssertions.length > 0);
}

it('finds the node that was another when it is looked at again (ABA)', async () => {
  expect(await violated('given-back-aba.c')).toEqual([true, true]);
  expect(await violated('given-back-once-aba.c')).toEqual([false, false]);
});

it('keeps a mark of its own for each thread that there may be', () => {
  const marks = Array.from({ length: mostThreads + 1 }, (_, thread) => forItself(thread));
  expect(new Set([forAnybody, ...marks]).size).toBe(mostThreads + 2);
  for (const mark of marks) expect(mark + markSize).toBeLessThanOrEqual(marksSize);
  expect(marksSize).toBeLessThan(marksDistance);
});
