import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { reach } from '../../../core/src/api/reach.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import type { Program } from '@fencewright/model/program/program.js';
import { integerOfValue, isWord } from '@fencewright/model/program/wide-values.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { offsetInteger, withWideMemory } from './wide-memory.js';

const runs = randomRuns(100, 1000, 15);
const seed = randomSeed(20261123);

const variants = [
  { engine: 'search' },
  { engine: 'search', without: ['static-path'], forTests: { stagesAfter: 0 } },
  { engine: 'search', without: ['static-path', 'local-closure', 'pair-closure'] },
  {
    engine: { name: 'search', kernel: 'wasm' },
    without: ['static-path', 'symmetry', 'owned-cells'],
  },
] as const;

/** The addresses of cells, more than random programs access. */
const cells = [...Array(16).keys()];

function names(attacks: readonly Attack[]): string[] {
  return attacks.map(({ thread, store, load }) => `${thread}:${store}:${load}`).sort();
}

/**
 * Whether no instruction can make a value negative, so that the offset can be added to all values
 * without carries.
 */
function staysAbove(program: Program): boolean {
  return !/"(?:fetch_sub|-|~)"/.test(JSON.stringify(program));
}

/** Returns the memory contents of all final states; the offset, if one was added, is subtracted. */
async function ends(program: Program, isWide: boolean) {
  const { sc, tso } = await reach(program, { limits: { maxStates: 5_000 } });
  let wide = 0;
  const of = ({ finalStates, incomplete }: typeof sc): string =>
    `${incomplete} ${finalStates
      .map(({ memory }) =>
        cells
          .map((cell) => {
            const value = memory.get(cell) ?? 0;
            if (!isWord(value)) wide += 1;
            return isWide ? integerOfValue(value) - offsetInteger : BigInt(value);
          })
          .join(),
      )
      .sort()
      .filter((each, i, all) => each !== all[i - 1])
      .join(' ')}`;
  return { sc: of(sc), tso: of(tso), wide };
}

test(`${runs} random programs say the same with numbers of 64 bits in memory`, async () => {
  const count = new FeatureCount();
  let wideCells = 0;
  const programs = fc
    .oneof(randomProgram(), randomProgram({ loops: true }), randomProgram({ many: 'rmws' }))
    .filter(staysAbove);
  await fc.assert(
    fc.asyncProperty(programs, async (plain) => {
      const program = withWideMemory(plain, cells);
      const definition = attacksByDefinition(plain, 5_000);
      if (!definition.complete) {
        count.add(['too large']);
        return;
      }
      const feasible = names(definition.feasible);
      for (const variant of variants) {
        const { attacks, verdict } = await check(program, { ...variant, allAttacks: true });
        const own = attacks.filter((each) => each.verdict === 'feasible');
        expect({ variant, attacks: names(own.map(({ attack }) => attack)) }).toEqual({
          variant,
          attacks: feasible,
        });
        expect(verdict.kind).toBe(feasible.length > 0 ? 'not-robust' : 'robust');
      }
      const [{ wide: _, ...before }, { wide, ...after }] = [
        await ends(plain, false),
        await ends(program, true),
      ];
      expect(after).toEqual(before);
      wideCells += wide;
      count.add([...programFeatures(plain), feasible.length > 0 ? 'not-robust' : 'robust']);
    }),
    { numRuns: runs, seed },
  );
  console.info(count.toString(), { wideCells });
  for (const feature of ['robust', 'not-robust', 'computed address', 'rmw', 'lock'])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 50);
  expect(wideCells).toBeGreaterThan(10 * runs);
});
