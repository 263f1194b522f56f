import { expect, it } from 'vitest';
import { verifyCertificate } from '@fencewright/verifier';
import { automataToJson } from '@fencewright/model/program/automata-json.js';
import { sealCertificate } from '@fencewright/model/program/seal-certificate.js';
import { describeWith } from '../../../../tools/external-program.js';
import { openProgram, proveText, useSolver } from '../../../proofs/test/proving.js';

/** A robust program: only `t` stores, and only the value 1. */
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

  it('any two copies', async () => {
    const copies = `program Copies
var l, x
thread user[*] {
  local v, r;
  loop { r = xchg(l, 1); wait: assume(r == 0); mid: v = x; inc: x = v + 1; out: l = 0; }
}
thread other { local r; r = x; }
invariant one(a: user, b: user):
  !((a @ wait && a.r == 0 || a @ mid || a @ inc || a @ out) && (b @ wait && b.r == 0 || b @ mid || b @ inc || b @ out))
invariant got(a: user): a @ wait && a.r == 0 || a @ mid || a @ inc || a @ out ==> l == 1
property exclusive: never (user[0] @ mid && user[1] @ mid && !ended(other))
property waiting: never (user[0] @ wait && user[1] @ wait)`;
    const options = { solver, limits: { maxStates: 200 }, properties: ['exclusive'] };
    const { claims, result } = await proveText(copies, options);
    expect(result.properties.map(({ verdict }) => verdict)).toEqual(['holds']);
    const judged = async (properties: readonly string[], edit = (json: string) => json) => {
      const asked = { ...claims!, properties };
      const sealed = await sealCertificate('proof', openProgram(copies), asked);
      const program = JSON.stringify(automataToJson(openProgram(copies)));
      return verifyCertificate(
        JSON.parse(edit(JSON.stringify(sealed))),
        JSON.parse(edit(program)),
        { solvers: ['z3'] },
      );
    };
    expect(await judged(['exclusive'])).toMatchObject({ kind: 'accepted' });
    // Two copies may wait at once: the verifier does not identify the copies.
    expect((await judged(['waiting'])).kind).not.toBe('accepted');
    // A single thread has no copies.
    const named = (json: string): string =>
      json.replace('"kind":"ended","thread":1', '"kind":"ended","thread":1,"copy":0');
    expect((await judged(['exclusive'], named)).kind).not.toBe('accepted');
  });
});
