import { finiteProgram } from '@fencewright/model/program/model.js';
import { describe, expect, test } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { fence } from '../../../core/src/api/fence.js';
import type { FenceAnswer } from '../../../core/src/api/fence-answer.js';
import { parseNative } from '@fencewright/core/native';
import type { Program } from '@fencewright/model/program/program.js';

function parse(text: string): Program {
  const { model, diagnostics } = parseNative(text);
  const program = finiteProgram(model);
  if (!program) return expect.fail(JSON.stringify(diagnostics));
  return program;
}

const storeBuffering = parse(`
  program SB
  var x, y
  thread a { local r; x = 1; r = y; }
  thread b { local s; y = 1; s = x; }`);

const withSpareFence = parse(`
  program Spare
  var x, y
  thread a { local r; x = 1; fence; fence; r = y; }
  thread b { local s; y = 1; fence; s = x; fence; }`);

async function certify(
  program: Program,
  mode: 'fence' | 'xchg' | 'any' | 'minimise' = 'fence',
): Promise<NonNullable<FenceAnswer['certificate']>> {
  const { certificate } = await fence(program, { mode });
  if (!certificate) return expect.fail('no certificate');
  return certificate;
}

test.each(['fence', 'xchg', 'any'] as const)('store buffering costs 2 with %s', async (mode) => {
  const certificate = await certify(storeBuffering, mode);
  expect(certificate.cost).toBe(2);
  expect(certificate).toHaveProperty('clauses.length', 2);
});

test('one fence a thread is enough, the others may go', async () => {
  const { verdict } = await fence(withSpareFence, { mode: 'minimise' });
  if (verdict.kind !== 'found') return expect.fail(verdict.kind);
  expect(verdict.cost).toBe(2);
  expect(verdict.removable).toHaveLength(2);
});

/**
 * A program whose threads both store 1 to y: the two stores are unordered for value happens-before.
 */
const sameValues = parse(`
  program Same
  var x, y, z, w
  thread a { local s; x = 1; y = 1; z = 1; s = w; }
  thread b { local r, q; y = 1; r = x; w = 1; q = z; }`);

describe('by values', () => {
  test('a certificate names its notion', async () => {
    const { certificate, happensBefore } = await fence(sameValues, { happensBefore: 'value' });
    if (!certificate) return expect.fail('no certificate');
    expect(happensBefore).toBe('value');
    expect(certificate).toHaveProperty('happensBefore', 'value');
    expect((await certify(sameValues)).cost).toBeGreaterThan(certificate.cost);
    expect(certificate.cost).toBe(2);
  });

  // The store to z in c is delayed, and t's attack is not feasible: nothing orders the stores
  // of 5.
  // An exchange in c would read what b has stored.
  const ordering = (storeOfC: string): Program =>
    parse(`
      program Ordering
      var x, y, z
      thread t { local r; x = 1; r = y; }
      thread b { y = 1; z = 5; }
      thread c { local q; ${storeOfC} q = x; }
      thread u { local p; x = 2; fence; p = z; }`);

  test('an exchange in place of a store can do harm, and is not offered', async () => {
    const feasibleOf = async (program: Program): Promise<number[]> => {
      const { attacks } = await check(program, { happensBefore: 'value', allAttacks: true });
      return attacks.flatMap(({ attack, verdict }) =>
        verdict === 'feasible' ? [attack.thread] : [],
      );
    };
    expect(await feasibleOf(ordering('z = 5;'))).toEqual([2]);
    expect(await feasibleOf(ordering('xchg(z, 5);'))).toEqual([0]);
    for (const mode of ['xchg', 'any'] as const)
      expect((await fence(ordering('z = 5;'), { happensBefore: 'value', mode })).verdict).toEqual({
        kind: 'unknown',
        reason: 'unsupported',
        bound: 0,
      });
    const locked = ordering('xchg(z, 5);');
    const { verdict } = await fence(locked, { happensBefore: 'value', mode: 'minimise-locked' });
    expect(verdict.kind).toBe('unknown');
  });
});
