import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isCampaign } from '../../../../tools/random-runs.js';
import { describeWith } from '../../../../tools/external-program.js';
import { verifiedClaims } from '../verified-proofs/verified-claims.js';
import { proveText, useSolver } from '../../../proofs/test/proving.js';

const folder = new URL('../../../../corpus/inference/', import.meta.url);
const expected = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Readonly<
  Record<string, 'robust' | 'abstraction' | 'open'>
>;
const names = readdirSync(folder).flatMap((name) =>
  name.endsWith('.fw') ? [name.slice(0, -'.fw'.length)] : [],
);
const textOf = (name: string) => readFileSync(new URL(`${name}.fw`, folder), 'utf8');

/** The texts that `npm test` proves: one of each shape, for some seconds each. */
const usual = ['ticket-reload', 'clh-reuse', 'ms-swap-tail', 'treiber-list'];

test('there are five texts of each of six algorithms, each with its source', () => {
  expect(names.toSorted()).toEqual(Object.keys(expected).toSorted());
  for (const algorithm of ['ticket', 'anderson', 'clh', 'mcs', 'ms', 'treiber'])
    expect(names.filter((name) => name.startsWith(`${algorithm}-`))).toHaveLength(5);
  for (const name of names) {
    expect(textOf(name), name).toMatch(/^\/\/ Source: /);
    expect(textOf(name), name).not.toContain('invariant');
  }
});

const chosen = isCampaign ? names.filter((name) => expected[name] !== 'open') : usual;

describe('usual texts of locks, queues and stacks, for any number of threads', () => {
  const solver = useSolver();

  test.each(chosen)('%s is proved with nothing given', async (name) => {
    const options = { solver, infer: true, searchInstances: false };
    const { verdict } = (await proveText(textOf(name), options)).result;
    expect(verdict.kind).toBe('proved');
    if (verdict.kind === 'proved') expect(verdict.conclusion.kind).toBe(expected[name]);
  });

  test('a ticket lock with data inside is proved, whatever the names', async () => {
    const text = `program P
      var nxt, srv, x, y
      thread t[*] { local m, s, v; loop {
        m = fetch_add(nxt, 1);
        do { s = srv; } while (s != m);
        v = x; x = v + 1; v = y; y = v + 1;
        srv = m + 1;
      } }`;
    const options = { solver, infer: true, searchInstances: false };
    expect((await proveText(text, options)).result.verdict.kind).toBe('proved');
  });

  // Proving this text takes the solver long, so it is for campaigns.
  const ofCampaigns = isCampaign
    ? ['a queue with nodes from a counter and a tail that lags is proved']
    : [];
  for (const title of ofCampaigns)
    test(title, async () => {
      const text = `program P
      var hd = 1, tl = 1, fresh = 2, nx[*], dat[*]
      thread put[*] { local k, t, n, ok, item; loop {
        k = fetch_add(fresh, 1);
        dat[k] = item;
        nx[k] = 0;
        ok = 0;
        while (ok == 0) {
          t = tl;
          n = nx[t];
          if (n != 0) { ok = cas(tl, t, n); ok = 0; } else { ok = cas(nx[t], 0, k); }
        }
        ok = cas(tl, t, k);
        item = item + 1;
      } }
      thread get[*] { local h, t, n, d, ok; loop {
        h = hd; t = tl; n = nx[h];
        if (h == t) { if (n != 0) { ok = cas(tl, t, n); } }
        else { d = dat[n]; ok = cas(hd, h, n); }
      } }`;
      const options = { solver, infer: true, searchInstances: false };
      expect((await proveText(text, options)).result.verdict.kind).toBe('proved');
    });

  describeWith('z3', ['--version'], 'their certificates', () => {
    test.each(isCampaign ? chosen : ['ticket-reload'])('%s: accepted', async (name) => {
      const options = { solver, infer: true, searchInstances: false };
      const { claims } = await proveText(textOf(name), options);
      const judged = await verifiedClaims(textOf(name), claims!, ['z3']);
      expect(judged).toMatchObject({ kind: 'accepted' });
    });
  });
});
