import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { automataToJson } from '@fencewright/model/program/automata-json.js';
import { sealCertificate } from '@fencewright/model/program/seal-certificate.js';
import { openProgram, proveText, useSolver } from '../../../proofs/test/proving.js';
import { describeWith } from '../../../../tools/external-program.js';
import { verifyCertificate } from '@fencewright/verifier';

const folder = new URL('../../../../corpus/reduction/', import.meta.url).pathname;
const names = readdirSync(folder).filter((name) => name.endsWith('.fw'));

/** Programs that cvc5 cannot decide within its time: none. */
const z3Only: readonly string[] = [];

/** The program as it was before somebody put abstractions and invariants into it. */
const bare = (text: string): string =>
  text
    .replaceAll('weak_', '')
    .replace(/havoc (\w+) with \w+ == ([^;|]+?) \|\| [^;]+;/g, '$1 = $2;')
    .replace(/havoc (\w+) with \w+ <= (\w+);/g, '$1 = $2;')
    .replace(/^invariant .*$/gm, '');

describeWith('z3', ['--version'], 'certificates of the programs of [BEMT18]', () => {
  describeWith('cvc5', ['--version'], 'asked of z3 and cvc5', () => {
    const solver = useSolver();
    const verified = async (text: string, infer: boolean, solvers: readonly string[]) => {
      const { claims } = await proveText(text, { solver, searchInstances: false, infer });
      if (!claims) return undefined;
      const sealed = await sealCertificate('proof', openProgram(text), claims);
      const given = automataToJson(openProgram(text));
      return verifyCertificate(JSON.parse(JSON.stringify(sealed)), given, { solvers });
    };

    describe('hold', () => {
      it.each(names)('%s', async (name) => {
        const solvers = z3Only.includes(name) ? ['z3'] : ['z3', 'cvc5'];
        const report = await verified(readFileSync(`${folder}${name}`, 'utf8'), false, solvers);
        // The one that is not robust, by the paper's own account of what is missing in it.
        if (name === 'nbw-w-lr-rl.fw') {
          expect(report).toBeUndefined();
          return;
        }
        expect(report).toMatchObject({ kind: 'accepted', about: 'the program' });
      });
    });

    it.each(['chase-lev.fw', 'dc-locking.fw'])(
      '%s: what was found without help holds as well',
      async (name) => {
        const text = bare(readFileSync(`${folder}${name}`, 'utf8'));
        const report = await verified(text, true, ['z3', 'cvc5']);
        expect(report).toMatchObject({ kind: 'accepted' });
      },
    );
  });
});
