import { expect, test } from 'vitest';
import { chooseSmtSolver } from '@fencewright/core/node';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { templatesOf, unboundedModel } from '@fencewright/model/program/model.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Claim } from '@fencewright/model/verdict/state-answer.js';
import { claimsOf } from '@fencewright/model/verdict/claims-of.js';
import { describeWith } from '../../../../tools/external-program.js';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { claimsByProof } from '../../src/api/claims-by-proof.js';
import type { Environment } from '../../src/api/environment.js';
import { seenInInstance, type Seen } from './counters-by-definition.js';
import { randomCounters, stepOfLine, textOf } from './random-counters.js';

const environment: Environment = { createSmtSolver: () => Promise.resolve(chooseSmtSolver()) };
const runs = randomRuns(8, 1000, 4);
const seed = randomSeed(20261130);
const mostStates = 6_000;

/** Whether the claim fails in the instance. */
function failsIn(claim: Claim, { templates }: Templates, seen: Seen): boolean {
  if (claim.kind === 'property') return seen.properties.has(claim.property);
  if (claim.thread !== 0) throw new Error('an assertion beside the copies');
  const { span } = templates.threads[0]!.transitions[claim.transition]!.origin;
  return seen.asserts.has(stepOfLine(span!.start.line));
}

describeWith('z3', ['--version'], 'claims by proof', () => {
  test(`${runs} programs that count: no claim that holds by proof fails in a small instance`, async () => {
    const counts = new Map<string, number>();
    const note = (what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);
    for (let i = 0; i < runs; i++) {
      const counters = randomCounters(seed + i);
      const text = textOf(counters);
      const { model, diagnostics } = parseNative(text);
      const open = templatesOf(
        unboundedModel(model) ?? expect.fail(`${text}${JSON.stringify(diagnostics)}`),
      );
      const claims = claimsOf(open.templates);
      const found = await claimsByProof(open, claims, { effort: 5_000_000 }, {}, environment);
      const shown = found?.claims ?? [];
      const isRobust = found?.result.verdict.kind === 'proved';
      note(isRobust ? 'robust by the proof' : found ? 'robust is not shown' : 'nothing is shown');
      const instances = ([1, 2, 3] as const).flatMap((copies) =>
        (isRobust || !found ? (['SC', 'TSO'] as const) : (['SC'] as const)).map((memory) => ({
          memory,
          seen: seenInInstance(counters, copies, memory, mostStates),
        })),
      );
      for (const claim of claims) {
        const kind =
          claim.kind === 'property' ? counters.properties[claim.property]!.kind : 'assert';
        const isShown = shown.includes(claim);
        for (const { memory, seen } of isShown ? instances : [])
          expect(failsIn(claim, open, seen), `seed ${seed + i}, ${memory}\n${text}`).toBe(false);
        const isFalse = instances.some(
          ({ memory, seen }) => memory === 'SC' && failsIn(claim, open, seen),
        );
        note(isShown ? `${kind} holds` : isFalse ? `${kind} is false` : `${kind} is open`);
        if (isShown) note(isRobust ? 'holds under TSO' : 'holds under SC');
      }
    }
    console.info([...counts].map(([name, count]) => `${name}: ${count}`).join(', '));
    for (const kind of ['never holds', 'never is false', 'holds under TSO'])
      expect(counts.get(kind), kind).toBeGreaterThan(runs / 4);
  });
});
