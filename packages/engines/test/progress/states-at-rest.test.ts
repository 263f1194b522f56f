import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { WaitingState } from '@fencewright/model/verdict/hang.js';
import { hangsByDefinition } from './hangs-by-definition.js';
import { hangBiases, randomHangsText } from './random-hangs.js';

const runs = randomRuns(150, 3000, 45);
const seed = randomSeed(20261127);

/**
 * Returns a state without progress in the form in which the judge writes states: memory, and the
 * registers of ended threads.
 */
function asJudged(program: Program, { state, waiting }: WaitingState): string {
  const cells = [...state.memory].filter(([, value]) => value !== 0).sort(([a], [b]) => a - b);
  const ends = program.threads.map(({ registers }, t) => {
    if (waiting.some(({ thread }) => thread === t)) return 'waits';
    return state.registers[t]!.filter((_, register) => !registers[register]!.hidden);
  });
  return JSON.stringify([cells, ends]);
}

test('the states at rest of SC and of TSO are those of explicit graphs', async () => {
  const counts = { programs: 0, waiting: 0, 'of TSO alone': 0 };
  for (let i = 0; i < runs; i++) {
    const text = randomHangsText(seed + i, hangBiases[i % hangBiases.length]!);
    const program = finiteProgram(parseNative(text).model)!;
    const judged = hangsByDefinition(program, 4, 20_000);
    if (!judged) continue;
    const { hangs } = await reach(program, { limits: { maxStates: 100_000 } });
    if (hangs.kind !== 'found') continue;
    const found = hangs.atRest!;
    counts.programs++;
    counts.waiting += found.length;
    counts['of TSO alone'] += found.filter(({ isSequential }) => !isSequential).length;
    for (const [rests, states] of [
      [judged.scRests, found.filter(({ isSequential }) => isSequential)],
      [judged.tsoRests, found],
    ] as const) {
      const waiting = [...rests].filter((rest) => rest.includes('"waits"'));
      const seen = new Set(states.map((state) => asJudged(program, state)));
      const within = waiting.map((rest) => rest.split('\n'));
      for (const lines of within)
        expect(
          lines.some((line) => seen.has(line)),
          text,
        ).toBe(true);
      for (const one of seen) expect(within.flat(), text).toContain(one);
    }
  }
  console.info(JSON.stringify(counts));
  expect(counts.waiting).toBeGreaterThan(runs / 3);
  expect(counts['of TSO alone']).toBeGreaterThan(0);
});
