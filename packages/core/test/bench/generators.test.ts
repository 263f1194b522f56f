import { describe, expect, test } from 'vitest';
import { families, type Member } from '../../../../bench/generators/index.js';
import { check } from '../../src/api/check.js';
import { printPromela } from '../../src/api/print-promela-file.js';
import { parseNative } from '../../src/frontends/native/parse-native.js';
import type { Program } from '../../src/program/program.js';
import type { EngineName } from '../../src/verdict/verdict.js';

const members = families.flatMap((family) => family.members);
const small = members.filter((member) => member.small);

function parsed({ source }: Member): Program {
  const { program, diagnostics } = parseNative(source);
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
    expect(printPromela(program).text?.match(/^active proctype/gm)).toHaveLength(
      program.threads.length,
    );
  }
});
