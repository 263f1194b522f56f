import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { unboundedModel, type UnboundedModel } from '@fencewright/model/program/model.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { attacksToDecide } from '@fencewright/reference/instrument/instrument.js';
import { enumerateAttacks } from '@fencewright/engines/robustness/attacks.js';
import { loadParameterized } from '../../../repairs/test/any-number/load-parameterized.js';
import { checkParameterized } from '../../src/api/check-parameterized.js';
import { printInstrumentedTemplates } from '../../src/api/print-model.js';
import { reachAll } from '../../src/api/reach-all.js';

const runs = randomRuns(25, 300, 6);
const seed = randomSeed(20_261_130);

type Found = 'reached' | 'excluded' | 'refused' | 'unknown';

/**
 * Writes the program with the instrumentation of the attacks, reads the text again, and asks
 * `reach` whether an instance reaches the goal under SC.
 */
async function reachedGoal(
  model: UnboundedModel,
  attacks: readonly Attack[],
  maxStates: number,
): Promise<Found> {
  const printed = await printInstrumentedTemplates(model, 'native', attacks);
  if (printed?.text === undefined) return 'refused';
  const exported = unboundedModel(parseNative(printed.text).model);
  if (!exported) return expect.fail(printed.text);
  expect(exported.unbounded).toEqual(model.unbounded);
  const { claims } = await reachAll(exported, { limits: { maxStates } });
  const goal = claims.find(
    ({ claim }) =>
      claim.kind === 'property' &&
      exported.templates.properties[claim.property]!.name === 'attack_fails',
  );
  return ({ in: 'reached', never: 'excluded', unknown: 'unknown' } as const)[goal!.sc.kind];
}

const models = fc
  .tuple(
    randomProgram({ maxThreads: 2, maxItems: 3, loops: false }),
    fc.constantFrom([0], [1], [0, 1]),
  )
  .map(([templates, some]): UnboundedModel => ({
    kind: 'unbounded',
    templates,
    unbounded: some.filter((thread) => thread < templates.threads.length),
  }))
  .filter(({ unbounded }) => unbounded.length > 0);

test(`${runs} programs: the exported program reaches its goal iff the attack is feasible`, async () => {
  const seen = { reached: 0, excluded: 0, refused: 0, unknown: 0, single: 0 };
  await fc.assert(
    fc.asyncProperty(models, async (model) => {
      const { verdict } = (await checkParameterized(model)).result;
      if (verdict.kind === 'unknown') return;
      const all = attacksToDecide(model.templates, enumerateAttacks(model.templates));
      // All attacks at once; where all instances are robust, the first one alone as well.
      const single = verdict.kind === 'robust' && all.length > 1 ? [all.slice(0, 1)] : [];
      for (const attacks of [...(all.length > 0 ? [all] : []), ...single]) {
        const found = await reachedGoal(model, attacks, 6_000);
        seen[found]++;
        seen.single += Number(attacks.length === 1);
        if (found === 'refused' || found === 'unknown') continue;
        expect(found, JSON.stringify(attacks)).toBe(
          verdict.kind === 'robust' ? 'excluded' : 'reached',
        );
      }
    }),
    { numRuns: runs, seed, endOnFailure: true },
  );
  console.info('exported programs', seen);
  expect(seen.reached).toBeGreaterThan(runs / 20);
  expect(seen.excluded).toBeGreaterThan(runs / 20);
});

test('the exported example reaches its goal, as `check` calls it not robust', async () => {
  const { program, expected } =
    loadParameterized().find(({ path }) => path === 'examples/any-number/shutdown.fw') ??
    expect.fail();
  expect(expected.verdict).toBe('not-robust');
  const attacks = attacksToDecide(program.templates, enumerateAttacks(program.templates));
  expect(await reachedGoal(program, attacks, 6_000)).toBe('reached');
});

for (const name of ['tas-spinlock', 'ttas-spinlock', 'rwlock', 'double-checked-init'])
  test(`exported ${name} never reaches its goal, as \`check\` calls it robust`, async () => {
    const { program, expected } =
      loadParameterized().find(({ path }) => path === `examples/any-number/${name}.fw`) ??
      expect.fail();
    expect(expected.verdict).toBe('robust');
    const attacks = attacksToDecide(program.templates, enumerateAttacks(program.templates));
    expect(await reachedGoal(program, attacks, 60_000)).toBe('excluded');
  });
