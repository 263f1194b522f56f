import {
  attacksByDefinition,
  FeatureCount,
  programFeatures,
  randomAutomata,
  randomMailboxes,
  randomProgram,
} from '@fencewright/core/testing';
import { check } from '@fencewright/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inCampaign, isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { layout, refuteAll } from './refute-all.js';

const runs = randomRuns(150, 20_000, 75);
const seed = randomSeed(20261126);
const mostConfigurations = inCampaign(2_000, 20_000);

/** Up to three threads, for brute force. */
const few = fc.oneof(
  randomMailboxes(3, 2, false),
  randomProgram({ many: 'rmws', maxItems: 3 }),
  randomProgram({ fewValues: true, maxThreads: 2, maxItems: 5 }),
  randomProgram({ maxThreads: 2 }),
  randomAutomata({ maxThreads: 2, maxSpine: 5 }),
  randomAutomata({ faults: true, maxThreads: 2 }),
);

/** Programs with up to five threads and with loops, as input of the search for attacks. */
const many = fc.oneof(
  randomMailboxes(3, 4, true),
  randomMailboxes(4, 3, true),
  randomProgram({ loops: true }),
  randomProgram({ many: 'rmws', maxThreads: 4, maxItems: 3, endless: true }),
  randomAutomata({ minThreads: 3, maxThreads: 5, maxSpine: 3, maxExtra: 1 }),
  randomAutomata({ faults: true, loops: true }),
);

const layouts = fc.array(fc.nat(), { minLength: 3, maxLength: 3 });
const nameOf = ({ thread, store, load }: Record<'thread' | 'store' | 'load', number>) =>
  `${thread}.${store}.${load}`;

test.each(['standard', 'value'] as const)(
  `what pairs refute is infeasible by definition, whatever threads keep, on ${runs} random programs; happens-before: %s`,
  (happensBefore) => {
    const count = new FeatureCount();
    fc.assert(
      fc.property(few, layouts, (program, digits) => {
        const { feasible } = attacksByDefinition(program, mostConfigurations, happensBefore);
        const names = feasible.map(nameOf);
        for (const each of [0, ...digits]) {
          const kept = layout(program, each);
          const refuted = refuteAll(program, kept, happensBefore);
          if (refuted === 'too large') {
            count.add(['too large']);
            continue;
          }
          expect(names.filter((name) => refuted.includes(name))).toEqual([]);
          count.add([
            ...programFeatures(program),
            ...(kept.flat().length > 0 ? ['kept'] : []),
            ...(refuted.length > 0 ? ['refuted'] : []),
            ...(names.length > 0 ? ['feasible'] : []),
            ...(names.length > 0 && refuted.length > 0 ? ['feasible and refuted'] : []),
          ]);
        }
      }),
      { numRuns: runs, seed },
    );
    if (isCampaign) console.log(count.toString());
    if (runs < 200) return;
    for (const feature of ['kept', 'refuted', 'feasible', 'feasible and refuted', 'rmw', 'lock'])
      expect(count.get(feature), feature).toBeGreaterThan(runs / 10);
  },
);

/** Options that switch all stages off but the search. */
const searchOnly = {
  allAttacks: true,
  without: ['static-path', 'local-closure', 'pair-closure', 'few-threads', 'directed'],
} as const;

test.each(['standard', 'value'] as const)(
  `what pairs refute the search does not find, on ${runs} random programs with loops; happens-before: %s`,
  async (happensBefore) => {
    const count = new FeatureCount();
    await fc.assert(
      fc.asyncProperty(many, layouts, async (program, digits) => {
        const limits = { maxStates: 10_000 };
        const { attacks } = await check(program, { ...searchOnly, happensBefore, limits });
        const of = (kind: string): readonly string[] =>
          attacks.flatMap(({ attack, verdict }) => (verdict === kind ? [nameOf(attack)] : []));
        const [feasible, infeasible] = [of('feasible'), of('infeasible')];
        for (const each of [0, ...digits]) {
          const kept = layout(program, each);
          const refuted = refuteAll(program, kept, happensBefore);
          if (refuted === 'too large') {
            count.add(['too large']);
            continue;
          }
          expect(feasible.filter((name) => refuted.includes(name))).toEqual([]);
          const isAll = infeasible.every((name) => refuted.includes(name));
          count.add([
            ...programFeatures(program),
            ...(kept.flat().length > 0 ? ['kept'] : []),
            ...(refuted.length > 0 ? ['refuted'] : []),
            ...(feasible.length > 0 ? ['feasible'] : []),
            ...(infeasible.length > 0 ? ['infeasible'] : []),
            ...(infeasible.length > 0 && isAll ? ['all of them refuted'] : []),
          ]);
        }
      }),
      { numRuns: runs, seed },
    );
    if (isCampaign) console.log(count.toString());
    if (runs < 200) return;
    for (const feature of ['kept', 'refuted', 'feasible', 'infeasible', 'loop', 'rmw', 'lock'])
      expect(count.get(feature), feature).toBeGreaterThan(runs / 10);
    // The refutations need relations that contain few pairs: a relation of all pairs refutes hardly
    // any attack.
    expect(count.get('all of them refuted')).toBeGreaterThan(0.9 * count.get('infeasible'));
  },
);
