import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { decideCover } from '../src/nets/decide-cover.js';
import { readMist } from '../src/nets/formats/read-mist.js';
import { writeProgramOfNet } from '../src/formats/write-program.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { checkParameterized } from '../../core/src/api/check-parameterized.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import type { Net } from '@fencewright/ground/petri/net.js';
import { randomNet } from './random-net.js';

async function robustness(net: Net, maxStates: number): Promise<string> {
  const { model, diagnostics } = parseNative(writeProgramOfNet(net));
  if (model?.kind !== 'unbounded')
    throw new Error(diagnostics.map(({ message }) => message).join());
  const { result } = await checkParameterized(model, { limits: { maxStates } });
  return result.verdict.kind;
}

/**
 * Returns a net whose rule converts two tokens of `a` to one of `b`, with the given initial number
 * of tokens at `a`.
 */
const mergers = (initial: string, target: string): Net =>
  readMist(`vars a b
    rules a >= 2 -> a' = a-2, b' = b+1;
    init a ${initial}, b = 0
    target ${target}`).net!;

test.each([
  ['= 4', 'b >= 2', 'not-robust'],
  ['= 3', 'b >= 2', 'robust'],
  ['>= 0', 'b >= 1', 'not-robust'],
  ['= 2', 'a >= 1, b >= 1', 'robust'],
])('the program of a net with a %s and the target %s', async (initial, target, verdict) => {
  expect(await robustness(mergers(initial, target), 200_000)).toBe(verdict);
});

test('a net can cover a target if and only if its program is not robust', async () => {
  const runs = randomRuns(12, 300);
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(randomNet, async (net) => {
      const { verdict } = await decideCover(net, new Budget({ maxStates: 2_000 }));
      if (verdict.kind === 'unknown') return;
      const said = await robustness(net, 30_000);
      const note = `${verdict.kind}, ${said}`;
      seen.set(note, (seen.get(note) ?? 0) + 1);
      if (said !== 'unknown')
        expect(said).toBe(verdict.kind === 'coverable' ? 'not-robust' : 'robust');
    }),
    { numRuns: runs, seed: randomSeed(1111) },
  );
  expect(seen.get('coverable, not-robust')).toBeGreaterThan(0);
  expect(seen.get('not-coverable, robust')).toBeGreaterThan(0);
}, 600_000);
