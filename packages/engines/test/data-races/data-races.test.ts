import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { findDataRaces } from '../../src/data-races/find-data-races.js';
import type { AccessKind, Program } from '@fencewright/model/program/program.js';
import { spanAt } from '@fencewright/ground/source/span.js';
import { randomAutomata } from '@fencewright/reference/testing/random-automata.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { RaceFindings } from '@fencewright/model/verdict/data-race.js';
import { programOf } from '../robustness/native-program.js';
import { racesByDefinition } from './races-by-definition.js';

const runs = randomRuns(500, 20_000, 70);
const seed = randomSeed(20080607);

const someMarks = fc.array(fc.constantFrom<AccessKind>('plain', 'plain', 'atomic', 'volatile'), {
  minLength: 7,
  maxLength: 7,
});

/**
 * Returns the program with the kinds of accesses in `marks` given to its instructions in turn, and
 * with a place in the text for each: `perLine` instructions are on each line.
 */
function marked(program: Program, marks: readonly AccessKind[], perLine: number): Program {
  let number = 0;
  return {
    ...program,
    threads: program.threads.map((thread) => ({
      ...thread,
      transitions: thread.transitions.map((transition) => {
        const { kind } = transition.instruction;
        const span = spanAt(Math.floor(number / perLine), 0, 1);
        const mark = marks[number++ % marks.length]!;
        const access =
          kind === 'rmw' ? 'atomic' : kind === 'load' || kind === 'store' ? mark : undefined;
        return { ...transition, origin: { span, ...(access && { access }) } };
      }),
    })),
  };
}

const marks = (programs: fc.Arbitrary<Program>): fc.Arbitrary<Program> =>
  fc
    .tuple(programs, someMarks, fc.constantFrom(1, 1, 2))
    .map(([program, list, perLine]) => marked(program, list, perLine));

function linesOf(program: Program, { races }: Pick<RaceFindings, 'races'>): readonly string[] {
  return races.map(({ accesses }) =>
    accesses
      .map(({ thread, transition }) => program.threads[thread]!.transitions[transition]!)
      .map(({ origin }) => origin.span!.start.line)
      .sort((a, b) => a - b)
      .join(' '),
  );
}

describe('data races are those of the definition', () => {
  test.each([
    ['of structured programs', randomProgram({ maxThreads: 3, maxItems: 3 }), 0.3],
    [
      'of many lock blocks',
      randomProgram({ maxThreads: 2, maxItems: 4, many: 'lock blocks' }),
      0.2,
    ],
    ['of many rmws', randomProgram({ maxThreads: 2, maxItems: 4, many: 'rmws' }), 0.1],
    ['of loops', randomProgram({ maxThreads: 2, maxItems: 4, loops: true, endless: true }), 0.3],
    ['of jumps that lead anywhere', randomAutomata({}), 0.1],
  ] as const)('%s', async (_, programs, share) => {
    const counts = { programs: 0, racy: 0, races: 0, inBlocks: 0, partial: 0 };
    await fc.assert(
      fc.asyncProperty(marks(programs), async (program) => {
        const expected = racesByDefinition(program, 20_000);
        if (!expected) return;
        const found = await findDataRaces(program, new Budget());
        const lines = linesOf(program, found);
        expect([...lines].sort()).toEqual([...expected.races].sort());
        const part = await findDataRaces(program, new Budget({ maxStates: 4 }));
        for (const race of linesOf(program, part)) expect(expected.races).toContain(race);
        if (part.races.length < expected.races.size) expect(part.incomplete).toBe('states');
        counts.programs += 1;
        counts.racy += expected.races.size > 0 ? 1 : 0;
        counts.races += expected.races.size;
        counts.inBlocks += expected.inBlocks;
        counts.partial += part.incomplete ? 1 : 0;
      }),
      { numRuns: runs, seed, endOnFailure: false },
    );
    console.log(JSON.stringify(counts));
    expect(counts.racy).toBeGreaterThan(share * counts.programs);
    expect(counts.racy).toBeLessThan(0.95 * counts.programs);
    expect(counts.partial).toBeGreaterThan(0.02 * counts.programs);
  });
});

test('an access whose address cannot be told may race with any', async () => {
  const program = marked(
    programOf(`
      var x
      thread a { local r; while (*) { r = (r + 1) % 1000; } mem[r] = 1; }
      thread b { x = 2; }`),
    ['plain'],
    1,
  );
  const expected = racesByDefinition(program, 20_000);
  expect(expected?.races.size).toBe(1);
  const found = await findDataRaces(program, new Budget());
  expect(new Set(linesOf(program, found))).toEqual(expected?.races);
});
