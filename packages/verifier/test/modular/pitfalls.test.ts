import { automataToJson, finiteProgram, type Program } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { describe, expect, test } from 'vitest';
import type { Automata } from '../../src/automata.js';
import { Budget } from '../../src/budget.js';
import { ModularInvariant, type WrittenInvariant } from '../../src/modular/invariant.js';
import { attackThreads } from '../../src/attack/thread.js';
import { AttackRefuter } from '../../src/attack/refute-attacks.js';
import { openAttacks } from '../../src/control-flow.js';
import { readAutomata } from '../../src/read-automata.js';
import { StaticPaths } from '../../src/static-path.js';
import { verifyCertificate } from '../../src/verify.js';
import { sealed } from '../copies/certify.js';
import { leastInvariants } from './least-invariant.js';

function parse(text: string): { readonly program: Program; readonly automata: Automata } {
  const { model, diagnostics } = parseNative(`program P\n${text}`);
  const program = finiteProgram(model) ?? expect.fail(JSON.stringify(diagnostics));
  return { program, automata: readAutomata(automataToJson(program), 'automata') };
}

const none = (automata: Automata): number[][] => automata.threads.map(() => []);

/** Returns the loads of thread 0 left feasible by an honest invariant of all executions. */
function leftOpen(automata: Automata): readonly number[] {
  const [written] = leastInvariants(automata, none(automata), 1_000) ?? expect.fail('too large');
  const invariant = new ModularInvariant(
    automata,
    attackThreads(automata, 'standard'),
    written!,
    [],
  );
  expect(invariant.refute(new Budget({}))).toBeUndefined();
  const refuter = new AttackRefuter(invariant, new Budget({}));
  return [...openAttacks(automata.threads[0]!)].flatMap(([store, loads]) =>
    [...loads].filter((load) => refuter.refute(0, store, new Set([load])).kind === 'open'),
  );
}

// One refuter serves all attackers of a program. In both programs (checked by hand), thread a has
// no feasible attack, and thread b has one, whose path leads over thread a.
describe('a refuter that has refuted the attacks of one thread', () => {
  test.each([
    [
      'leaves that of another, from the store of the same number',
      'x = 1; fence; r = y;',
      'y = 1; s = x;',
    ],
    [
      'leaves that of another, with the same store and load',
      'x = 1; r = y; y = 1; fence; r = x;',
      'x = 1; s = y;',
    ],
  ])('%s', (_, one, other) => {
    const { automata } = parse(
      `var x, y\nthread a { local r; ${one} }\nthread b { local s; ${other} }`,
    );
    const [written] = leastInvariants(automata, none(automata), 1_000) ?? expect.fail('too large');
    const threads = attackThreads(automata, 'standard');
    const invariant = new ModularInvariant(automata, threads, written!, []);
    expect(invariant.refute(new Budget({}))).toBeUndefined();
    const refuter = new AttackRefuter(invariant, new Budget({}));
    const ids = (thread: number, kind: string): number[] =>
      automata.threads[thread]!.transitions.flatMap(({ instruction }, id) =>
        instruction.kind === kind ? [id] : [],
      );
    const found = [0, 1].map(
      (thread) =>
        refuter.refute(thread, ids(thread, 'store')[0]!, new Set(ids(thread, 'load'))).kind,
    );
    expect(found).toEqual(['refuted', 'open']);
  });
});

// Made by hand: in each program, the happens-before path exists for one reason only.
describe('an attack is left open where a path leads back', () => {
  test.each([
    ['by one helper', 'y = 1; p = x;', 1],
    ['by a block that joins in its middle', 'atomic { p = x; y = 1; }', 1],
    ['by a block that meets the store first, and joins last', 'atomic { x = 2; y = 1; }', 1],
    ['by a block that joins first, and meets the store last', 'atomic { y = 1; p = x; }', 1],
    ['by two helpers, over a cell', 'y = 1; z = 1; } thread c { local q; q = z; q = x;', 1],
    [
      'by two helpers, over blocks',
      'y = 1; atomic { z = 1; } } thread c { local q; atomic { q = z; q = x; }',
      1,
    ],
    ['by two helpers, over the cell of the load', 'y = 1; } thread c { local q; q = y; q = x;', 1],
    ['nowhere', 'z = 1; p = x;', 0],
    ['nowhere: it meets the store before it joins', 'p = x; y = 1;', 0],
  ])('%s', (_, helper, open) => {
    const { automata } = parse(
      `var x, y, z\nthread a { local r; x = 1; r = y; }\nthread b { local p; ${helper} }`,
    );
    const left = leftOpen(automata);
    expect(left).toHaveLength(open);
    const paths = new StaticPaths(automata);
    for (const [store, loads] of openAttacks(automata.threads[0]!))
      for (const load of loads) expect(paths.refutes(0, store, load)).toBe(open === 0);
  });

  test('where only the second load from memory is behind', () => {
    const { automata } = parse(`var x, y, z
      thread a { local r; x = 1; r = z; r = y; }
      thread b { local p; y = 1; p = x; }`);
    expect(leftOpen(automata)).toHaveLength(1);
  });
});

describe('an invariant does not hold', () => {
  const { automata } = parse(`var x, y, go
    thread a { local r, g; g = go; assume (g == 1); x = 1; r = y; }
    thread b { local p; go = 1; y = 1; fence; p = x; }`);
  const [honest] = leastInvariants(automata, none(automata), 1_000)!;
  const go = automata.symbols.find(({ name }) => name === 'go')!.base;

  function wrong(change: (invariant: WrittenInvariant) => WrittenInvariant): string | undefined {
    const invariant = new ModularInvariant(
      automata,
      attackThreads(automata, 'standard'),
      change(honest!),
      [],
    );
    const finding = invariant.refute(new Budget({}));
    return finding?.kind === 'wrong' ? finding.text : undefined;
  }

  test('in which a value is missing that a thread writes', () => {
    expect(wrong((one) => one)).toBeUndefined();
    expect(
      wrong((one) => ({ ...one, cells: one.cells.filter(([address]) => address !== go) })),
    ).toContain(`writes 1 to ${go}`);
  });

  test('in which the start of a thread is missing', () => {
    expect(wrong((one) => ({ ...one, threads: one.threads.with(1, []) }))).toContain('the start');
  });

  test('that says a cell is of a thread that does not write it', () => {
    const owned = [[go], []];
    const threads = honest!.threads.map((places, t) =>
      t === 0 ? places.map(([at, registers]) => [at, registers, [0]] as const) : places,
    );
    expect(wrong((one) => ({ ...one, owned, threads }))).toContain('a cell of thread 1');
  });

  /** The first invariant, and an invariant of executions that lead to a store of thread a. */
  function restricted(
    away: WrittenInvariant['threads'][number],
    store: number,
  ): string | undefined {
    const wider = new ModularInvariant(automata, attackThreads(automata, 'standard'), honest!, []);
    const gone = new Set(away.map((place) => JSON.stringify(place)));
    const threads = honest!.threads.map((places, t) =>
      t === 0 ? places.filter((place) => !gone.has(JSON.stringify(place))) : places,
    );
    const towards = { thread: 0, stores: [store], within: 0, away };
    const narrow = new ModularInvariant(
      automata,
      attackThreads(automata, 'standard'),
      { ...honest!, threads, towards },
      [wider],
    );
    const finding = narrow.refute(new Budget({}));
    return finding?.kind === 'wrong' ? finding.text : undefined;
  }

  const [store] = [...openAttacks(automata.threads[0]!).keys()];
  const atStore = automata.threads[0]!.transitions[store!]!.from;

  test('that calls the places at a store away from it', () => {
    const places = honest!.threads[0]!;
    expect(restricted(places, store!)).toContain('is at the store');
    const before = places.filter(([location]) => location !== atStore);
    expect(before.length).toBeGreaterThan(0);
    expect(restricted(before.slice(0, 1), store!)).toContain('leads elsewhere');
  });

  test('that is about the executions to one store, for another', () => {
    const { program, automata: two } = parse(`var x, y, z
      thread a { local r; x = 1; r = y; fence; z = 1; r = y; }
      thread b { local p; y = 1; p = z; }`);
    const [first, second] = [...openAttacks(two.threads[0]!).keys()];
    const invariants = leastInvariants(two, none(two), 1_000, { thread: 0, store: first! })!;
    expect(invariants.length).toBeGreaterThan(1);
    const body = (of: number) => ({
      happensBefore: 'standard',
      invariants,
      attacks: [
        {
          thread: 0,
          store: of,
          loads: [...openAttacks(two.threads[0]!).get(of)!],
          invariant: invariants.length - 1,
        },
      ],
    });
    const json = automataToJson(program);
    return Promise.all([
      expect(verifyCertificate(sealed('robust', json, body(second!)), json, {})).resolves.toEqual({
        kind: 'rejected',
        findings: ['attacks 1: the invariant is about other executions'],
      }),
      // The invariant rightly refutes the first attack. The second attack makes the program not
      // robust.
      expect(verifyCertificate(sealed('robust', json, body(first!)), json, {})).resolves.toEqual({
        kind: 'rejected',
        findings: ['the program is not robust'],
      }),
    ]);
  });

  test('of one thread refutes no attack of another', async () => {
    const { program, automata: two } = parse(`var x, y, z
      thread a { local r; x = 1; r = z; }
      thread b { local p; z = 1; p = y; }
      thread c { local q; y = 1; fence; q = z; }`);
    const json = automataToJson(program);
    const attacks = [{ thread: 0, store: 0, loads: [1], invariant: 0 }];
    const invariants = leastInvariants(two, none(two), 1_000)!;
    const body = { happensBefore: 'standard', invariants, attacks };
    expect(await verifyCertificate(sealed('robust', json, body), json, {})).toMatchObject({
      kind: 'rejected',
      findings: ['the program is not robust'],
    });
  });
});
