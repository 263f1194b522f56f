import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { check } from '../../core/src/api/check.js';
import { prove } from '../../core/src/api/prove.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { useSolver } from './proving.js';

const numRuns = randomRuns(300, 6000, 75);
const seed = randomSeed(20_180_714);

describe('a proof', () => {
  const solver = useSolver();

  it('never speaks of a program of which an instance is not robust', async () => {
    const seen = { standard: 0, value: 0, states: 0, instances: 0 };
    let number = 0;
    await fc.assert(
      fc.asyncProperty(randomProgram({ maxItems: 3 }), async (templates) => {
        const threads = templates.threads.map((_, id) => id);
        const unbounded = [[], threads.slice(-1), threads][number++ % 3] ?? [];
        const open = { templates, unbounded };
        const { verdict } = (await prove(open, { solver, searchInstances: false })).result;
        if (verdict.kind !== 'proved') return;
        const { conclusion } = verdict;
        if (conclusion.kind === 'robust') seen[conclusion.happensBefore]++;
        else seen.states++;
        for (const copies of unbounded.length === 0 ? [1] : [1, 2, 3]) {
          const { program } = instantiate(
            open,
            threads.map(() => copies),
          );
          if (program.threads.length > 4) continue;
          seen.instances++;
          if (conclusion.kind === 'robust') {
            const { happensBefore } = conclusion;
            const limits = { maxStates: 100_000 };
            const decided = await check(program, { happensBefore, limits });
            expect(decided.verdict.kind).not.toBe('not-robust');
            if (copies > 1) continue;
            const options = { happensBefore, stopAtViolation: true, maxTracedStates: 3000 };
            expect(enumerateTraces(program, options).violation).toBeUndefined();
          } else {
            const traces = enumerateTraces(program, { maxTracedStates: 3000 });
            if (traces.complete) expect(traces.finalStates).toBe(traces.sequentialFinalStates);
          }
        }
      }),
      { numRuns, seed },
    );
    console.log('proved', seen);
    expect(seen.standard).toBeGreaterThan(numRuns / 10);
    expect(seen.value).toBeGreaterThan(0);
  });
});
