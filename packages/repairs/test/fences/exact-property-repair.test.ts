import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { repairedProgram } from '../../src/fences/apply-repair.js';
import { sizeCosts } from '../../src/fences/cost-models.js';
import { findPropertyRepair } from '../../src/fences/property-repair.js';
import { insertionProblem } from '../../src/fences/repair-problem.js';
import { seenLabels } from '../../src/fences/seen-labels.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { defaultHittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { meetsGoal } from './goals-by-definition.js';
import { randomGoalText } from './random-goal-text.js';

const runs = randomRuns(50, 500);
const seed = randomSeed(20181503);

const maxItems = 7;

test('searched for backwards, fences are the cheapest of all subsets', async () => {
  const count = new FeatureCount();
  await fc.assert(
    fc.asyncProperty(randomGoalText, fc.nat(30), fc.boolean(), async ({ text }, salt, all) => {
      const program = finiteProgram(parseNative(text).model);
      if (!program) return;
      const goal = { properties: all ? program.properties : [], assertions: !all };
      const whole = insertionProblem(program, 'fence', sizeCosts(program), {
        withEnds: true,
        isBefore: seenLabels(program, goal.properties),
      });
      const rank = (index: number): number => (11 * index + 7 * salt) % 31;
      const order = whole.items.map((_, index) => index).sort((a, b) => rank(a) - rank(b));
      const kept = new Set(order.slice(0, maxItems));
      const items = whole.items.filter((_, index) => kept.has(index));
      const problem = { program, items };
      const { answer } = await findPropertyRepair({
        problem,
        goal,
        repaired: (chosen) => repairedProgram(program, { mode: 'fence', items, chosen }),
        solver: defaultHittingSetSolver,
        budget: new Budget({ maxStates: 60_000 }),
        search: { explores: false },
      });
      count.add([answer.kind]);
      if (answer.kind === 'unknown') return;
      const good: number[] = [];
      for (let bits = 0; bits < 2 ** items.length; bits++) {
        const chosen = items.filter((_, index) => bits & (1 << index));
        const meets = meetsGoal(program, chosen, goal);
        if (meets === undefined) {
          count.add(['too large for the judge']);
          return;
        }
        if (meets) good.push(chosen.reduce((sum, { cost }) => sum + cost, 0));
      }
      count.add([`judged ${answer.kind}`]);
      if (answer.kind !== 'optimal') expect(good).toEqual([]);
      else expect(answer.cost).toBe(Math.min(...good));
      if (answer.kind === 'optimal' && answer.chosen.length > 0) count.add(['judged fences']);
      const isBefore = (index: number): boolean => {
        const item = items[index];
        return item?.kind === 'fence' && item.before === true;
      };
      if (answer.kind === 'optimal' && answer.chosen.some(isBefore))
        count.add(['judged fences before labels']);
    }),
    { numRuns: runs, seed },
  );
  if (isCampaign) console.log(count.toString());
  expect(count.toString()).toContain('judged fences before labels');
});
