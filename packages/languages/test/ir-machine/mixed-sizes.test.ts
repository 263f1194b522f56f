import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { allClangs, folderOfTests } from '../../../core/test/node/clang/clangs.js';
import { compareAll } from './compare.js';
import { mixedKinds, randomMixedC } from './random-mixed-c.js';

/*
 * Compares accesses of several sizes with a machine of bytes that has a store buffer: a store puts
 * all its bytes into the buffer, and later into memory, in one step; a load reads each byte from
 * the newest buffered store of its own thread to this byte, or from memory, in one step.
 */

const runs = randomRuns(60, 2000, 10);
const first = randomSeed(0);
const limits = { maxStates: 50_000, toolStates: 200_000 };
/**
 * The minimum number of programs in a run that lets the test expect each of `mixedKinds`, as an
 * access to a part, several times.
 */
const leastCounted = 200;

const clang = (await allClangs()).find(({ kind }) => kind === 'native');
const folder = folderOfTests();

describe.skipIf(!clang)('random programs with several sizes', () => {
  test('the tool says what a machine of bytes does', async () => {
    const counts = new Map<string, number>();
    const add = (what: string): void => {
      counts.set(what, (counts.get(what) ?? 0) + 1);
    };
    const disagreements: unknown[] = [];
    for (let done = 0; done < runs; done += 20) {
      const programs = Array.from({ length: Math.min(20, runs - done) }, (_, i) => {
        const seed = first + done + i;
        return { seed, made: randomMixedC(seed) };
      });
      const compared = await compareAll(clang!, programs, folder, limits);
      compared.forEach(({ seed, said, judged, text, asked, disagreements: found }, i) => {
        const verdict = judged.kind === 'judged' ? judged.verdict : judged.why;
        if (said.kind === 'refused') add('refused');
        add(said.kind === 'refused' ? `refused: ${said.why.replace(/'[^']*'|\d+/g, '?')}` : 'said');
        add(`judged: ${verdict}`);
        if (said.kind === 'said') {
          add(`said: ${said.verdict}`);
          for (const kind of programs[i]!.made.kinds) add(kind);
        }
        if (found.length > 0) disagreements.push({ seed, found, asked, text });
      });
    }
    console.log(Object.fromEntries([...counts].toSorted()));
    expect(disagreements).toEqual([]);
    expect(counts.get('said') ?? 0).toBeGreaterThan(runs / 3);
    if (runs < leastCounted) return;
    expect(mixedKinds.filter((kind) => (counts.get(kind) ?? 0) < runs / 50)).toEqual([]);
  });
});
