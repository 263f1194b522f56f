import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printNative } from '../../src/native.js';
import { certificateScript } from '@fencewright/proofs/obligations/certificate.js';
import { countMovers } from '@fencewright/reports/words/proof-counts.js';
import { describeWith } from '../../../../tools/external-program.js';
import { proveText, useSolver } from '../../../proofs/test/proving.js';

const folder = new URL('../../../../corpus/reduction/', import.meta.url).pathname;

interface Expectation {
  readonly conclusion: 'standard' | 'value' | 'abstraction' | 'not-robust';
  /** Not one of the 34. */
  readonly variantOf?: string;
  readonly readAbstractions: number;
  readonly weakRmws: number;
  readonly rightMovers: number;
  readonly leftMovers: number;
  readonly notRobust?: string;
}

const expected = JSON.parse(readFileSync(`${folder}expected.json`, 'utf8')) as Record<
  string,
  Expectation
>;

describe('the programs of [BEMT18]', () => {
  const solver = useSolver();

  it('are all expected', () => {
    const files = readdirSync(folder).flatMap((name) =>
      name.endsWith('.fw') ? [name.slice(0, -3)] : [],
    );
    expect(files.sort()).toEqual(Object.keys(expected).sort());
    expect(files).toHaveLength(37);
  });

  it.each(Object.entries(expected))('%s', async (name, expectation) => {
    const { result } = await proveText(readFileSync(`${folder}${name}.fw`, 'utf8'), { solver });
    const { verdict, violation, invariants } = result;
    const conclusion =
      verdict.kind !== 'proved'
        ? verdict.kind
        : verdict.conclusion.kind === 'robust'
          ? verdict.conclusion.happensBefore
          : verdict.conclusion.kind;
    expect(conclusion).toBe(expectation.conclusion);
    expect(invariants.every((invariant) => invariant.verdict === 'inductive')).toBe(true);
    const found = verdict.kind === 'not-robust' ? verdict.happensBefore : violation?.happensBefore;
    expect(found).toBe(expectation.notRobust);
    if (verdict.kind !== 'proved') return;
    const { readAbstractions, weakRmws, rightMovers, leftMovers } = expectation;
    expect(countMovers(result)).toEqual({ readAbstractions, weakRmws, rightMovers, leftMovers });
  });

  /** The program as it was before somebody put abstractions into it. */
  const concrete = (text: string): string =>
    text
      .replaceAll('weak_', '')
      .replace(/havoc (\w+) with \w+ == ([^;|]+?) \|\| [^;]+;/g, '$1 = $2;')
      .replace(/havoc (\w+) with \w+ <= (\w+);/g, '$1 = $2;');

  it.each([
    ['chase-lev', ['read']],
    ['mcs-lock', ['read', 'read']],
    ['dc-locking', ['rmw']],
    ['inline-pgsql', ['read', 'read']],
    ['fifo-iwsq', ['read']],
    // Another thread exchanges the lock, and looks whether it is free.
    ['nbw-w-lr-rl-ttas', ['read', 'rmw']],
  ] as const)('%s: the abstractions are found, given the invariants', async (name, kinds) => {
    const text = concrete(readFileSync(`${folder}${name}.fw`, 'utf8'));
    expect(text).not.toMatch(/havoc \w+ with \w+ (==|<=)/);
    const plain = (await proveText(text, { solver, searchInstances: false })).result;
    expect(plain.verdict.kind).toBe('unknown');
    const { result } = await proveText(text, { solver, searchInstances: false, infer: true });
    expect(result.verdict).toEqual({ kind: 'proved', conclusion: { kind: 'abstraction' } });
    expect(result.abstractions.map(({ kind }) => kind)).toEqual(kinds);
    expect(result.abstractions.every(({ origin }) => origin === 'inferred')).toBe(true);
    // The program that is shown is the one that was proved.
    const again = await proveText(printNative(result.abstraction!), {
      solver,
      searchInstances: false,
    });
    expect(again.result.verdict).toEqual(result.verdict);
  });

  const bare = (text: string): string => concrete(text).replace(/^invariant .*$/gm, '');

  it('are settled with nothing given', async () => {
    const names = Object.keys(expected);
    expect(names).toHaveLength(37);
    const open: string[] = [];
    for (const name of names) {
      const text = bare(readFileSync(`${folder}${name}.fw`, 'utf8'));
      const { verdict } = (await proveText(text, { solver, infer: true })).result;
      const isSettled =
        verdict.kind === 'proved' ||
        (verdict.kind === 'not-robust' && verdict.happensBefore === 'value');
      if (!isSettled) open.push(name);
    }
    expect(open).toEqual([]);
  }, 300_000);

  describeWith('z3', ['--version'], 'certificates', () => {
    it.each(Object.keys(expected))('%s', async (name) => {
      const text = readFileSync(`${folder}${name}.fw`, 'utf8');
      const { questions } = await proveText(text, { solver, searchInstances: false });
      const input = certificateScript(questions, [name]);
      const { stdout } = spawnSync('z3', ['-in'], { input, encoding: 'utf8' });
      expect(stdout).toBe('unsat\n'.repeat(questions.length));
    });
  });
});
