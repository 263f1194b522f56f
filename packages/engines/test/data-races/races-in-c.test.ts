import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { decide } from '../../../core/src/api/decide.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { findDataRaces } from '../../src/data-races/find-data-races.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  cExamples,
  libraryOf,
  lowered,
  programOf,
} from '../../../languages/test/llvm-ir/fixtures.js';

const folder = fileURLToPath(new URL('../../../languages/test/fixtures/c/races/', import.meta.url));

/** The folder that contains the programs, as a path for the compiler. */
const from = 'packages/languages/test/fixtures/c/races';

/**
 * Programs whose first line states their races: `race x A B; race y A C: why`, or `free: why`. `A`
 * stands for the line that ends in `// A`.
 */
const programs = readdirSync(folder)
  .filter((name) => /\.(c|cpp)$/.test(name))
  .map((name) => {
    const lines = readFileSync(path.join(folder, name), 'utf8').split('\n');
    const [, list = '', why = ''] = /^\/\/ (.*?): (.*)$/.exec(lines[0]!) ?? [];
    const lineOf = (place: string): number =>
      lines.findIndex((line) => line.endsWith(`// ${place}`)) + 1;
    const expected = [...list.matchAll(/race (\S+) (\w) (\w)/g)].map(([, cell, one, other]) =>
      [cell, ...[lineOf(one!), lineOf(other!)].sort((a, b) => a - b)].join(' '),
    );
    return { name, list, why, expected };
  });

function compiled(name: string): Program {
  const text = readFileSync(path.join(folder, `${name}.ll`), 'utf8');
  return lowered([{ file: name, text }, libraryOf('clang-16')], { main: `${from}/${name}` });
}

describe.each(programs)('$name', ({ name, list, why, expected }) => {
  it(`${list}: ${why}`, async () => {
    const program = compiled(name);
    const { races, incomplete } = await findDataRaces(program, new Budget());
    const found = races.map(({ address, accesses }) => {
      const lines = accesses.map(
        ({ thread, transition }) =>
          program.threads[thread]!.transitions[transition]!.origin.span!.start.line + 1,
      );
      const [cell] = formatAddress(program, address).split(/[.[]/);
      return [cell, ...lines.sort((a, b) => a - b)].join(' ');
    });
    expect([...new Set(found)].sort()).toEqual([...expected].sort());
    expect(incomplete).toBeUndefined();
  });
});

it('there are enough of them, with races and without', () => {
  expect(programs.filter(({ list }) => list === 'free').length).toBeGreaterThan(15);
  expect(programs.filter(({ expected }) => expected.length > 0).length).toBeGreaterThan(15);
});

describe('examples', () => {
  // The first lines of each file state which accesses are atomic: those to shared variables.
  it.each(cExamples)('%s has none', async (name) => {
    const found = await findDataRaces(programOf(name, 'clang-16'), new Budget());
    expect(found).toEqual({ races: [] });
  });
});

describe('check and explain', () => {
  const program = compiled('counter-bare.c');

  it('warn, once for the place', async () => {
    for (const kind of ['check', 'explain'] as const) {
      const answer = await decide({ kind: 'finite', program }, { kind });
      if (answer.kind !== kind) throw new Error(answer.kind);
      const warnings = answer.result!.diagnostics.filter(({ code }) => code === 'FW3010');
      expect(warnings.map(({ message }) => message)).toMatchInlineSnapshot(`
        [
          "data race on 'counter': two threads can be at this place in 'worker' at the same time (plain store and plain load)",
        ]
      `);
      expect(answer.result!.races?.races).toHaveLength(1);
    }
  });

  it('say nothing else than without', async () => {
    const plain: Program = {
      ...program,
      threads: program.threads.map((thread) => ({
        ...thread,
        transitions: thread.transitions.map(({ origin: { access: _, ...origin }, ...rest }) => ({
          ...rest,
          origin,
        })),
      })),
    };
    const [one, other] = await Promise.all(
      [program, plain].map((each) =>
        decide({ kind: 'finite', program: each }, { kind: 'check', listsAttacks: true }),
      ),
    );
    if (one?.kind !== 'check' || other?.kind !== 'check') throw new Error('no answer');
    expect(other.result!.races).toBeUndefined();
    expect(one.result!.verdict).toEqual(other.result!.verdict);
    expect(one.result!.attacks).toEqual(other.result!.attacks);
    expect(one.result!.statistics.states).toBe(other.result!.statistics.states);
  });

  it('say that the search was cut short', async () => {
    const mutex = compiled('counter-mutex.c');
    const limits = { maxStates: 3 };
    const answer = await decide({ kind: 'finite', program: mutex }, { kind: 'check' }, limits);
    if (answer.kind !== 'check') throw new Error(answer.kind);
    expect(answer.result!.races).toMatchObject({ races: [], incomplete: 'states' });
  });
});
