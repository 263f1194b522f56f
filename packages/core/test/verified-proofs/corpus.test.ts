import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeWith } from '../../../../tools/external-program.js';
import { usualCases } from '../../../../tools/usual-cases.js';
import { proveText, useSolver } from '../../../proofs/test/proving.js';
import { verifiedClaims } from './verified-claims.js';

const folder = new URL('../../../../corpus/reduction/', import.meta.url).pathname;

/** Returns the text without hand-written abstractions and invariants. */
const bare = (text: string): string =>
  text
    .replaceAll('weak_', '')
    .replace(/havoc (\w+) with \w+ == ([^;|]+?) \|\| [^;]+;/g, '$1 = $2;')
    .replace(/havoc (\w+) with \w+ <= (\w+);/g, '$1 = $2;')
    .replace(/^invariant .*$/gm, '');

// The proofs of the unchanged programs: `corpus/reduction.test.ts`.
describeWith('z3', ['--version'], 'certificates of the programs of [BEMT18]', () => {
  describeWith('cvc5', ['--version'], 'asked of z3 and cvc5', () => {
    const solver = useSolver();

    it.each(usualCases(['chase-lev.fw', 'dc-locking.fw'], (name) => name === 'chase-lev.fw'))(
      '%s: what was found without help holds as well',
      async (name) => {
        const text = bare(readFileSync(`${folder}${name}`, 'utf8'));
        const options = { solver, searchInstances: false, infer: true };
        const { claims } = await proveText(text, options);
        expect(await verifiedClaims(text, claims!, ['z3', 'cvc5'])).toMatchObject({
          kind: 'accepted',
        });
      },
    );
  });
});
