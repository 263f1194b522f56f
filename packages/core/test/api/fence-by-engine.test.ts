import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import type { Limits } from '@fencewright/ground/base/budget.js';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { check, type CheckEngine } from '../../src/api/check.js';
import { decide } from '../../src/api/decide.js';
import { fence } from '../../src/api/fence.js';
import type { FenceQuestion } from '../../src/api/question.js';

const dekker = `program Dekker
var x, y, turn
thread a { local r; loop { x = 1; r = y; if (r == 0) { cs: skip; } x = 0; } }
thread b { local r; loop { y = 1; r = x; if (r == 0) { cs: skip; } y = 0; } }`;

async function answer(source: string, asked: Partial<FenceQuestion>, limits: Limits = {}) {
  const { model, diagnostics } = await parseText('native', source);
  if (!model) expect.fail(JSON.stringify(diagnostics));
  return decide(model, { kind: 'fence', text: { format: 'native', source }, ...asked }, limits);
}

describe('fences found by an engine that knows no repairs', () => {
  test.each(['instrument', 'single-query'] as const)('%s: those of the search', async (engine) => {
    const bySearch = await answer(dekker, {});
    const byEngine = await answer(dekker, { engine, certify: true });
    if (bySearch.kind !== 'fence' || byEngine.kind !== 'fence') expect.fail(byEngine.kind);
    expect(bySearch.fences.result.verdict).toMatchObject({ kind: 'found', cost: 2 });
    expect(byEngine.fences.result.verdict).toMatchObject({ kind: 'found', cost: 2 });
    expect(byEngine.fences.text).toBe(bySearch.fences.text);
    // Each round is a check of the whole program.
    expect(byEngine.fences.result.statistics.rounds).toBeGreaterThan(1);
    expect(byEngine.certificate).toBeDefined();
  });

  test('any number of threads need numbers', async () => {
    const text = 'program P var x, y thread t[*] { local r; x = 1; r = y; y = 1; }';
    expect(await answer(text, { engine: 'instrument' })).toMatchObject({
      refusal: { kind: 'any-number' },
    });
  });

  test('an engine that has no answer leaves the question open', async () => {
    const { model } = await parseText('native', dekker);
    const program = finiteProgram(model) ?? expect.fail();
    const limits = { maxStates: 20 };
    const judge = (repaired: typeof program) => check(repaired, { engine: 'single-query', limits });
    const { verdict } = await fence(program, { judge });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'states' });
  });

  test('the states of all questions together count towards the limit', async () => {
    const text = `program P
var x, y, z
thread a[2] { local r; x = 1; z = 2; r = y; }
thread b { local r; y = 1; if (z == 2) { r = x; } r = x; fence; y = 2; }`;
    const within = async (limits: Limits) => {
      const found = await answer(text, { engine: 'instrument' }, limits);
      return found.kind === 'fence' ? found.fences.result : expect.fail(found.kind);
    };
    const { states } = (await within({})).statistics;
    expect((await within({ maxStates: states + 1 })).verdict.kind).toBe('found');
    // Enough for each question alone, and not for all.
    const { verdict, statistics } = await within({ maxStates: Math.round(states * 0.8) });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'states' });
    expect(statistics.states).toBeLessThan(states);
  });

  const runs = randomRuns(60, 3000, 30);

  test(`${runs} random programs: costs are those of the search`, async () => {
    const counts = { found: 0, fences: 0, impossible: 0, unknown: 0 };
    const engines: readonly CheckEngine[] = ['instrument', 'single-query'];
    await fc.assert(
      fc.asyncProperty(randomProgram({ maxItems: 4 }), fc.nat(1), async (program, which) => {
        const judge = (repaired: typeof program) =>
          check(repaired, { engine: engines[which]!, limits: { maxStates: 20_000 } });
        const { verdict: found } = await fence(program, { judge });
        if (found.kind === 'unknown') {
          counts.unknown++;
          return;
        }
        const { verdict: expected } = await fence(program);
        expect(found.kind).toBe(expected.kind);
        if (found.kind === 'impossible') counts.impossible++;
        if (found.kind !== 'found' || expected.kind !== 'found') return;
        expect(found.cost).toBe(expected.cost);
        expect((await check(found.repaired)).verdict.kind).toBe('robust');
        counts.found++;
        if (found.cost > 0) counts.fences++;
      }),
      { numRuns: runs, seed: randomSeed(20261130) },
    );
    console.info(counts);
    expect(counts.found).toBeGreaterThan(runs / 2);
    expect(counts.fences).toBeGreaterThan(runs / 10);
  });
});
