import { finiteProgram } from '@fencewright/model/program/model.js';
import { describe, expect, test } from 'vitest';
import { families, type Member } from '../../../../bench/generators/index.js';
import { mergeLocalSteps } from '../../../../bench/merge-local-steps.js';
import { promelaByHand } from '../../../../bench/spin.js';
import { check } from '../../src/api/check.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import type { InstrumentedProgram } from '@fencewright/model/instrumented/instrumented.js';
import type { Program } from '@fencewright/model/program/program.js';
import { createExplicitEngine } from '@fencewright/reference/explicit/explicit-engine.js';
import type { EngineName } from '@fencewright/model/verdict/verdict.js';

const members = families.flatMap((family) => family.members);
const small = members.filter((member) => member.small);

function parsed({ source }: Member): Program {
  const { model, diagnostics } = parseNative(source);
  const program = finiteProgram(model);
  expect(diagnostics).toEqual([]);
  return program!;
}

async function allAttacks(program: Program, engine: EngineName): Promise<string[]> {
  const { attacks } = await check(program, { engine, allAttacks: true });
  return attacks.map(
    ({ attack: { thread, store, load }, verdict }) => `${thread}:${store}:${load} ${verdict}`,
  );
}

test('names are unique, and every family has small members', () => {
  expect(new Set(members.map(({ name }) => name)).size).toBe(members.length);
  for (const family of families) expect(family.members.some((member) => member.small)).toBe(true);
});

describe('every member is read without a message', () => {
  test.each(members)('$name', (member) => {
    expect(parsed(member).threads.length).toBeGreaterThan(1);
  });
});

describe('small members have the verdict of the literature', () => {
  test.each(small)('$name is $expected', async (member) => {
    const { verdict } = await check(parsed(member), { engine: 'search' });
    expect(verdict.kind).toBe(member.expected);
  });
});

describe('search and instrumentation agree on every attack of small members', () => {
  test.each(small)('$name', async (member) => {
    const program = parsed(member);
    expect(await allAttacks(program, 'search')).toEqual(await allAttacks(program, 'instrument'));
  });
});

describe('unfenced members whose state space is infinite are found not to be robust', () => {
  test.each(members.filter((member) => member.infinite))('$name', async (member) => {
    const { verdict } = await check(parsed(member), { engine: 'search' });
    expect(verdict.kind).toBe(member.expected);
  });
});

test('the translation for SPIN has a process for each thread', () => {
  for (const member of members) {
    const program = parsed(member);
    expect(promelaByHand(program).match(/^active proctype/gm)).toHaveLength(program.threads.length);
  }
});

/** Returns the locations that each thread reaches under SC, among those that occur in `merged`. */
async function reachable(
  program: InstrumentedProgram,
  merged: InstrumentedProgram,
): Promise<string[]> {
  const engine = createExplicitEngine({ localFirst: false });
  const found: string[] = [];
  for (const [thread, { transitions }] of merged.threads.entries())
    for (const location of new Set(transitions.map(({ to }) => to))) {
      const query = { program, goals: [{ thread, location }] };
      const { goals } = await engine.explore(query, new Budget());
      if (goals.length > 0) found.push(`${thread}.${location}`);
    }
  return found;
}

test.each([
  'peterson-2',
  'lamport1-2',
  'lamport2-2',
  'bakery-2',
  'treiber-2-1',
  'chase-lev-2-1',
  'the-1-1',
  'mcs-2-loop',
  'clh-2',
  'ticket-2-loop',
  'mp-3-1',
])('%s with its local steps merged reaches the same locations', async (wanted) => {
  const program = parsed(members.find(({ name }) => name === wanted)!);
  const merged = mergeLocalSteps(program);
  const there = await reachable(merged, merged);
  expect(there.length).toBeGreaterThan(program.threads.length);
  expect(there).toEqual(await reachable(program, merged));
  const states = async (of: InstrumentedProgram): Promise<number> =>
    (await createExplicitEngine().explore({ program: of, goals: [] }, new Budget())).states;
  expect(await states(merged)).toBeLessThanOrEqual(await states(program));
});
