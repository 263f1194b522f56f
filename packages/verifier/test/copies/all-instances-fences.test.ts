import { describe, expect, test } from 'vitest';
import { fenceParameterized } from '@fencewright/core';
import { certificateDigest } from '../../src/canonical-json.js';
import type { VerifyOptions } from '../../src/check.js';
import { verifyCertificate } from '../../src/verify.js';
import { expectedFiles, parameterizedOf } from './certify.js';

type Certificate = Readonly<Record<string, unknown>> & {
  readonly items: readonly { readonly item: object; readonly cost: number }[];
  readonly chosen: readonly number[];
  readonly cost: number;
  readonly clauses: readonly {
    readonly items: readonly number[];
    readonly copies: readonly number[];
    readonly computation: readonly { readonly thread: number }[];
  }[];
  readonly invariant: readonly object[];
};

/** Returns the certificate written by `fence`, as read from a file. */
async function certificateOf(text: string, options = {}): Promise<Certificate> {
  const program = parameterizedOf(text);
  const { certificate } = await fenceParameterized(program, { ...options, certify: true });
  if (!certificate) throw new Error('there is no certificate');
  return JSON.parse(JSON.stringify(certificate)) as Certificate;
}

/** Returns the verifier's report on a changed certificate with a matching digest. */
function judge(
  certificate: Certificate,
  changes: Partial<Certificate> = {},
  limits: VerifyOptions = {},
) {
  const { digest: _, ...rest } = { ...certificate, ...changes };
  const sealed = { ...rest, digest: certificateDigest(rest) };
  return verifyCertificate(sealed, certificate.automata, limits);
}

const files = expectedFiles();

/**
 * Store buffering with any number of copies: each copy delays its store past the load of the cell
 * to which `b` stores, and `b` likewise.
 */
const storeBuffering = `program p
var x, y
thread a[*] { local r; x = 1; r = y; }
thread b { local r; y = 1; r = x; }`;

describe('certificates of the cheapest fences for all instances', () => {
  test.each(files)('$path: accepted', async ({ text, expected }) => {
    const certificate = await certificateOf(text);
    if (expected.fences !== undefined) expect(certificate.cost).toBe(expected.fences);
    if (expected.verdict === 'robust') expect(certificate.cost).toBe(0);
    expect(await judge(certificate)).toMatchObject({ kind: 'accepted', about: 'the program' });
  });

  test.each([
    ['exchanges', { mode: 'xchg' }],
    ['either', { mode: 'any' }],
    ['value happens-before', { happensBefore: 'value' }],
  ])('%s', async (_, options) => {
    expect(await judge(await certificateOf(storeBuffering, options))).toMatchObject({
      kind: 'accepted',
    });
  });

  test('fences that stay', async () => {
    const fenced = storeBuffering.replaceAll('= 1;', '= 1; fence; fence;');
    const certificate = await certificateOf(fenced, { mode: 'minimise' });
    expect(certificate.cost).toBe(2);
    expect(await judge(certificate)).toMatchObject({ kind: 'accepted' });
  });
});

describe('no forged certificate of fences for all instances is accepted', () => {
  const forgeries: Readonly<Record<string, (honest: Certificate) => Partial<Certificate>>> = {
    'a set that is too small': ({ chosen, items }) => ({
      chosen: chosen.slice(1),
      cost: chosen.slice(1).reduce((sum, i) => sum + items[i]!.cost, 0),
    }),
    'the same, with clauses that ask for no more': ({ chosen, clauses, items }) => ({
      chosen: chosen.slice(1),
      clauses: clauses.filter(({ items: own }) => !own.includes(chosen[0]!)),
      cost: chosen.slice(1).reduce((sum, i) => sum + items[i]!.cost, 0),
    }),
    'the same, without an invariant': ({ chosen, clauses }) => ({
      chosen: chosen.slice(1),
      clauses: clauses.filter(({ items }) => !items.includes(chosen[0]!)),
      cost: 1,
      invariant: [],
    }),
    'a set that is too large': ({ items }) => ({
      chosen: [...items.keys()],
      cost: items.length,
    }),
    'the same, with a clause of one item for each': ({ items, clauses }) => ({
      chosen: [...items.keys()],
      cost: items.length,
      clauses: [...items.keys()].map((i) => ({ ...clauses[0]!, items: [i] })),
    }),
    'a clause without some of its items': ({ clauses }) => ({
      clauses: clauses.map((clause) => ({ ...clause, items: clause.items.slice(1) })),
    }),
    'no clauses': () => ({ clauses: [] }),
    'a cost': ({ items }) => ({ items: items.map((one) => ({ ...one, cost: 5 })), cost: 10 }),
    'other numbers of copies': ({ clauses }) => ({
      clauses: clauses.map((clause) => ({ ...clause, copies: clause.copies.map(() => 0) })),
    }),
    'too few numbers of copies': ({ clauses }) => ({
      clauses: clauses.map((clause) => ({ ...clause, copies: [] })),
    }),
    'half a computation': ({ clauses }) => ({
      clauses: clauses.map((clause) => ({
        ...clause,
        computation: clause.computation.slice(0, clause.computation.length / 2),
      })),
    }),
    'a computation without its end': ({ clauses }) => ({
      clauses: clauses.map((clause) => ({
        ...clause,
        computation: clause.computation.slice(0, -1),
      })),
    }),
    'a computation in which nothing is delayed': ({ clauses }) => ({
      clauses: clauses.map((clause) => ({ ...clause, computation: [] })),
    }),
    'items that are left out': ({ items }) => ({ items: items.slice(0, -1) }),
    'an invariant of something else': () => ({
      invariant: [
        {
          phase: 'before',
          memory: [],
          threads: [{ thread: 0, location: 0, registers: [0], count: 'any' }],
        },
      ],
    }),
  };

  test.each([
    ['store buffering', storeBuffering],
    ['a chain', files.find(({ path }) => path.includes('chain3'))!.text],
  ])('%s', async (_, text) => {
    const honest = await certificateOf(text);
    expect((await judge(honest)).kind).toBe('accepted');
    for (const [kind, forge] of Object.entries(forgeries)) {
      const { invariant } = forge(honest);
      // If the fences are such that control flow alone refutes all attacks, the content of the
      // invariant does not matter.
      if (invariant && invariant.length > 0 && honest.invariant.length === 0) continue;
      expect((await judge(honest, forge(honest))).kind, kind).not.toBe('accepted');
    }
  });
});

describe('a clause', () => {
  test('whose computation leaves a store in a buffer is refused', async () => {
    const honest = await certificateOf(storeBuffering.replace('r = x; }', 'r = x; x = 2; }'));
    const clauses = honest.clauses.map((clause) => {
      // The last thread of the instance is b. The added issue of a store is at the end of b.
      const b = clause.copies.reduce((sum, count) => sum + count, 0) - 1;
      const issued = { thread: b, kind: 'issue', transition: 2 };
      return { ...clause, computation: [...clause.computation, issued] };
    });
    expect(await judge(honest, { clauses })).toMatchObject({
      kind: 'rejected',
      findings: honest.clauses.map(
        (_, i) => `clause ${i + 1}: the computation leaves stores in a buffer`,
      ),
    });
  });

  test('speaks of all copies, whichever of them delays', async () => {
    const text = `program p
      var x, y
      thread a[*] { local r; if (*) { x = 1; r = y; } else { y = 1; r = x; } }`;
    const honest = await certificateOf(text);
    const turned = honest.clauses.map(({ computation, copies, ...clause }) => {
      expect(copies).toEqual([2]);
      const other = computation.map((action) => ({ ...action, thread: 1 - action.thread }));
      return { ...clause, copies, computation: other };
    });
    for (const clauses of [honest.clauses, turned]) {
      expect(await judge(honest, { clauses })).toMatchObject({ kind: 'accepted' });
      const fewer = clauses.map((clause) => ({ ...clause, items: clause.items.slice(1) }));
      expect(JSON.stringify(await judge(honest, { clauses: fewer }))).toContain(
        'repairs outside the clause stop its computation, too',
      );
    }
  });
});

test('that all instances are robust is left open over the limit on states', async () => {
  const { text } = files.find(({ path }) => path.includes('ticket-sat'))!;
  const certificate = await certificateOf(text);
  expect(await judge(certificate, {}, { maxStates: 20 })).toMatchObject({ kind: 'partly' });
});
