import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check, type CheckOptions } from '../../../core/src/api/check.js';
import { nothingBlocked } from '../../src/automata/attacker-automaton.js';
import { ClosureSession } from '../../src/closures/closure-session.js';
import { refuteByLocalClosure } from '../../src/closures/local-closure.js';
import { createPairRefuter } from '../../src/closures/pair-refuter.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import type { Program } from '@fencewright/model/program/program.js';
import { openAttacks } from '../../src/search/open-attacks.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomAutomata } from '@fencewright/reference/testing/random-automata.js';
import { randomMailboxes } from '@fencewright/reference/testing/random-mailboxes.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';

const runs = randomRuns(800, 20_000, 400);
const seed = randomSeed(20261125);
const maxTracedStates = inCampaign(1000, 8000);

/** Random programs of up to three threads, small enough to be judged by brute force. */
const few = fc.oneof(
  randomMailboxes(3, 2, false),
  randomProgram({ many: 'lock blocks', maxItems: 3 }),
  randomProgram({ many: 'rmws', maxItems: 3 }),
  randomProgram({ fewValues: true, maxThreads: 2, maxItems: 5 }),
  randomAutomata({ maxThreads: 2, maxSpine: 5 }),
  randomAutomata({ faults: true, maxThreads: 2 }),
);

/** Random programs of up to five threads, with loops, for the comparison with the search. */
const many = fc.oneof(
  randomMailboxes(3, 4, true),
  randomMailboxes(5, 2, true),
  randomProgram({ many: 'lock blocks', loops: true }),
  randomProgram({ many: 'rmws', maxThreads: 4, maxItems: 3, endless: true }),
  randomProgram({ loops: true }),
  randomAutomata({ minThreads: 3, maxThreads: 5, maxSpine: 3, maxExtra: 1 }),
  randomAutomata({ faults: true, loops: true }),
);

const nameOf = ({ thread, store, load }: Attack) => `${thread}.${store}.${load}`;

/**
 * Returns the attacks that closures of pairs refute, of one thread for each class of equal threads.
 */
function refuteAll(program: Program, happensBefore: HappensBefore, symmetry: boolean) {
  const options = { symmetry, maskDeadRegisters: true, ownedCells: symmetry, happensBefore };
  const alone = new ClosureSession(program, options, 30_000);
  const inPairs = new ClosureSession(program, options, 0);
  const refuteByPairs = createPairRefuter();
  const refuteWithInboxes = createPairRefuter(() => false, [{ keepsInboxes: true }]);
  const answers = inPairs.automata.classes.map(([attacker = 0]) => {
    const open = [...openAttacks(program, attacker, nothingBlocked)];
    const byOne = refuteByLocalClosure(alone, attacker, open, 100_000).refuted;
    const byPairs = refuteByPairs(inPairs, attacker, open, 300_000).refuted;
    const withInboxes = refuteWithInboxes(inPairs, attacker, open, 300_000).refuted;
    return { open, byOne: byOne.map(({ attack }) => nameOf(attack)), byPairs, withInboxes };
  });
  const byOne = new Set(answers.flatMap((answer) => answer.byOne));
  const byPairs = answers.flatMap((answer) => answer.byPairs);
  const withInboxes = answers.flatMap((answer) => answer.withInboxes);
  const names = new Set([...byPairs, ...withInboxes].map(({ attack }) => nameOf(attack)));
  return {
    open: answers.flatMap(({ open }) => open),
    names,
    lost: [...byOne].filter((name) => !names.has(name) && !inPairs.isInVain),
    features: [
      ...(names.size > 0 ? ['refuted by pairs'] : []),
      ...([...names].some((name) => !byOne.has(name)) ? ['by pairs only'] : []),
      ...(withInboxes.length > 0 ? ['with inboxes'] : []),
      ...(inPairs.isInVain ? ['in vain'] : []),
    ],
  };
}

test.each(['standard', 'value'] as const)(
  `what pairs refute is infeasible by definition; happens-before: %s`,
  (happensBefore) => {
    const count = new FeatureCount();
    fc.assert(
      fc.property(few, fc.boolean(), (program, symmetry) => {
        const { names, features } = refuteAll(program, happensBefore, symmetry);
        const { feasible, complete } = attacksByDefinition(program, maxTracedStates, happensBefore);
        expect(feasible.map(nameOf).filter((name) => names.has(name))).toEqual([]);
        count.add([
          ...programFeatures(program),
          ...features,
          ...(complete ? ['complete'] : []),
          ...(feasible.length > 0 ? ['some feasible'] : []),
          ...(feasible.length > 0 && names.size > 0 ? ['some feasible, some refuted'] : []),
        ]);
      }),
      { numRuns: runs / 4, seed },
    );
    console.info(count.toString());
    for (const feature of ['complete', 'refuted by pairs', 'with inboxes', 'lock'])
      expect(count.get(feature), feature).toBeGreaterThan(runs / 100);
    for (const feature of ['some feasible', 'some feasible, some refuted'])
      expect(count.get(feature), feature).toBeGreaterThan(0);
  },
);

/**
 * Options without any method that refutes or finds attacks before the search, so that the search
 * decides every attack.
 */
const searchOnly: CheckOptions = {
  allAttacks: true,
  without: ['static-path', 'local-closure', 'pair-closure', 'few-threads', 'directed'],
};
const limits = { maxStates: 20_000 };

test.each(['standard', 'value'] as const)(
  `what pairs refute the search refutes as well; happens-before: %s`,
  async (happensBefore) => {
    const count = new FeatureCount();
    await fc.assert(
      fc.asyncProperty(many, fc.boolean(), async (program, symmetry) => {
        const { open, names, lost, features } = refuteAll(program, happensBefore, symmetry);
        const { attacks } = await check(program, { ...searchOnly, happensBefore, limits });
        const searched = new Map(attacks.map(({ attack, verdict }) => [nameOf(attack), verdict]));
        const wrong = [...names].filter((name) => searched.get(name) === 'feasible');
        expect(wrong).toEqual([]);
        expect(lost, 'refuted by threads alone, not by pairs').toEqual([]);
        const infeasible = open.filter((one) => searched.get(nameOf(one)) === 'infeasible');
        const isAll = infeasible.every((one) => names.has(nameOf(one)));
        count.add([
          ...programFeatures(program),
          ...features,
          ...([...searched.values()].includes('feasible') ? ['some feasible'] : []),
          ...(infeasible.length > 0 ? ['infeasible by search'] : []),
          ...(infeasible.length > 0 && isAll ? ['all of them refuted'] : []),
        ]);
      }),
      { numRuns: runs / 4, seed },
    );
    console.info(count.toString());
    expect(count.get('by pairs only')).toBeGreaterThan(runs / 2000 - 1);
    expect(count.get('some feasible')).toBeGreaterThan(runs / 100);
    for (const feature of [
      'refuted by pairs',
      'with inboxes',
      'loop',
      'lock',
      'rmw',
      'computed address',
      'in vain',
    ])
      expect(count.get(feature), feature).toBeGreaterThan(runs / 400);
    const all = count.get('all of them refuted');
    expect(all).toBeGreaterThan(0.97 * count.get('infeasible by search'));
  },
);
