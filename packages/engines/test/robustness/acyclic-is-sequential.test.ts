import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { reach } from '../../../core/src/api/reach.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';

const runs = randomRuns(250, 20_000, 100);
const seed = randomSeed(20130319);

/**
 * Random programs without lock blocks: a lock that is never released blocks the stores of other
 * threads, and such executions have no end to compare.
 */
const programs = fc.oneof(randomProgram(), randomProgram({ fewValues: true }));

// [BDM13] Lemma 1, tested by a machine that does not know happens-before. For the notion `value`,
// docs/value-happens-before.md has the argument.
test.each(['standard', 'value'] as const)(
  'the executions without a cycle end in the final states of SC: %s',
  async (happensBefore) => {
    const seen = { different: 0, locked: 0, cyclic: 0 };
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const traces = enumerateTraces(program, { maxTracedStates: 10_000, happensBefore });
        const { sc, tso } = await reach(program);
        fc.pre(traces.complete && !sc.incomplete && !tso.incomplete);
        expect(traces.finalStates).toBe(tso.finalStates.length);
        expect(traces.sequentialFinalStates).toBe(sc.finalStates.length);
        if (traces.finalStates > traces.sequentialFinalStates) seen.different++;
        if (traces.cyclicExecutions > 0) seen.cyclic++;
        const locks = program.threads.filter(({ transitions }) =>
          transitions.some(({ instruction }) => instruction.kind === 'lock'),
        );
        if (locks.length > 0 && traces.cyclicExecutions > 0) seen.locked++;
      }),
      { numRuns: runs, seed },
    );
    console.info(JSON.stringify(seen));
    expect(seen.locked).toBeGreaterThan(runs / 200);
    expect(seen.different).toBeGreaterThan(runs / 100);
  },
);
