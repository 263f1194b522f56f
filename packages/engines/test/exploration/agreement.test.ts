import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import {
  finalStateKey,
  reachByMachine,
  reachUnder,
  type ReachUnder,
} from '../../../core/src/api/reach-under.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import {
  type MemoryModel,
  type RelaxedModel,
  relaxedModels,
} from '@fencewright/model/trace/memory-model.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { programWithQuestions } from '@fencewright/reference/testing/with-questions.js';

/** Returns the part of a result that must be the same, however the states are explored. */
function essence({ reach, faults }: ReachUnder) {
  return {
    incomplete: reach.incomplete,
    finalStates: reach.finalStates.map(finalStateKey),
    properties: reach.properties.map(
      ({ verdict, isVacuous }) => `${verdict} ${isVacuous === true}`,
    ),
    failed: reach.failedAssertions
      .map(({ thread, transition }) => `${thread}.${transition}`)
      .sort(),
    faults: faults
      .map(({ thread, transition, fault }) => `${thread}.${transition} ${fault}`)
      .sort(),
  };
}

/**
 * Expects that an exploration stopped by a limit (`part`) has only found what the complete
 * exploration (`whole`) has found as well.
 */
function expectPart(part: ReachUnder, whole: ReachUnder) {
  const all = essence(whole);
  const found = essence(part);
  for (const list of ['finalStates', 'failed', 'faults'] as const)
    expect(all[list]).toEqual(expect.arrayContaining([...found[list]]));
  part.reach.properties.forEach(({ verdict }, i) => {
    if (verdict !== 'unknown') expect(verdict).toBe(whole.reach.properties[i]?.verdict);
  });
}

/**
 * Returns the model with buffers that includes the computations of `model`: TSO for SC, otherwise
 * the model itself.
 */
const withBuffers = (model: MemoryModel): RelaxedModel => (model === 'SC' ? 'TSO' : model);

const runs = randomRuns(340, 5000);
const seed = randomSeed(4);

const inBlock = { waiter: true, maxThreads: 2, maxItems: 2, kinds: ['stuck', 'never'] } as const;

const atEnds = {
  finalStores: true,
  maxThreads: 2,
  maxItems: 3,
  kinds: ['finally', 'exists', 'never'],
} as const;

type Case = readonly [
  string,
  MemoryModel,
  number | undefined,
  Parameters<typeof programWithQuestions>[0],
];

const cases: readonly Case[] = [
  ['SC', 'SC', undefined, { loops: true, endless: true }],
  ['SC, waiting in a lock block', 'SC', undefined, inBlock],
  ...relaxedModels.flatMap((model): Case[] => [
    [model, model, undefined, {}],
    [`${model} with loops`, model, undefined, { loops: true, maxProperties: 1, fewValues: true }],
    [`${model}, buffers of one or two`, model, 1, { loops: true, endless: true, maxThreads: 2 }],
    [`${model}, waiting in a lock block`, model, undefined, inBlock],
    [`${model}, buffers at the ends`, model, undefined, atEnds],
  ]),
];

function featuresOf(name: string): readonly string[] {
  if (name.includes('waiting'))
    return ['never violated', 'never holds', 'stuck holds', 'stuck violated'];
  if (name.includes('at the ends'))
    return ['several ends', 'finally violated', 'finally holds', 'exists holds', 'never violated'];
  const common = ['failed assertion', 'fault', 'unlock', 'rmw', 'never violated', 'owned cell'];
  return name.includes('buffers')
    ? [...common, 'buffer']
    : [...common, 'never holds', 'exists holds'];
}

test.each(cases)(
  '%s: the product finds what the machine finds',
  async (name, model, bound, options) => {
    const count = new FeatureCount();
    let compared = 0;
    let packed = 0;
    let cutOff = 0;
    let machine = 0;
    let i = 0;
    await fc.assert(
      fc.asyncProperty(programWithQuestions(options), async (program) => {
        const bounds = bound === undefined ? {} : { buffer: bound + (i++ % 2) };
        const judged = await reachByMachine(
          model,
          program,
          new Budget({ maxStates: 1_000 }),
          bounds,
        );
        fc.pre(judged.reach.incomplete !== 'states');
        compared++;
        const found = await reachUnder(model, program, new Budget(), bounds);
        expect(essence(found)).toEqual(essence(judged));
        for (const { computation } of [...found.reach.properties, ...found.reach.failedAssertions])
          if (computation)
            expect(replayStates(program, computation, withBuffers(model))).toBeDefined();
        const cut = await reachUnder(model, program, new Budget({ maxStates: 20 }), bounds);
        if (cut.reach.incomplete === 'states') cutOff++;
        expectPart(cut, judged);
        packed += found.reach.states;
        machine += judged.reach.states;
        count.add([
          ...programFeatures(program),
          ...program.properties.map(
            ({ kind }, p) => `${kind} ${judged.reach.properties[p]?.verdict}`,
          ),
          ...(judged.reach.failedAssertions.length > 0 ? ['failed assertion'] : []),
          ...(judged.reach.finalStates.length > 1 ? ['several ends'] : []),
          ...(judged.faults.length > 0 ? ['fault'] : []),
          ...(judged.reach.incomplete ? [judged.reach.incomplete] : []),
        ]);
      }),
      { numRuns: runs, seed },
    );
    // The property under test has occurred often enough.
    expect(cutOff).toBeGreaterThan(3);
    for (const feature of featuresOf(name))
      expect([feature, count.get(feature) > 3]).toEqual([feature, true]);
    expect(packed).toBeLessThan((3 * machine) / 4);
    if (isCampaign)
      console.log(`${name}: ${compared}, states ${packed} of ${machine}\n${count.toString()}`);
  },
);
