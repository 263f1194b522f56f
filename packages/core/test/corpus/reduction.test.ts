import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countMovers } from '../../src/reports/proof-counts.js';
import { proveText, useSolver } from '../reduction/proving.js';

const folder = new URL('../../../../corpus/reduction/', import.meta.url).pathname;

interface Expectation {
  readonly conclusion: 'standard' | 'value' | 'abstraction' | 'not-robust';
  readonly abstractions: number;
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
    expect(files).toHaveLength(35);
  });

  it.each(Object.entries(expected))('%s', async (name, expectation) => {
    const { result } = await proveText(readFileSync(`${folder}${name}.fw`, 'utf8'), { solver });
    const { verdict, violation, invariants } = result;
    const conclusion =
      verdict.kind !== 'proved'
        ? verdict.kind
        : verdict.conclusion.kind === 'robust'
          ? verdict.conclusion.notion
          : verdict.conclusion.kind;
    expect(conclusion).toBe(expectation.conclusion);
    expect(invariants.every((invariant) => invariant.verdict === 'inductive')).toBe(true);
    const found = verdict.kind === 'not-robust' ? verdict.notion : violation?.notion;
    expect(found).toBe(expectation.notRobust);
    if (verdict.kind !== 'proved') return;
    const { abstractions, rightMovers, leftMovers } = expectation;
    expect(countMovers(result)).toEqual({ abstractions, rightMovers, leftMovers });
  });
});
