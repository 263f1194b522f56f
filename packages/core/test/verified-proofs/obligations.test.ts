import { expect, it } from 'vitest';
import { describeWith } from '../../../../tools/external-program.js';
import { claimed, liar, verify } from './claimed.js';

const robust = (happensBefore: string) => ({ conclusion: { kind: 'robust', happensBefore } });

describeWith('z3', ['--version'], 'a claim that does not follow is rejected', () => {
  // In each text the invariant is false in some state reachable under SC.
  it.each([
    ['a store', 'thread t { x = 1; }', 'zero: x == 0'],
    ['a cas that succeeds', 'thread t { local r; r = cas(x, 0, 1); }', 'zero: x == 0'],
    ['a choice', 'thread t { local r; havoc r in 0..1; x = y; }', 'zero(a: t): a.r == 0'],
    ['a load', 'thread t { local r; r = x; } thread u { x = 1; }', 'zero(a: t): a.r == 0'],
    ['getting there', 'thread t { x = 1; l: x = 2; }', 'away(a: t): !(a @ l)'],
    [
      'a test that holds',
      'thread t { local r; r = x; assume(r == 0); l: y = 1; }',
      'away(a: t): x == 0 && a.r == 0 && !(a @ l)',
    ],
    [
      'another thread',
      'thread t { x = 1; l: y = 1; } thread u { x = 2; }',
      'one(a: t): !(a @ l) || x == 1',
    ],
    ['another copy', 'thread t[*] { x = 1; l: x = 2; }', 'one(a: t): !(a @ l) || x == 1'],
  ])('an invariant that is false behind %s', async (_, threads, invariant) => {
    const text = `program P\nvar x, y\n${threads}\ninvariant ${invariant}`;
    const report = await verify(await claimed(text));
    expect(report.kind).toBe('rejected');
    expect(JSON.stringify(report)).toContain('still true when');
  });

  it('an invariant that is false at the start', async () => {
    const text = `program P\nvar x\nthread t { local r; r = x; }\ninvariant one: x == 1`;
    expect(JSON.stringify(await verify(await claimed(text)))).toContain('one: true at the start');
  });

  it('a property that is false between two places only', async () => {
    const text = `program P
var x
thread b { local r; here: r = x; skip; there: x = 1; }
property p: never (!(b @ here) && !(b @ there) && !ended(b))`;
    expect((await verify(await claimed(text, {}, ['p']))).kind).toBe('rejected');
  });

  it('an invariant that is false between two accesses, which the claim takes for one step', async () => {
    const text = `program P\nvar x\nthread t { x = 1; x = 0; }\ninvariant zero: x == 0`;
    const { places } = (await claimed(text)) as { places: readonly (readonly number[])[] };
    const middle = places[0]!.find((place) => place === 1);
    expect(middle).toBe(1);
    const fewer = [places[0]!.filter((place) => place !== middle)];
    expect((await verify(await claimed(text, { places: fewer }))).kind).toBe('rejected');
  });

  const other = 'thread a { local r; x = 1; r = y; }';
  it.each([
    ['past another store, by values', other, 'thread b { x = 2; }', 'value', 'left-mover'],
    ['past who reads it, by values', other, 'thread b { local s; s = x; }', 'value', 'left-mover'],
    [
      'past the second access of a lock block',
      other,
      'thread b { local p, s; atomic { p = z; s = x; } }',
      'standard',
      'left-mover',
    ],
    [
      'past a cas that fails on another value',
      other,
      'thread b { local s; s = cas(x, 5, 6); }',
      'value',
      'left-mover',
    ],
    [
      'past a load of a cell that one way stores to',
      'thread a { local r; x = 1; if (*) { y = 2; } r = y; }',
      '',
      'standard',
      'no-loads',
    ],
    [
      'past a load of a cell that the other way stores to',
      'thread a { local r; x = 1; if (*) { skip; } else { y = 2; } r = y; }',
      '',
      'standard',
      'no-loads',
    ],
    [
      'past a load behind a test',
      'thread a { local r; x = 1; assume(r == 0); r = y; }',
      '',
      'standard',
      'no-loads',
    ],
  ] as const)('that a store moves %s', async (_, a, b, happensBefore, kind) => {
    const text = `program P\nvar x, y, z\n${a}\n${b}`;
    // Every further store has a valid argument, so that only the claim is wrong.
    const given = (await claimed(text)) as { stores: { thread: number; store: number }[] };
    const first = given.stores.find(({ thread, store }) => thread === 0 && store === 0)!;
    const stores = given.stores.map((one) =>
      one === first ? { ...one, argument: { kind } } : one,
    );
    const report = await verify(await claimed(text, { stores, ...robust(happensBefore) }));
    expect(report.kind).toBe('rejected');
  });

  it.each([
    [
      'the second load behind a store',
      'thread a { local r; x = 1; r = z; r = y; }',
      'thread b { y = 1; }',
    ],
    [
      'a load of copies, past other copies',
      'thread t[*] { local r; x = 1; r = y; fence; y = 1; }',
      '',
    ],
    [
      'a load, past a store of the value that is there',
      other,
      'thread b { y = 0; }\ninvariant zero: y == 0',
    ],
  ])('that all loads move: %s', async (_, a, b) => {
    const report = await verify(await claimed(`program P\nvar x, y, z\n${a}\n${b}`));
    expect(report.kind).toBe('rejected');
    expect(JSON.stringify(report)).toContain('moves right');
  });

  it('that a guess does what the load does, though it cannot', async () => {
    const text = `program P\ndomain 0..1\nvar y\nthread a { local r; havoc r in 0..0 with r == y; }`;
    const report = await verify(await claimed(text));
    expect(JSON.stringify(report)).toContain('does all that the access does');
    expect(report.kind).toBe('rejected');
  });

  it('that a program is robust with abstractions in it', async () => {
    const text = `program P\nvar x\nthread a { local r; r = weak_cas(x, 0, 1); }`;
    expect((await verify(await claimed(text))).kind).toBe('accepted');
    expect((await verify(await claimed(text, robust('standard')))).kind).toBe('rejected');
  });
});

const storeBuffering = `program SB
var x, y
thread a { local r; x = 1; r = y; }
thread b { local r; y = 1; r = x; }`;

describeWith('z3', ['--version'], 'nothing is shown', () => {
  it.each([
    ['does not know', 'unknown'],
    ['ends before it has answered', undefined],
  ])('by a solver that %s', async (_, says) => {
    const report = await verify(await claimed(storeBuffering), [liar(says)]);
    expect(report.kind).not.toBe('accepted');
  });

  it('where one of the solvers that are named is not there', async () => {
    const fenced = storeBuffering.replaceAll('= 1; r', '= 1; fence; r');
    expect((await verify(await claimed(fenced), ['z3'])).kind).toBe('accepted');
    expect((await verify(await claimed(fenced), ['z3', '/no/such/cvc5'])).kind).toBe('unknown');
  });
});
