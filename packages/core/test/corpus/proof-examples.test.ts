import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { proveText, useSolver } from '../../../proofs/test/proving.js';
import { usualCases } from '../../../../tools/usual-cases.js';

const folder = new URL('../../../../examples/proofs/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.fw'));
const solver = useSolver();

/** Returns the verdict and invariants of `prove --infer`, without searching small instances. */
async function inferred(text: string) {
  const options = { solver, infer: true, searchInstances: false };
  const { verdict, invariants } = (await proveText(text, options)).result;
  return { verdict, invariants };
}

const robust = { kind: 'proved', conclusion: { kind: 'robust', happensBefore: 'standard' } };

describe.each(usualCases(files, (file) => file === 'michael-scott-queue.fw'))(
  'examples/proofs/%s',
  (file) => {
    const text = readFileSync(new URL(file, folder), 'utf8');

    test('is proved for any number of threads', async () => {
      expect(text).toContain('Expected: robust');
      expect((await inferred(text)).verdict).toEqual(robust);
    });
  },
);
