import {
  automataToJson,
  fence,
  finiteProgram,
  type Program,
  repairItems,
  type Repair,
  type RepairMode,
  trf,
} from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { randomProgram } from '@fencewright/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { type Goal, meetsGoal, racesByDefinition, randomGoalText } from './by-definition.js';
import { forgeMany, isCheapest, type Subject } from './forgery-campaign.js';
import type { Draft } from './forgeries.js';
import { type GoalDraft, goalForgeries, raceForgeries } from './goal-forgeries.js';
import { repairedBy } from './repaired-by.js';

const changes = randomRuns(60, 4000);
const seed = randomSeed(20261122);

/**
 * The limits of the judge: the numbers of states of a repaired program, of steps of all SC
 * executions, and of items of which all subsets are tried.
 */
const most = { states: 4000, steps: 20_000, items: 8 };

function asDraft(certificate: unknown): Draft {
  return JSON.parse(JSON.stringify(certificate)) as Draft;
}

/** Returns a judge that asks `judge` only once for each set of items. */
function remembered(
  ask: (items: readonly Repair[]) => boolean | undefined,
): (items: readonly Repair[]) => Promise<boolean | undefined> {
  const known = new Map<string, boolean | undefined>();
  return (items) => {
    const key = JSON.stringify(items);
    if (!known.has(key)) known.set(key, ask(items));
    return Promise.resolve(known.get(key));
  };
}

/** Returns the goal that a certificate names. */
function goalOf({ properties }: Program, named: GoalDraft['properties']): Goal {
  return {
    properties: named.flatMap(({ name }) => properties.filter((one) => one.name === name)),
    assertions: named.some(({ kind }) => kind === 'assertions'),
  };
}

async function aboutGoals(round: number): Promise<Subject | undefined> {
  const [drawn] = fc.sample(randomGoalText, { seed: seed + round, numRuns: 1 });
  // The text gets further properties, which a forged certificate may name instead.
  const text = `${drawn!.text}property never2: never (x == 2 && y == 2)\nproperty ends: finally (x != 2)\n`;
  const program = finiteProgram(parseNative(text).model)!;
  const mode = (['fence', 'any', 'xchg'] as const)[round % 3]!;
  const { length } = repairItems(program, { mode }, program.properties);
  if (length === 0 || length > most.items) return undefined;
  const asked = round % 4 === 0 ? { assertions: true } : { properties: ['p'] };
  const found = await fence(program, { mode, ...asked, limits: { maxStates: 4000 } });
  if (!found.certificate) return undefined;
  const honest = asDraft(found.certificate) as GoalDraft;
  // Most certificates without clauses are skipped, as they offer little to forge, and so are
  // clauses with fences that must be absent, which the verifier checks only in part.
  if (honest.clauses.length === 0 && round % 10 > 0) return undefined;
  if (honest.clauses.some(({ nowhere }) => (nowhere ?? []).length > 0)) return undefined;
  const isTrue = (draft: Draft): Promise<boolean | undefined> => {
    const { mode: named, properties } = draft as GoalDraft;
    const goal = goalOf(program, properties);
    return isCheapest(
      repairItems(program, { mode: named as RepairMode }, goal.properties),
      draft,
      remembered((items) => meetsGoal(program, items, goal, most.states)),
    );
  };
  const truth = await isTrue(honest);
  if (truth === undefined) return undefined;
  expect(truth, `the honest one: ${text}`).toBe(true);
  return { honest, given: automataToJson(program), isTrue };
}

async function aboutRaces(round: number): Promise<Subject | undefined> {
  const programs = randomProgram({ maxThreads: 2 + (round % 2), maxItems: 3 });
  const [program] = fc.sample(programs, { seed: seed + round, numRuns: 1 });
  const items = repairItems(program!, { mode: 'fence' }, []);
  if (items.length === 0 || items.length > most.items) return undefined;
  const { certificate } = await trf(program!, { repair: true, limits: { maxStates: 4000 } });
  if (!certificate) return undefined;
  const honest = asDraft(certificate);
  if (honest.clauses.length === 0 && round % 10 > 0) return undefined;
  const isTrue = (draft: Draft): Promise<boolean | undefined> =>
    isCheapest(
      items,
      draft,
      remembered((chosen) => {
        const races = racesByDefinition(repairedBy(program!, 'fence', items, chosen), most.steps);
        return races === undefined ? undefined : !races;
      }),
    );
  const truth = await isTrue(honest);
  if (truth === undefined) return undefined;
  expect(truth, 'the honest one').toBe(true);
  return { honest, given: automataToJson(program!), isTrue };
}

describe('a forged certificate is accepted only if what it says is true', () => {
  test.each([
    ['fences for properties', goalForgeries, aboutGoals],
    ['fences against triangular races', raceForgeries, aboutRaces],
  ])(`%s: ${changes} changes, with the digest renewed`, async (_, forgeries, subject) => {
    expect(Object.keys(forgeries).length).toBeGreaterThanOrEqual(30);
    await forgeMany({ changes, seed, forgeries, subject });
  });
});
