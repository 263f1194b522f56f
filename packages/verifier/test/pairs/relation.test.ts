import {
  FeatureCount,
  programFeatures,
  randomAutomata,
  randomMailboxes,
  randomProgram,
} from '@fencewright/core/testing';
import { automataToJson } from '@fencewright/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inCampaign, isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { attackThreads } from '../../src/attack/thread.js';
import { Budget, Endless } from '../../src/budget.js';
import { Met } from '../../src/code.js';
import { Components } from '../../src/pairs/components.js';
import { PairRelation } from '../../src/pairs/relation.js';
import { readAutomata } from '../../src/read-automata.js';
import { leastRelation } from './least-relation.js';
import { layout } from './refute-all.js';

const runs = randomRuns(150, 20_000, 75);
const seed = randomSeed(20261201);
const mostItems = inCampaign(60, 150);

const programs = fc.oneof(
  randomMailboxes(3, 2, true),
  randomProgram({ many: 'lock blocks', maxThreads: 3, maxItems: 4 }),
  randomProgram({ many: 'rmws', maxThreads: 3, maxItems: 3 }),
  randomProgram({ loops: true, maxThreads: 3 }),
  randomAutomata({ maxThreads: 3, loops: true }),
);

/** Returns a name of an item that does not depend on the order in which items are found. */
function namesOf(components: Components): readonly string[] {
  const cells = new Map(
    Array.from({ length: 64 }, (_, address) => [components.holder(address)?.component, address]),
  );
  return Array.from({ length: components.size }, (_, number) => {
    const { component, place, own } = components.item(number);
    const isThread = component < components.threads.length;
    return [isThread ? component : `cell ${cells.get(component)}`, place?.name, own].join('/');
  });
}

test(`the relation is the least closed one, by definition, on ${runs} random programs`, () => {
  const count = new FeatureCount();
  fc.assert(
    fc.property(programs, fc.nat(), (program, digits) => {
      const automata = readAutomata(JSON.parse(JSON.stringify(automataToJson(program))), '');
      const threads = attackThreads(automata, 'standard');
      const make = () => new Components(automata, threads, layout(program, digits), 'kept');
      try {
        const [slow, quick] = [make(), make()];
        const least = leastRelation(slow, mostItems);
        if (!least) return;
        const relation = PairRelation.close(quick, new Budget({}));
        if (!(relation instanceof PairRelation)) expect.fail(relation.kind);
        const [slowNames, quickNames] = [namesOf(slow), namesOf(quick)];
        expect(quickNames.toSorted()).toEqual(slowNames.toSorted());
        const expected = [...least.pairs].map((pair) =>
          pair
            .split(',')
            .map((item) => slowNames[Number(item)])
            .join(' with '),
        );
        const found = quickNames.flatMap((name, item) =>
          quickNames.flatMap((other, it) =>
            relation.has(item, it) ? `${name} with ${other}` : [],
          ),
        );
        expect(found.toSorted()).toEqual(expected.toSorted());
        count.add([
          'compared',
          ...programFeatures(program),
          ...(least.participants > 1 ? ['two participants'] : []),
          ...(least.participants > 2 ? ['three participants'] : []),
          ...(quick.size > 20 ? ['more than 20 items'] : []),
        ]);
      } catch (error) {
        if (!(error instanceof Met || error instanceof Endless)) throw error;
      }
    }),
    { numRuns: runs, seed },
  );
  if (isCampaign) console.log(count.toString());
  if (runs < 200) return;
  for (const feature of ['compared', 'two participants', 'three participants', 'lock', 'loop'])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 20);
});
