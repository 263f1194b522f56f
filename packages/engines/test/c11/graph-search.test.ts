import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { isConsistent } from '@fencewright/model/c11/consistency.js';
import type { Program } from '@fencewright/model/program/program.js';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { compileC11 } from '../../src/c11/c11-steps.js';
import { type AllGraphs, type EndedGraph, searchGraphs } from '../../src/c11/graph-search.js';
import { programOf } from '../robustness/native-program.js';
import { allOutcomes } from './all-outcomes.js';
import { answerByGraphs } from './all-graphs.js';
import { publicationSketch } from './publication-sketch.js';
import { type ProgramSketch, randomSketch, textOf } from './sketch.js';

function search(program: Program, maxStates = 50_000): Promise<AllGraphs> {
  return searchGraphs(compileC11(program, 'shown'), 'c11', new Budget({ maxStates }));
}

/**
 * Returns a text of the final memory and the threads' registers, with `w` in place of the register
 * of a thread that waits.
 */
function finalOf(
  { cells: names }: ProgramSketch,
  program: Program,
  { cells }: AllGraphs,
  { memory, places, waiting }: EndedGraph,
): string {
  const values = names.map((name) => {
    const symbol = program.symbols.find((one) => one.name === name)!;
    return memory[cells.indexOf.get(symbol.base) ?? -1] ?? 0;
  });
  const threads = places.map((place, thread) =>
    waiting.some((one) => one.thread === thread) ? 'w' : `r${place!.registers[0]}`,
  );
  return [...values, ...threads].join();
}

/** Returns the judge's outcomes, with `w` in place of the location of each waiting thread. */
function withoutPlaces(finals: ReadonlySet<string>, cells: number): readonly string[] {
  const all = [...finals].map((one) =>
    one
      .split(',')
      .map((part, i) => (i < cells || part.startsWith('r') ? part : 'w'))
      .join(),
  );
  return [...new Set(all)].sort();
}

/** Returns the text with an assertion at the end of each thread. */
function withClaims(sketch: ProgramSketch, forbidden: readonly number[]): string {
  let thread = 0;
  const text = textOf(sketch).replace('program Sketch\n', '');
  return text.replaceAll('\n}', () => `\n  assert(r != ${forbidden[thread++]});\n}`);
}

describe('all execution graphs', () => {
  test('outcomes and failing assertions of random programs, by the definitions', async () => {
    const counts = { programs: 0, more: 0, waits: 0, fails: 0, holds: 0, fewer: 0 };
    const first = randomSeed(90_000);
    for (let seed = first; seed < first + randomRuns(250, 4000); seed++) {
      const sketch =
        seed % 2 === 0
          ? randomSketch(seed, { branches: true, plain: seed % 6 === 0 })
          : publicationSketch(seed, true);
      const outcomes = allOutcomes(sketch, 3000);
      if (!outcomes) continue;
      const random = new SeededRandom(seed);
      const forbidden = sketch.threads.map(() => random.below(4));
      const program = programOf(withClaims(sketch, forbidden));
      const found = await search(program);
      expect(found.incomplete).toBe(undefined);
      counts.programs += 1;
      const { length } = sketch.cells;
      const finals = (ends: readonly EndedGraph[]): readonly string[] =>
        [...new Set(ends.map((end) => finalOf(sketch, program, found, end)))].sort();
      const wanted = withoutPlaces(outcomes.c11.finals, length);
      expect([seed, finals(found.ends)]).toEqual([seed, wanted]);
      const ofSC = withoutPlaces(outcomes.sc.finals, length);
      expect([seed, finals(found.ends.filter(({ isOfSC }) => isOfSC))]).toEqual([seed, ofSC]);
      const failing = forbidden.flatMap((value, t) =>
        outcomes.c11.registers.has(`${t} ${value}`) ? [t] : [],
      );
      const failed = [...new Set(found.failures.map(({ thread }) => thread))].sort();
      expect([seed, failed]).toEqual([seed, failing]);
      for (const { graph } of [...found.failures, ...found.ends.slice(0, 3)])
        expect(isConsistent(graph, 'c11')).toBe(true);
      if (wanted.length > ofSC.length) counts.more += 1;
      if (wanted.some((one) => one.includes('w'))) counts.waits += 1;
      counts[failing.length > 0 ? 'fails' : 'holds'] += 1;
      const graphs = answerByGraphs(sketch, 'c11', 3000)?.graphs;
      if (graphs && graphs > found.graphs) counts.fewer += 1;
    }
    if (isCampaign) console.log(counts);
    for (const word of ['more', 'waits', 'fails', 'holds', 'fewer'] as const)
      expect(counts[word], word).toBeGreaterThan(5);
  });
});

describe('programs with loops', () => {
  const publisher = 'thread a { store(x, 1, relaxed); store(y, 1, relaxed); }';
  const reader =
    'thread b { local r, s; r = load(y, relaxed); s = load(x, relaxed); assert(r == 0 || s == 1); }';

  test.each(['loop { store(z, 1); }', 'loop { fence(seq_cst); }', 'await (load(z) == 1);'])(
    'no loop keeps other threads from going on: %s',
    async (loop) => {
      const text = `var x, y, z thread c { ${loop} } ${publisher} ${reader}`;
      const code = compileC11(programOf(text), 'shown');
      const all = await searchGraphs(code, 'c11', new Budget({ maxStates: 50_000 }), {
        most: 400,
      });
      expect(all.failures).toMatchObject([{ thread: 2, isOfSC: false }]);
    },
  );

  test('polls have finitely many executions without turns', async () => {
    const text = `var x, y ${publisher}
      thread b { local r, s; while (r == 0) { r = load(y, relaxed); fence(acquire); } s = load(x); }
      thread c { local r; while (r == 0) { r = load(x, relaxed); r = load(y, relaxed); } }`;
    const all = await search(programOf(text));
    expect([all.incomplete, all.hasTurns]).toEqual([undefined, true]);
  });

  test('a data race in a turn that is left out', async () => {
    const text = `var plain p var f
      thread a { p = 1; store(f, 1, release); }
      thread b { local r, s; while (r == 0) { r = load(f, acquire); if (r == 0) { s = p; s = 0; } } }`;
    expect((await search(programOf(text))).racing).toBeDefined();
  });

  test('a thread that turns in vain does not keep others from going on', async () => {
    const spin = 'thread c { local q; while (q == 0) { q = load(z); } }';
    const all = await search(programOf(`var x, y, z ${spin} ${publisher} ${reader}`));
    expect(all.failures).toMatchObject([{ thread: 2, isOfSC: false }]);
  });
});
