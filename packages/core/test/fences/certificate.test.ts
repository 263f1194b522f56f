import { describe, expect, test } from 'vitest';
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
