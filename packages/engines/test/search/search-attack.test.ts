import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { attacksByName } from '../../../core/src/api/attack-by-name.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import type { Program } from '@fencewright/model/program/program.js';
import { attackName } from '@fencewright/reports/words/attack-name.js';
import { enumerateAttacks, isInfeasibleByControlFlow } from '../../src/robustness/attacks.js';
import { searchAttack } from '../../src/search/search-attack.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { hasCycle } from '@fencewright/model/trace/cycle.js';
import { buildTrace } from '@fencewright/model/trace/trace.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import { programOf } from '../robustness/native-program.js';

/** The number of random programs. A campaign started by hand sets FENCEWRIGHT_ATTACK_RUNS=20000. */
const runs = randomRuns(100, 20_000, 30);

const budget = (): Budget => new Budget({ maxStates: 200_000 });
const keyOf = ({ thread, store, load }: Attack): string => `${thread}.${store}.${load}`;

/** Whether the load of the attack reads memory while the store of the attack is in the buffer. */
function carriesOut({ computation }: Witness, { thread, store, load }: Attack): boolean {
  const own = computation.filter((action) => action.thread === thread);
  return own.some((action, at) => {
    if (action.kind !== 'load' || action.transition !== load || action.early) return false;
    const before = own.slice(0, at);
    const issued = before.filter(({ kind }) => kind === 'issue');
    const stored = before.filter(({ kind }) => kind === 'store').length;
    return issued.slice(stored).some(({ transition }) => transition === store);
  });
}

function expectWitness(program: Program, attack: Attack, witness: Witness | undefined): void {
  if (!witness) expect.fail('a feasible attack has a witness');
  expect(witness.attack).toEqual(attack);
  expect(replayStates(program, witness.computation)?.at(-1)?.buffers.flat()).toEqual([]);
  expect(hasCycle(buildTrace(witness.computation), 'standard')).toBe(true);
  expect(carriesOut(witness, attack)).toBe(true);
}

const codeOf = ({ threads }: Program, thread: number): string =>
  JSON.stringify(threads[thread]!.transitions.map(({ instruction }) => instruction));

const statement = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('x = 1;', 'y = 1;', 'x = 2;') },
  { weight: 4, arbitrary: fc.constantFrom('r = x;', 'r = y;', 'q = y;') },
  { weight: 1, arbitrary: fc.constantFrom('fence;', 'r = xchg(x, 3);', 'q = q + 1;') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('if (r == 0) { x = q; } else { q = y; }', 'atomic { y = r; }'),
  },
);

/** Two statements: a store, and a later load of the other cell. */
const crossing = fc.constantFrom<readonly string[]>(
  ['x = 1;', 'r = y;'],
  ['y = 1;', 'r = x;'],
  ['x = 2;', 'q = y;'],
);
/** A store, a later load of the other cell, and perhaps a third statement at any position. */
const delaying = fc
  .tuple(crossing, fc.option(statement, { freq: 2 }), fc.nat(2))
  .map(([both, more, at]) => (more === null ? both : both.toSpliced(at, 0, more)));

/**
 * Random bodies of threads: two different bodies; two equal bodies, long enough for the threads to
 * meet on the way; or three short bodies, two of them equal, for enumeration.
 */
const bodiesOfThreads = fc.oneof(
  fc.array(fc.array(statement, { minLength: 2, maxLength: 4 }), { minLength: 2, maxLength: 2 }),
  fc.tuple(delaying, crossing).map((parts) => [parts.flat(), parts.flat()]),
  fc.tuple(delaying, crossing).map(([one, other]) => [one, other, one]),
);

/**
 * Random programs with two cells and many stores before loads; most have two threads of equal code.
 */
const programs = bodiesOfThreads.map((bodies) => {
  const threads = bodies.map(
    (body, t) => `thread t${t} {\n  local r, q;\n  ${body.join('\n  ')}\n}\n`,
  );
  return programOf(`var x, y\n${threads.join('')}`);
});

describe('an attack by itself', () => {
  test(`is decided as by definition, in ${runs} random programs, and witnessed`, async () => {
    const count = { feasible: 0, infeasible: 0, 'by-cfg': 0, twins: 0, 'met by a twin': 0 };
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const definition = attacksByDefinition(program);
        if (!definition.complete) return;
        const feasible = new Set(definition.feasible.map(keyOf));
        for (const attack of enumerateAttacks(program)) {
          const { decided, witness } = await searchAttack(program, attack, budget());
          expect(decided.attack).toEqual(attack);
          const isFeasible = feasible.has(keyOf(attack));
          const expected = isFeasible
            ? 'feasible'
            : isInfeasibleByControlFlow(program, attack)
              ? 'by-cfg'
              : 'infeasible';
          expect(decided.verdict).toBe(expected);
          count[expected]++;
          if (isFeasible) expectWitness(program, attack, witness);
          else expect(witness).toBeUndefined();
          const own = codeOf(program, attack.thread);
          const twins = new Set(
            program.threads.flatMap((_, t) =>
              t !== attack.thread && codeOf(program, t) === own ? [t] : [],
            ),
          );
          if (isFeasible && [...twins].some((t) => t < attack.thread)) count.twins++;
          const isMet = witness?.cycle.some(({ from }) =>
            twins.has(witness.computation[from]!.thread),
          );
          if (isMet) count['met by a twin']++;
        }
      }),
      { numRuns: runs, seed: 20261123 },
    );
    console.log(count);
    for (const [what, number] of Object.entries(count))
      expect(number, what).toBeGreaterThan(runs / 5);
  });

  test('is found by its name again', () => {
    fc.assert(
      fc.property(programs, (program) => {
        for (const attack of enumerateAttacks(program)) {
          const { attacks } = attacksByName(program, attackName(program, attack));
          expect(attacks).toContainEqual(attack);
        }
      }),
      { numRuns: randomRuns(100, 2000, 30), seed: randomSeed(7) },
    );
  });

  test('has a name of lines, of labels where those tell more', () => {
    const text = `var x, y
thread a {
  local r;
  x = 1; first: y = 1;
  r = x;
}
thread b { local r; y = 2; r = x; }
`;
    const program = programOf(text);
    const names = enumerateAttacks(program).map((attack) => attackName(program, attack));
    expect(names[1]).toBe('a:first:6');
    expect(names.at(-1)).toBe('b:8:8');
    for (const [i, attack] of enumerateAttacks(program).entries())
      expect(attacksByName(program, names[i]!).attacks).toEqual([attack]);
  });

  test('of a thread with the code of another has a witness of its own', async () => {
    const program = programOf(`var x, y
thread a { local r; x = 1; r = y; }
thread b { local r; x = 1; r = y; }
thread c { local r; y = 1; r = x; }
`);
    const attacks = enumerateAttacks(program);
    expect(attacks.map(({ thread }) => thread)).toEqual([0, 1, 2]);
    for (const attack of attacks) {
      const { decided, witness } = await searchAttack(program, attack, budget());
      expect(decided.verdict).toBe('feasible');
      expectWitness(program, attack, witness);
    }
  });

  test('is unknown where a limit ends the search', async () => {
    const program = programOf(`var x, y, z
thread a { local r, i; while (i < 100) { z = i; i = i + 1; } x = 1; r = y; }
thread b { local r; r = z; y = 1; r = x; }
`);
    const [, attack] = enumerateAttacks(program);
    if (!attack) expect.fail('x = 1 past r = y');
    const within = (maxStates: number) => searchAttack(program, attack, new Budget({ maxStates }));
    expect((await within(50)).decided.verdict).toBe('unknown');
    expect((await within(100_000)).decided.verdict).toBe('feasible');
  });
});
