import { expect, it } from 'vitest';
import { verifyCertificate } from '@fencewright/verifier';
import { automataToJson } from '@fencewright/model/program/automata-json.js';
import { sealCertificate } from '@fencewright/model/program/seal-certificate.js';
import { describeWith } from '../../../../tools/external-program.js';
import { openProgram, proveText, useSolver } from '../../../proofs/test/proving.js';

/** Robust, as t alone stores, and it stores nothing but 1. */
const text = `program Asked
var x, y
thread t { local r; loop { r = y; inside: x = 1; } }
thread u { local r; loop { r = x; r = y; } }
invariant bounded: x <= 1 && y <= 1
property low: never (x > 1)
property after: never (t @ inside && y > 1)`;

describeWith('z3', ['--version'], 'certificates of proofs about what is asked for', () => {
  const solver = useSolver();

  it.each([[['low']], [['bounded']], [['low', 'after', 'bounded']]])('%s', async (properties) => {
    const { claims, result } = await proveText(text, { solver, properties });
    expect(result.properties.map(({ verdict }) => verdict)).toEqual(properties.map(() => 'holds'));
    const sealed = await sealCertificate('proof', openProgram(text), claims!);
    const report = await verifyCertificate(
      JSON.parse(JSON.stringify(sealed)),
      JSON.parse(JSON.stringify(automataToJson(openProgram(text)))),
      { solvers: ['z3'] },
    );
    expect(report).toMatchObject({ kind: 'accepted', about: 'the program' });
    if (report.kind !== 'accepted') return;
    for (const name of properties)
      expect(report.proves.join('\n')).toContain(`${name} holds in every state`);
  });
});
