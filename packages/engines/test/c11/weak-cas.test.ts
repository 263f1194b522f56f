import { Budget } from '@fencewright/ground/base/budget.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import type { Program } from '@fencewright/model/program/program.js';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { checkC11 } from '../../src/c11/check-c11.js';
import { programOf } from '../robustness/native-program.js';
import { answerByGraphs } from './all-graphs.js';
import { allOutcomes } from './all-outcomes.js';
import { isRobustWithBuffering } from './buffered-graphs.js';
import { rmwsAsSections } from './rmws-as-sections.js';
import { type Sketch, textOf } from './sketch.js';
import { mayForward } from './may-forward.js';
import { weakCasSketch, weakProgramOf } from './weak-cas-sketch.js';

/** Returns the program in which every `cas` may fail at any time. */
function weakened(text: string): Program {
  const program = programOf(text);
  const threads = program.threads.map((thread) => ({
    ...thread,
    transitions: thread.transitions.map((one) =>
      one.instruction.kind === 'rmw' && one.instruction.operation.name === 'cas'
        ? { ...one, instruction: { ...one.instruction, mayFail: true as const } }
        : one,
    ),
  }));
  return { ...program, threads };
}

const check = (program: Program, model: 'c11' | 'ra' = 'c11'): Promise<C11Result> =>
  checkC11(program, model, new Budget());

describe('a weak cas', () => {
  test('may fail although the values are equal', async () => {
    const text = 'var x thread t { local r; r = cas(x, 0, 1); assert(r == 1); }';
    expect((await check(programOf(text))).assertions).toBe('hold');
    for (const program of [weakened(text), rmwsAsSections(weakened(text))])
      expect((await check(program)).assertions).toBe('fail');
  });

  test('is repeated until it succeeds', async () => {
    const text = `var x thread t { while (!cas(x, 0, 1)) { } }
      thread u { local s; s = load(x); assert(s != 2); }`;
    expect(await check(weakened(text))).toMatchObject({
      verdict: { kind: 'robust' },
      assertions: 'hold',
    });
  });

  // The store of the sum directly follows the initial 0 in modification order. A strong cas cannot
  // read the 0, since its own store would have to take the same place.
  const publication = `var x, y
    thread t { local r; r = fetch_add(x, 1, acquire); store(y, 1); }
    thread u { local r, s; r = load(y); if (r == 1) { s = cas(x, 0, 2, relaxed, relaxed); } }`;
  test('may read an old value and fail', async () => {
    expect((await check(programOf(publication))).verdict.kind).toBe('robust');
    const { verdict } = await check(weakened(publication));
    if (verdict.kind !== 'not-robust') throw new Error('robust');
    const { graph, event } = verdict.violation;
    expect(graph.events[event]).toMatchObject({ kind: 'read', read: 0, order: 'relaxed' });
  });

  // A cas that fails does not acquire: the load of x after a failure may see the old value.
  const orders = `var x, y
    thread t { store(x, 1); store(y, 1, release); }
    thread u { local r, s; r = cas(y, 1, 2, acquire, relaxed); if (r == 0) { s = load(x); } }`;
  test('has the order of failure', async () => {
    expect((await check(programOf(orders))).verdict.kind).toBe('robust');
    expect((await check(weakened(orders))).verdict.kind).toBe('not-robust');
  });
});

const hasWeak = (one: Sketch): boolean =>
  one.kind === 'if' ? one.then.some(hasWeak) : one.kind === 'cas' && one.isWeak === true;
const hasWait = (one: Sketch): boolean =>
  one.kind === 'if' ? one.then.some(hasWait) : one.kind === 'cas' && one.waits;

const kindOf = ({ verdict }: C11Result): string =>
  verdict.kind === 'not-robust'
    ? verdict.violation.kind
    : verdict.kind === 'unknown'
      ? `unknown: ${verdict.limit}`
      : verdict.kind;

/** Whether the check may give such an answer for a program that is robust by the graphs of RC20. */
const isOfRC20 = (kind: string): boolean =>
  [
    'robust',
    'load-buffering',
    'unknown: rmws-behind-loads',
    'unknown: forwarded-to-seq-cst',
  ].includes(kind);

describe('random programs with weak cas, by the definitions', () => {
  test.each(['c11', 'ra'] as const)('model %s, against all execution graphs', async (model) => {
    const counts: Record<string, number> = {};
    const from = randomSeed(70_000);
    for (let seed = from; seed < from + randomRuns(120, 5000, 35); seed++) {
      const sketch = weakCasSketch(seed);
      if (!sketch.threads.flat().some(hasWeak)) continue;
      const wanted = answerByGraphs(sketch, model, 4000);
      if (!wanted) continue;
      const program = weakProgramOf(sketch);
      const isInSections = seed % 3 === 0 && !sketch.threads.flat().some(hasWait);
      const kind = kindOf(await check(isInSections ? rmwsAsSections(program) : program, model));
      expect([seed, isOfRC20(kind)]).toEqual([seed, wanted.isRobust]);
      const strong = kindOf(
        await check(programOf(textOf(sketch).replace('program Sketch\n', '')), model),
      );
      for (const word of [kind, strong === kind ? 'as strong' : `strong: ${strong}, weak: ${kind}`])
        counts[word] = (counts[word] ?? 0) + 1;
    }
    if (isCampaign) console.log(model, counts);
    expect(counts['old-store']).toBeGreaterThan(3);
    expect(counts['strong: robust, weak: old-store']).toBeGreaterThan(0);
  });

  test('load buffering, by preserved program order', async () => {
    const counts: Record<string, number> = {};
    const from = randomSeed(71_000);
    for (let seed = from; seed < from + randomRuns(100, 2000, 30); seed++) {
      const sketch = weakCasSketch(seed, false);
      if (!sketch.threads.flat().some(hasWeak)) continue;
      const wanted = isRobustWithBuffering(sketch, 4000);
      if (wanted === undefined) continue;
      const result = await check(weakProgramOf(sketch));
      const kind = kindOf(result);
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (kind === 'unknown: rmws-behind-loads' || mayForward(result)) continue;
      const isRobust = kind === 'robust' || kind === 'unknown: forwarded-to-seq-cst';
      expect([seed, isRobust]).toEqual([seed, wanted]);
    }
    if (isCampaign) console.log(counts);
    expect(counts['load-buffering']).toBeGreaterThan(3);
    expect(counts.robust).toBeGreaterThan(3);
  });

  test('final states, against all execution graphs', async () => {
    const counts: Record<string, number> = {};
    const from = randomSeed(72_000);
    for (let seed = from; seed < from + randomRuns(80, 1500, 25); seed++) {
      const sketch = weakCasSketch(seed);
      if (!sketch.threads.flat().some(hasWeak)) continue;
      const outcomes = allOutcomes(sketch, 3000);
      if (!outcomes) continue;
      const { verdict, effect } = await check(weakProgramOf(sketch));
      const isSame = [...outcomes.c11.finals].every((one) => outcomes.sc.finals.has(one));
      const claims = verdict.kind === 'robust' || effect?.kind === 'none';
      if (claims) expect([seed, isSame]).toEqual([seed, true]);
      const word = effect?.kind ?? verdict.kind;
      counts[word] = (counts[word] ?? 0) + 1;
    }
    if (isCampaign) console.log(counts);
    expect(counts.none).toBeGreaterThan(3);
  });
});
