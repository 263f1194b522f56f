import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { proveText, useSolver, openProgram } from '../../../core/test/reduction/proving.js';
import { sealCertificate } from '../../../core/src/program/seal-certificate.js';
import { verifyCertificate } from '../../src/verify.js';

const folder = new URL('../../../../corpus/reduction/', import.meta.url).pathname;
describe('x', () => {
  const solver = useSolver();
  for (const name of readdirSync(folder).filter((n) => n.endsWith('.fw')))
    it(
      name,
      async () => {
        const text = readFileSync(`${folder}${name}`, 'utf8');
        const t0 = performance.now();
        const { claims, result } = await proveText(text, { solver, searchInstances: false });
        if (!claims) {
          console.log(name, result.verdict.kind);
          return;
        }
        const t1 = performance.now();
        const cert = await sealCertificate('proof', openProgram(text), claims);
        const t2 = performance.now();
        for (const solvers of [['z3'], ['cvc5']]) {
          const report = await verifyCertificate(JSON.parse(JSON.stringify(cert)), undefined, {
            solvers,
            timeout: 60000,
          });
          console.log(
            name,
            result.verdict,
            Math.round(t1 - t0),
            Math.round(performance.now() - t2),
            JSON.stringify(report).slice(0, 1500),
          );
        }
      },
      200_000,
    );
});
