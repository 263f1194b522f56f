import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Proof } from '../../src/api/prove.js';
import { certificateScript } from '@fencewright/proofs/obligations/certificate.js';
import { countMovers } from '@fencewright/reports/words/proof-counts.js';
import { describeWith } from '../../../../tools/external-program.js';
import { proveText, useSolver } from '../../../proofs/test/proving.js';
import { verifiedClaims } from '../verified-proofs/verified-claims.js';
import { usualCases } from '../../../../tools/usual-cases.js';

const folder = new URL('../../../../corpus/reduction/', import.meta.url).pathname;

interface Expectation {
  readonly conclusion: 'standard' | 'value' | 'abstraction' | 'not-robust';
  /**
   * The program of which this one is a variant; absent for the 34 programs of the original list.
   */
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

/** The programs whose proofs take longest. */
const long = ['chase-lev', 'task-scheduling', 'fifo-iwsq', 'mcs-lock'];
const usual = usualCases(Object.entries(expected), ([name]) => long.includes(name));

describe('the programs of [BEMT18]', () => {
  const solver = useSolver();
  const proofs = new Map<string, Promise<Proof>>();

  /** Returns the proof of a program. The proof is computed at the first call. */
  function proofOf(name: string): Promise<Proof> {
    const known =
      proofs.get(name) ?? proveText(readFileSync(`${folder}${name}.fw`, 'utf8'), { solver });
    proofs.set(name, known);
    return known;
  }

  it('are all expected', () => {
    const files = readdirSync(folder).flatMap((name) =>
      name.endsWith('.fw') ? [name.slice(0, -3)] : [],
    );
    expect(files.sort()).toEqual(Object.keys(expected).sort());
    expect(files).toHaveLength(37);
  });

  it.each(usual)('%s', async (name, expectation) => {
    const { result } = await proofOf(name);
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

  describeWith('z3', ['--version'], 'certificates', () => {
    it.each(usual)('%s', async (name) => {
      const { questions } = await proofOf(name);
      const input = certificateScript(questions, [name]);
      const { stdout } = spawnSync('z3', ['-in'], { input, encoding: 'utf8' });
      expect(stdout).toBe('unsat\n'.repeat(questions.length));
    });

    describeWith('cvc5', ['--version'], 'asked of z3 and cvc5', () => {
      it.each(usual)('%s holds', async (name) => {
        const { claims } = await proofOf(name);
        // The only program that is not robust; the paper says what is missing in it.
        if (name === 'nbw-w-lr-rl') {
          expect(claims).toBeUndefined();
          return;
        }
        const text = readFileSync(`${folder}${name}.fw`, 'utf8');
        expect(await verifiedClaims(text, claims!, ['z3', 'cvc5'])).toMatchObject({
          ...{ kind: 'accepted', about: 'the program' },
        });
      });
    });
  });
});
