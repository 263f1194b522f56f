import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { clang, compiled, linesOf, why } from './freed-in-c.js';
import {
  type Deed,
  printFlags,
  randomFlags,
  type RandomFlags,
  type Statement,
  usesOfFlags,
} from './random-flags-c.js';

const runs = randomRuns(240, 5000, 50);
const first = randomSeed(0);

/** The statements of all threads, each with its thread and its line. */
function placesOf(program: RandomFlags): readonly (readonly [Statement, number, number])[] {
  const { lines } = printFlags(program);
  return program.bodies.flatMap((body, t) =>
    body.map((statement, i) => [statement, t, lines[t]![i]!] as const),
  );
}

const put = (flag: number): Statement => ({ kind: 'put', flag, value: 1 });
const unless = (flag: number, deed: Deed): Statement => ({
  kind: 'do',
  deed,
  if: { flag, value: 0 },
});
const write = (block: number): Deed => ({ kind: 'write', block, cell: 0 });
const free = (block: number): Deed => ({ kind: 'free', block });
const create = (thread: number): Statement => ({ kind: 'create', thread });
const join = (thread: number): Statement => ({ kind: 'join', thread });

/**
 * Returns the uses of freed memory that are found, under SC and under TSO, each as the text of its
 * line.
 */
async function usesIn(program: RandomFlags): Promise<readonly (readonly string[])[]> {
  const { text } = printFlags(program);
  const [only] = await compiled([text], 'hand');
  const found: string[][] = [];
  for (const model of ['SC', 'TSO'] as const)
    found.push((await linesOf(only!, model)).map((line) => text.split('\n')[line - 1]!));
  return found;
}

describe.skipIf(!clang)(`uses of freed memory that flags protect${why}`, () => {
  it('are found where main frees again what a joined thread has freed', async () => {
    // The third thread only keeps `main` from being alone: its free never runs, as flag 0 stays 0.
    const again: Statement = { kind: 'do', deed: free(0) };
    const program: RandomFlags = {
      blocks: 1,
      bodies: [
        [create(1), create(2), join(1), again, join(2)],
        [again],
        [{ kind: 'do', deed: free(0), if: { flag: 0, value: 1 } }],
      ],
    };
    const [sc, tso] = await usesIn(program);
    expect(sc).toEqual(['free((void *)block0);']);
    expect(tso).toEqual(sc);
  });

  it('are found where a free stands between the store of a flag and the load of another', async () => {
    const program: RandomFlags = {
      blocks: 2,
      bodies: [
        [create(1), create(2), join(1), join(2)],
        [put(0), { kind: 'do', deed: free(1) }, unless(1, free(0))],
        [put(1), { kind: 'fence' }, unless(0, write(0))],
      ],
    };
    expect(await usesIn(program)).toEqual([
      [],
      ['if (atomic_load(&flag0) == 0) block0->first = 7;'],
    ]);
  });

  it('are none where main uses a block before it creates a thread that lets another free it', async () => {
    const program: RandomFlags = {
      blocks: 1,
      bodies: [
        [create(1), { kind: 'do', deed: write(0) }, create(2), join(1), join(2)],
        [{ kind: 'do', deed: free(0), if: { flag: 0, value: 1 } }],
        [put(0)],
      ],
    };
    expect(await usesIn(program)).toEqual([[], []]);
  });

  it('make main no thread that fills blocks for threads that free them', async () => {
    const program: RandomFlags = {
      blocks: 2,
      bodies: [
        [create(1), { kind: 'do', deed: write(1) }, create(2), join(1), join(2)],
        [put(0), { kind: 'do', deed: free(0) }],
        [put(1), { kind: 'do', deed: free(1) }],
      ],
    };
    const [only] = await compiled([printFlags(program).text], 'filled');
    expect(only!.threads.map(({ name }) => name)).toEqual(['thread1', 'thread2']);
    const steps = only!.threads.flatMap(({ transitions }) => transitions);
    expect(steps.flatMap(({ origin }) => origin.block ?? [])).toEqual(['freed', 'freed']);
  });

  it('are those that an enumeration finds where threads alone access blocks', async () => {
    const counts = { used: 0, onlyByBuffers: 0, byMain: 0, unused: 0, twice: 0 };
    const disagreements: unknown[] = [];
    const all = Array.from({ length: runs }, (_, i) => randomFlags(first + i));
    for (let from = 0; from < runs; from += 60) {
      const chunk = all.slice(from, from + 60);
      const programs = await compiled(
        chunk.map((each) => printFlags(each).text),
        `flags${from}-`,
      );
      for (const [i, each] of chunk.entries()) {
        const underSC = usesOfFlags(each, 'none');
        const underTSO = usesOfFlags(each, 'stores and frees');
        // If frees happen at once, an execution may end earlier.
        const atOnce = usesOfFlags(each, 'stores');
        const saidUnderSC = await linesOf(programs[i]!, 'SC');
        const saidUnderTSO = await linesOf(programs[i]!, 'TSO');
        const isRight =
          JSON.stringify([saidUnderSC, saidUnderTSO]) === JSON.stringify([underSC, underTSO]) &&
          atOnce.every((line) => saidUnderTSO.includes(line));
        if (!isRight)
          disagreements.push({
            ...{ seed: first + from + i, underSC, saidUnderSC },
            ...{ underTSO, atOnce, saidUnderTSO },
          });
        const isAt = (test: (statement: Statement, thread: number) => boolean): boolean =>
          placesOf(each).some(
            ([statement, thread, line]) => underTSO.includes(line) && test(statement, thread),
          );
        counts[underTSO.length > 0 ? 'used' : 'unused']++;
        if (underTSO.length > underSC.length) counts.onlyByBuffers++;
        if (isAt((_, thread) => thread === 0)) counts.byMain++;
        if (isAt((each) => each.kind === 'do' && each.deed.kind === 'free')) counts.twice++;
      }
    }
    console.log(JSON.stringify(counts));
    expect(disagreements).toEqual([]);
    expect(counts.onlyByBuffers).toBeGreaterThan(0.15 * runs);
    for (const least of Object.values(counts)) expect(least).toBeGreaterThan(runs / 20);
  });
});
