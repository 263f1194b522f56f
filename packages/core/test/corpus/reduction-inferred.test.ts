import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printNative } from '../../src/native.js';
import { proveText, useSolver } from '../../../proofs/test/proving.js';
import { randomRuns } from '../../../../tools/random-runs.js';
import { usualCases } from '../../../../tools/usual-cases.js';

const folder = new URL('../../../../corpus/reduction/', import.meta.url).pathname;

describe('the programs of [BEMT18] without what was written for their proofs', () => {
  const solver = useSolver();

  /** Returns the text without hand-written abstractions. */
  const concrete = (text: string): string =>
    text
      .replaceAll('weak_', '')
      .replace(/havoc (\w+) with \w+ == ([^;|]+?) \|\| [^;]+;/g, '$1 = $2;')
      .replace(/havoc (\w+) with \w+ <= (\w+);/g, '$1 = $2;');

  const given = [
    ['dc-locking', ['rmw']],
    ['inline-pgsql', ['read', 'read']],
    // The other thread exchanges the lock, and tests whether it was free.
    ['nbw-w-lr-rl-ttas', ['read', 'rmw']],
    // Each of these takes longer than the others together.
    ['mcs-lock', ['read', 'read']],
    ['chase-lev', ['read']],
    ['fifo-iwsq', ['read']],
  ] as const;

  it.each(given.slice(0, randomRuns(given.length, given.length, 3)))(
    '%s: the abstractions are found, given the invariants',
    async (name, kinds) => {
      const text = concrete(readFileSync(`${folder}${name}.fw`, 'utf8'));
      expect(text).not.toMatch(/havoc \w+ with \w+ (==|<=)/);
      const plain = (await proveText(text, { solver, searchInstances: false })).result;
      expect(plain.verdict.kind).toBe('unknown');
      const { result } = await proveText(text, { solver, searchInstances: false, infer: true });
      expect(result.verdict).toEqual({ kind: 'proved', conclusion: { kind: 'abstraction' } });
      expect(result.abstractions.map(({ kind }) => kind)).toEqual(kinds);
      expect(result.abstractions.every(({ origin }) => origin === 'inferred')).toBe(true);
      // The printed program is the proved one.
      const again = await proveText(printNative(result.abstraction!), {
        solver,
        searchInstances: false,
      });
      expect(again.result.verdict).toEqual(result.verdict);
    },
  );

  const bare = (text: string): string => concrete(text).replace(/^invariant .*$/gm, '');

  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.fw'))
    .map((name) => [name, readFileSync(`${folder}${name}`, 'utf8')] as const)
    // All other programs have no abstractions to remove; `reduction.test.ts` tests them.
    .filter(([, text]) => bare(text) !== text);

  it('are 16', () => {
    expect(texts).toHaveLength(16);
  });

  /** The proofs of these take longer than those of the others together. */
  const longest = [
    ...['fifo-iwsq.fw', 'chase-lev.fw', 'mcs-lock.fw', 'nbw-w-lr-rl-ttas.fw', 'inline-pgsql.fw'],
  ];

  it.each(usualCases(texts, ([name]) => longest.includes(name)))(
    '%s is settled with nothing given',
    async (_, text) => {
      const { verdict } = (await proveText(bare(text), { solver, infer: true })).result;
      const found = verdict.kind === 'not-robust' ? verdict.happensBefore : verdict.kind;
      expect(['proved', 'value']).toContain(found);
    },
  );
});
