import { beforeEach, expect, test, vi } from 'vitest';
import { readFileSync } from 'node:fs';
import { check, type CheckOptions } from '../../src/api/check.js';
import { fence } from '../../src/api/fence.js';
import type { fact as declareFact } from '@fencewright/ground/base/fact.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';

/**
 * By function, the objects about which the function has computed a fact, each with the number of
 * computations.
 */
const computed = vi.hoisted(() => new Map<unknown, object[]>());

vi.mock('@fencewright/ground/base/fact.js', async (original) => {
  const { fact } = await original<{ readonly fact: typeof declareFact }>();
  return {
    fact: (compute: (subject: object) => unknown) =>
      fact((subject: object) => {
        computed.set(compute, [...(computed.get(compute) ?? []), subject]);
        return compute(subject);
      }),
  };
});

beforeEach(() => computed.clear());

function example(name: string): Program {
  const text = readFileSync(new URL(`../../../../examples/${name}.fw`, import.meta.url), 'utf8');
  return finiteProgram(parseNative(text).model)!;
}

/** Expects that no fact of a program was computed twice for the same object. */
function expectEachOnce(): void {
  expect(computed.size).toBeGreaterThan(6);
  for (const [compute, subjects] of computed)
    expect(new Set(subjects).size, String(compute)).toBe(subjects.length);
}

/**
 * Expects that facts were computed only for the program itself: for a copy, the same facts would be
 * computed again.
 */
function expectNoCopy(program: Program): void {
  const own = new Set<object>([program, program.symbols, ...program.threads]);
  for (const [compute, subjects] of computed)
    expect(
      subjects.every((subject) => own.has(subject)),
      String(compute),
    ).toBe(true);
}

const small: CheckOptions[] = [
  {},
  { allAttacks: true, forTests: { stagesAfter: 0 } },
  { without: ['static-path', 'local-closure', 'pair-closure'] },
];

test.each(['peterson', 'peterson-fenced', 'mcs-lock', 'ticket-lock', 'seqlock'])(
  'a check computes each fact once: %s',
  async (name) => {
    for (const options of small) {
      const program = example(name);
      computed.clear();
      await check(program, options);
      expectEachOnce();
      expectNoCopy(program);
    }
  },
);

test('a check in turns and a search for fences compute each fact once', async () => {
  const program = example('ticket-lock');
  computed.clear();
  await check(program, { forTests: { firstTurn: { states: 1, elements: 1 } } });
  expectEachOnce();
  await fence(program);
  expectEachOnce();
});
