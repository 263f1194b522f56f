import { describe, expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { fence, verifyFenceCertificate } from '../../src/api/fence.js';
import { certificateDigest, type Certificate } from '../../src/fences/certificate.js';
import { parseNative } from '../../src/native.js';
import type { Program } from '../../src/program/program.js';

function parse(text: string): Program {
  const { program, diagnostics } = parseNative(text);
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
): Promise<Certificate> {
  const { certificate } = await fence(program, { mode });
  if (!certificate) return expect.fail('no certificate');
  return certificate;
}

test.each(['fence', 'xchg', 'any'] as const)('store buffering costs 2 with %s', async (mode) => {
  const certificate = await certify(storeBuffering, mode);
  expect(certificate.cost).toBe(2);
  expect(certificate.clauses).toHaveLength(2);
  expect(await verifyFenceCertificate(certificate, storeBuffering)).toEqual([]);
});

test('one fence a thread is enough, the others may go', async () => {
  const { verdict } = await fence(withSpareFence, { mode: 'minimise' });
  if (verdict.kind !== 'found') return expect.fail(verdict.kind);
  expect(verdict.cost).toBe(2);
  expect(verdict.removable).toHaveLength(2);
  const certificate = await certify(withSpareFence, 'minimise');
  expect(await verifyFenceCertificate(certificate, withSpareFence)).toEqual([]);
});

/** Both threads store 1 to y: by values, nothing orders the two stores. */
const sameValues = parse(`
  program Same
  var x, y, z, w
  thread a { local s; x = 1; y = 1; z = 1; s = w; }
  thread b { local r, q; y = 1; r = x; w = 1; q = z; }`);

describe('by values', () => {
  test('a certificate names its notion and is checked in it', async () => {
    const { certificate, notion } = await fence(sameValues, { notion: 'value' });
    if (!certificate) return expect.fail('no certificate');
    expect(notion).toBe('value');
    expect(certificate.happensBefore).toBe('value');
    expect((await certify(sameValues)).cost).toBeGreaterThan(certificate.cost);
    expect(certificate.cost).toBe(2);
    expect(await verifyFenceCertificate(certificate, sameValues)).toEqual([]);
    const { happensBefore: _, ...older } = certificate;
    for (const forged of [{ ...certificate, happensBefore: 'standard' as const }, older]) {
      const digest = await certificateDigest({ ...forged, digest: '' });
      expect(await verifyFenceCertificate({ ...forged, digest }, sameValues)).toEqual([
        'the repaired program is not robust',
      ]);
    }
  });

  test('of a certificate from before there were two notions, the notion is the standard one', async () => {
    const { happensBefore: _, ...older } = await certify(storeBuffering);
    const digest = await certificateDigest({ ...older, digest: '' });
    expect(await verifyFenceCertificate({ ...older, digest }, storeBuffering)).toEqual([]);
  });

  // The store to z in c is delayed, and t's attack is not feasible, as nothing orders the stores of 5. An exchange in c would
  // read what b has stored.
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
      const { attacks } = await check(program, { notion: 'value', allAttacks: true });
      return attacks.flatMap(({ attack, verdict }) =>
        verdict === 'feasible' ? [attack.thread] : [],
      );
    };
    expect(await feasibleOf(ordering('z = 5;'))).toEqual([2]);
    expect(await feasibleOf(ordering('xchg(z, 5);'))).toEqual([0]);
    for (const mode of ['xchg', 'any'] as const)
      expect((await fence(ordering('z = 5;'), { notion: 'value', mode })).verdict).toEqual({
        kind: 'unknown',
        reason: 'unsupported',
        bound: 0,
      });
    const locked = ordering('xchg(z, 5);');
    const { verdict } = await fence(locked, { notion: 'value', mode: 'minimise-locked' });
    expect(verdict.kind).toBe('unknown');
  });
});

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Every value that differs from `value` in one leaf. */
function* changes(value: Json): Generator<Json> {
  if (isList(value)) {
    for (const [i, part] of value.entries())
      for (const changed of changes(part)) yield value.with(i, changed);
    if (value.length > 0) yield value.slice(1);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value))
      for (const changed of changes(part)) yield { ...value, [key]: changed };
  } else if (typeof value === 'number') yield value + 1;
  else if (typeof value === 'string') yield `${value}x`;
  else if (typeof value === 'boolean') yield !value;
}

describe('tampering', () => {
  test('a change of any field is detected', async () => {
    const certificate = await certify(storeBuffering);
    let count = 0;
    for (const changed of changes(certificate as unknown as Json)) {
      const findings = await verifyFenceCertificate(changed, storeBuffering);
      expect(findings, JSON.stringify(changed)).not.toEqual([]);
      count++;
    }
    expect(count).toBeGreaterThan(60);
  });

  // Fields that only name things, or that a clause cannot be wrong about without its witness showing it.
  const harmless = new Set(['costModel']);

  test('a change is detected even if the digest is made anew', async () => {
    const certificate = await certify(storeBuffering);
    for (const [key, value] of Object.entries<Json>(
      certificate as unknown as Record<string, Json>,
    )) {
      if (harmless.has(key) || key === 'digest') continue;
      for (const changed of changes(value)) {
        const forged: Certificate = { ...certificate, [key]: changed };
        const digest = await certificateDigest(forged);
        const findings = await verifyFenceCertificate({ ...forged, digest }, storeBuffering);
        expect(findings, `${key}: ${JSON.stringify(changed)}`).not.toEqual([]);
      }
    }
  });

  test('a certificate for another program', async () => {
    const certificate = await certify(storeBuffering);
    expect(await verifyFenceCertificate(certificate, withSpareFence)).toEqual([
      'the certificate is about another program',
    ]);
  });
});
