import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseNative } from '@fencewright/core/native';
import { Budget } from '@fencewright/ground/base/budget.js';
import { AnyNumberSearch, type SafetyClaim } from '../../src/load-buffers/any-number-search.js';
import { countsOfTotal } from '../../src/parameterized/instances.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { hasPart } from '@fencewright/model/program/expression.js';
import { unboundedModel, type UnboundedModel } from '@fencewright/model/program/model.js';
import type { Program, StateLeaf } from '@fencewright/model/program/program.js';
import { programWithQuestions } from '@fencewright/reference/testing/with-questions.js';
import { claimsOf } from '@fencewright/model/verdict/claims-of.js';
import {
  knowsAssertions,
  type ModelReach,
  type ReachResult,
} from '@fencewright/model/verdict/reach-result.js';

const runs = randomRuns(24, 1000, 12);
const seed = randomSeed(20261123);
const mostCopies = 3;

const models = ['SC', 'TSO'] as const;

/**
 * Returns the model in which the threads `which` have any number of copies. Properties that mention
 * one of these threads are left out.
 */
function unbounded(program: Program, which: readonly number[]): UnboundedModel {
  const threads = which.filter((t) => t < program.threads.length);
  const properties = program.properties.filter(
    ({ condition }) =>
      !hasPart<StateLeaf>(
        condition,
        (part) => part.kind !== 'memory' && 'thread' in part && threads.includes(part.thread),
      ),
  );
  return { kind: 'unbounded', templates: { ...program, properties }, unbounded: threads };
}

/** Whether a claim about the templates fails in an instance; `undefined` if unknown. */
function failsIn(
  model: ModelReach,
  claim: SafetyClaim,
  templateOf: readonly number[],
): boolean | undefined {
  if (claim.kind === 'property') {
    const verdict = model.properties[claim.property]?.verdict;
    return verdict === 'unknown' ? undefined : verdict === 'violated';
  }
  const fails = model.failedAssertions.some(
    ({ thread, transition }) =>
      templateOf[thread] === claim.thread && transition === claim.transition,
  );
  return fails || (knowsAssertions(model) ? false : undefined);
}

const shapes = [
  ['no loops', { maxThreads: 2, maxItems: 2 }],
  ['loops', { loops: true, endless: true, fewValues: true, maxThreads: 2, maxItems: 2 }],
  ['stores at the ends', { finalStores: true, fewValues: true, maxThreads: 2, maxItems: 1 }],
  ['lock blocks', { many: 'lock blocks', waiter: true, maxThreads: 2, maxItems: 1 }],
  ['rmws', { many: 'rmws', fewValues: true, maxThreads: 2, maxItems: 3 }],
] as const;

/** Random programs whose copies have to cooperate, by flags and by a counter of arrivals. */
const meeting: fc.Arbitrary<UnboundedModel> = (() => {
  const cell = fc.constantFrom('x', 'y', 'n');
  const value = fc.constantFrom('0', '1', '2');
  const reg = fc.constantFrom('r', 's');
  /**
   * Random programs of threads in a ring: each stores to its cell, loads the next cell, and counts
   * loads that return 0.
   */
  const ring = fc
    .tuple(fc.constantFrom(['x', 'y'], ['x', 'y'], ['x', 'y', 'z']), fc.array(fc.boolean()))
    .map(([cells, fences]) => {
      const roles = cells.map((c, i) => {
        const next = cells[(i + 1) % cells.length]!;
        const fence = fences[i] ? 'fence; ' : '';
        return `{ ${c} = 1; ${fence}r = ${next}; if (r == 0) { s = cas(n, ${i}, ${i + 1}); } }`;
      });
      return `choose ${roles.join(' or ')}`;
    });
  const item = fc.oneof(
    { weight: 5, arbitrary: ring },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('r == 0', 'r == 1', '1', 's == 0'), fc.constantFrom(0, 0, 0, 1, 2))
        .map(([seen, from]) =>
          from === 0
            ? `if (${seen}) { choose { s = cas(n, 0, 1); } or { s = cas(n, 1, 2); } }`
            : `if (${seen}) { s = cas(n, ${from}, ${from + 1}); }`,
        ),
    },
    { weight: 1, arbitrary: fc.tuple(cell, value).map(([c, v]) => `${c} = ${v};`) },
    { weight: 2, arbitrary: fc.tuple(reg, cell).map(([r, c]) => `${r} = ${c};`) },
    {
      weight: 1,
      arbitrary: fc.tuple(reg, cell, value).map(([r, c, v]) => `${r} = xchg(${c}, ${v});`),
    },
    { weight: 1, arbitrary: fc.tuple(reg, value).map(([r, v]) => `assume(${r} == ${v});`) },
    { weight: 1, arbitrary: fc.tuple(cell, value).map(([c, v]) => `while (*) { ${c} = ${v}; }`) },
    {
      weight: 1,
      arbitrary: fc.tuple(cell, reg).map(([c, r]) => `atomic { ${r} = ${c}; ${c} = 1; }`),
    },
    { weight: 1, arbitrary: fc.tuple(reg, value).map(([r, v]) => `assert(${r} != ${v});`) },
  );
  const body = fc.array(item, { minLength: 1, maxLength: 2 });
  const claim = fc.oneof(
    fc.constantFrom('n == 1', 'n == 2', 'n == 2', 'n == 3', 'n == 3'),
    fc.tuple(cell, value, value).map(([c, v, w]) => `${c} == ${v} && n == ${w}`),
    fc.tuple(reg, value, value).map(([r, v, w]) => `m.${r} == ${v} && n == ${w} && drained(m)`),
  );
  return fc
    .tuple(body, fc.option(body), fc.array(item, { maxLength: 1 }), claim)
    .map(([t, u, m, never]) => {
      const threadOf = (name: string, items: readonly string[]): string =>
        `thread ${name} { local r = 1, s = 1; ${items.join(' ')} }\n`;
      const text = `program Meeting\nvar x, y, z, n\n${threadOf('t[*]', t)}${u ? threadOf('u[*]', u) : ''}${threadOf('m', m)}property p: never (${never})\n`;
      const { model, diagnostics } = parseNative(text);
      return unboundedModel(model) ?? expect.fail(`${JSON.stringify(diagnostics)}\n${text}`);
    });
})();

test('a copy is one of its template', async () => {
  // Threads of two templates of one shape: `y` is 1 only after `x`, `z` is 1 at once.
  const { model } = parseNative(`program Kinds
var x, y, z
thread t[*] { local r; r = y; assume(r == 1); x = 1; }
thread u[*] { local r; r = z; assume(r == 1); x = 1; }
thread w { local r; z = 1; r = x; assume(r == 1); y = 1; }
property p: never (x == 1)
`);
  const search = new AnyNumberSearch(unboundedModel(model)!);
  for (const memory of models) {
    const answer = await search.decide({ kind: 'property', property: 0 }, new Budget(), {
      model: memory,
    });
    expect(answer).toMatchObject({ kind: 'fails', counts: [0, 1, 1] });
  }
});

test('a copy that is not mentioned may hold the bus lock', async () => {
  const { model } = parseNative(`program Inside
var x, y
thread t[*] { atomic { x = 1; x = 0; } }
thread m { local r; atomic { r = y; } }
property p: never (x == 1)
`);
  const search = new AnyNumberSearch(unboundedModel(model)!);
  for (const memory of models) {
    const answer = await search.decide({ kind: 'property', property: 0 }, new Budget(), {
      model: memory,
    });
    expect(answer).toMatchObject({ kind: 'fails', counts: [1, 1] });
  }
});

const sources: readonly (readonly [string, fc.Arbitrary<UnboundedModel>])[] = [
  ...shapes.map(([name, options]) => {
    const programs = fc
      .tuple(
        programWithQuestions({ ...options, kinds: ['never'], maxProperties: 3 }),
        fc.constantFrom([0], [1], [0, 1], [0]),
      )
      .map(([program, which]) => unbounded(program, which));
    return [name, programs] as const;
  }),
  ['copies that meet', meeting],
];

describe.each(sources)('%s', (name, programs) => {
  test('all instances at once agree with each of them', async () => {
    const seen = {
      holds: 0,
      fails: 0,
      'only under TSO': 0,
      'takes two': 0,
      'takes more': 0,
      open: 0,
    };
    await fc.assert(
      fc.asyncProperty(programs, async (model) => {
        const claims = claimsOf(model.templates);
        if (claims.length === 0 || model.unbounded.length === 0) return;
        const instances: {
          readonly counts: readonly number[];
          readonly total: number;
          readonly templateOf: readonly number[];
          readonly result: ReachResult;
        }[] = [];
        for (let total = 0; total <= mostCopies; total++)
          for (const counts of countsOfTotal(model, total)) {
            const { program, templateOf } = instantiate(model, counts);
            const result = await reach(program, { limits: { maxStates: 6_000 } });
            if (result.diagnostics.length > 0) return;
            instances.push({ counts, total, templateOf, result });
          }
        const search = new AnyNumberSearch(model);
        for (const claim of claims)
          for (const memory of models) {
            const answer = await search.decide(claim, new Budget({ maxStates: 3_000 }), {
              model: memory,
            });
            const without = await search.decide(claim, new Budget({ maxStates: 3_000 }), {
              model: memory,
              singleWriters: false,
            });
            if (answer.kind !== 'unknown' && without.kind !== 'unknown')
              expect(without.kind).toBe(answer.kind);
            const of = (result: ReachResult): ModelReach =>
              memory === 'SC' ? result.sc : result.tso;
            const told = instances.map(({ total, result, templateOf }) => ({
              total,
              fails: failsIn(of(result), claim, templateOf),
            }));
            const first = told.find(({ fails }) => fails);
            if (answer.kind === 'unknown') {
              seen.open++;
              continue;
            }
            if (answer.kind === 'holds') {
              expect(first).toBeUndefined();
              if (told.every(({ fails }) => fails === false)) seen.holds++;
              continue;
            }
            seen.fails++;
            if (first?.total === 2) seen['takes two']++;
            if (first === undefined || first.total > 2) seen['takes more']++;
            if (
              memory === 'TSO' &&
              instances.every(
                ({ result, templateOf }) => failsIn(result.sc, claim, templateOf) === false,
              )
            )
              seen['only under TSO']++;
            const { program, templateOf } = instantiate(model, answer.counts);
            const result = await reach(program, { limits: { maxStates: 60_000 } });
            expect(failsIn(of(result), claim, templateOf) ?? true).toBe(true);
          }
      }),
      { numRuns: programs === meeting ? 2 * runs : runs, seed },
    );
    if (isCampaign) console.log(name, seen);
    expect(seen.holds).toBeGreaterThan(runs / 4);
    expect(seen.fails).toBeGreaterThan(runs / 4);
    if (name === 'copies that meet') {
      expect(seen['takes two']).toBeGreaterThan(runs / 8);
      expect(seen['only under TSO']).toBeGreaterThan(runs / 20);
    }
  });
});
