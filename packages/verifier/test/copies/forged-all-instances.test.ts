import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import type { UnboundedModel } from '@fencewright/core';
import { enumerateTraces } from '@fencewright/core/testing';
import { AttackSteps } from '../../src/attack/steps.js';
import { readAutomata } from '../../src/read-automata.js';
import { verifyCertificate } from '../../src/verify.js';
import { blindClosure } from './blind-closure.js';
import { automataOf, type Body, parameterizedOf, proofOf, sealed } from './certify.js';
import { forgeriesOf } from './forgeries.js';
import { randomTemplates } from './random-templates.js';
import { smallInstances } from './small-instances.js';

const runs = randomRuns(20, 1000);
const seed = randomSeed(20130319);

async function verdictOn(program: UnboundedModel, body: object, about = automataOf(program)) {
  const certificate = sealed('all-instances', about, body);
  return verifyCertificate(certificate, automataOf(program), {});
}

/**
 * Whether a TSO computation of an instance with at most three threads has a cycle, by enumeration.
 */
function isBroken(program: UnboundedModel, happensBefore: Body['happensBefore']): boolean {
  const options = { maxTracedStates: 2_000, stopAtViolation: true, happensBefore };
  return smallInstances(program, 3).some(
    (instance) => enumerateTraces(instance.program, options).violation,
  );
}

/**
 * Two programs whose lock block joins the happens-before path midway; control flow alone refutes no
 * attack.
 */
const joining = [
  `program p
var x, y
thread a[*] { local r; x = 1; r = y; }
thread b[*] { atomic { x = 2; y = 2; } }`,
  `program p
var x, y
thread t { local r; x = 1; r = y; }
thread u[*] { local p; atomic { p = x; y = 1; } }`,
];

describe('no forged certificate is accepted', () => {
  test.each(joining)('%s', async (text) => {
    const program = parameterizedOf(text);
    const steps = new AttackSteps(readAutomata(automataOf(program), ''), 'standard');
    const closed: Body = { happensBefore: 'standard', invariant: blindClosure(steps)! };
    for (const { kind, body } of [{ kind: 'closed', body: closed }, ...forgeriesOf(closed)]) {
      if (kind === 'other notion') continue;
      expect((await verdictOn(program, body)).kind, kind).toBe('rejected');
    }
    expect(await verdictOn(program, { ...closed, invariant: [] })).toEqual({
      kind: 'rejected',
      findings: ['the invariant does not cover the initial states of all instances'],
    });
    expect(await verdictOn(program, closed)).toEqual({
      kind: 'rejected',
      findings: ['the invariant holds a state before the end of an attack'],
    });
  });

  test(`for ${runs} random programs`, async () => {
    const seen = new Map<string, number>();
    const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
    await fc.assert(
      fc.asyncProperty(
        randomTemplates,
        fc.constantFrom('standard', 'value' as const),
        async ({ text, fenced }, happensBefore) => {
          const program = parameterizedOf(text);
          if (!isBroken(program, happensBefore)) {
            count('robust, or too large');
            return;
          }
          count('broken');
          const steps = new AttackSteps(readAutomata(automataOf(program), ''), happensBefore);
          const closure = blindClosure(steps);
          const other = parameterizedOf(fenced);
          const mended = await proofOf(other, happensBefore);
          const sources = [
            ...(closure ? [{ happensBefore, invariant: closure }] : []),
            ...(typeof mended === 'string' ? [] : [mended]),
          ];
          for (const source of sources)
            for (const { kind, body } of [
              { kind: 'as it is', body: source },
              ...forgeriesOf(source),
            ]) {
              if (body.happensBefore !== happensBefore && !isBroken(program, body.happensBefore))
                continue;
              const { kind: verdict } = await verdictOn(program, body);
              expect(verdict, kind).toBe('rejected');
              count(kind);
            }
          if (typeof mended === 'string') return;
          const honest = await verdictOn(other, mended);
          expect(honest.kind).toBe('accepted');
          expect((await verdictOn(program, mended, automataOf(other))).kind).toBe('rejected');
          count('certificate of the mended program');
        },
      ),
      { numRuns: runs, seed },
    );
    console.info(Object.fromEntries(seen));
    expect(seen.get('broken') ?? 0).toBeGreaterThan(runs / 10);
    for (const kind of ['anyCount', 'lowerMarks', 'onlyBefore', 'withoutPath', 'fullBuffer'])
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(0);
  });
});
