import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { decide } from '../../../core/src/api/decide.js';
import { fenceParameterized } from '../../../core/src/api/fence.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { sizeCosts } from '../../src/fences/cost-models.js';
import { insertionProblem, type RepairProblem } from '../../src/fences/repair-problem.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { countsOfTotal } from '@fencewright/engines/parameterized/instances.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { unboundedModel, type UnboundedModel } from '@fencewright/model/program/model.js';
import type { Repair } from '@fencewright/model/program/repair.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { meetsGoal } from '../fences/goals-by-definition.js';
import { randomCopiesText } from './random-copies-text.js';

const runs = randomRuns(25, 500);
const seed = randomSeed(20261125);

function modelOf(text: string): UnboundedModel {
  const { model, diagnostics } = parseNative(text);
  return unboundedModel(model) ?? expect.fail(`${text}\n${JSON.stringify(diagnostics)}`);
}

/**
 * Whether all instances with at most this many copies meet the goal with the items, by the
 * definition.
 */
function meetIn(
  model: UnboundedModel,
  items: readonly Repair[],
  isAssertions: boolean,
  most: number,
): boolean | undefined {
  let isOpen = false;
  for (let total = 0; total <= most; total++)
    for (const counts of countsOfTotal(model, total)) {
      const { program, templateOf } = instantiate(model, counts);
      const own = items.flatMap((item): Repair[] => {
        const thread = templateOf.indexOf(item.thread);
        return thread < 0 ? [] : [{ ...item, thread }];
      });
      const goal = {
        properties: isAssertions ? [] : program.properties,
        assertions: isAssertions,
      };
      const meets = meetsGoal(program, own, goal, 60_000);
      if (meets === false) return false;
      if (meets === undefined) isOpen = true;
    }
  return isOpen ? undefined : true;
}

/** Yields the subsets of a problem's items that cost less than `cost`. */
function* cheaperThan({ items }: RepairProblem, cost: number): Generator<readonly Repair[]> {
  for (let bits = 0; bits < 2 ** items.length; bits++) {
    const chosen = items.filter((_, index) => bits & (1 << index));
    if (chosen.length < cost) yield chosen;
  }
}

test('fences for claims of all instances are enough, and no fewer are', async () => {
  const counts = new Map<string, number>();
  const note = (what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (let i = 0; i < runs; i++) {
    const random = new SeededRandom(seed + i);
    const text = randomCopiesText(random);
    const model = modelOf(text);
    const { templates } = model;
    const isAssertions = text.includes('assert') && random.below(2) === 0;
    const asked = isAssertions ? { assertions: true } : { properties: ['p'] };
    const problem = insertionProblem(templates, 'fence', sizeCosts(templates), { withEnds: true });
    const { verdict } = await fenceParameterized(model, {
      ...asked,
      limits: { maxStates: 100_000 },
    });
    switch (verdict.kind) {
      case 'found': {
        note(`found ${verdict.cost}`);
        expect(meetIn(model, verdict.repairs, isAssertions, 2), text).not.toBe(false);
        if (problem.items.length > 12) break;
        for (const fewer of cheaperThan(problem, verdict.cost)) {
          // A goal that is missed only by instances with more copies counts as met here.
          const meets = meetIn(model, fewer, isAssertions, 2);
          note(meets === false ? 'fewer miss it' : 'fewer, with few copies: not missed');
        }
        for (const { computation, program } of verdict.reasons)
          expect(replayStates(program!, computation), text).toBeDefined();
        break;
      }
      case 'property-fails': {
        note(`fails under ${verdict.under}`);
        expect(replayStates(verdict.program!, verdict.computation), text).toBeDefined();
        if (verdict.under === 'TSO')
          expect(meetIn(model, problem.items, isAssertions, 2), text).not.toBe(true);
        break;
      }
      default:
        note(verdict.kind);
    }
  }
  console.info(Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))));
  const total = (what: string): number =>
    [...counts].reduce((sum, [name, count]) => sum + (name.startsWith(what) ? count : 0), 0);
  expect(total('found ') - total('found 0')).toBeGreaterThan(runs / 10);
  expect(total('fewer, with')).toBeLessThan(total('fewer miss') / 4);
  expect(total('unknown')).toBeLessThan(runs / 5);
});

const shutdown = `program Shutdown
var busy, stop, freed
thread worker[*] { local s, f; busy = 1; s = stop; if (s == 0) { f = freed; assert(f == 0); } }
thread owner { local b; stop = 1; b = busy; if (b == 0) freed = 1; }
property ends: finally (stop == 1)
`;

// Without one of the fences, a store is delayed, and the owner may free memory that a worker still
// uses.
test('the text with the fences', async () => {
  const { model } = parseNative(shutdown);
  const text = { source: shutdown, format: 'native' } as const;
  const asked = { kind: 'fence', properties: ['assertions'], text } as const;
  const found = await decide(model!, asked);
  if (found.kind !== 'fence') throw new Error(found.kind);
  expect(found.fences.text).toContain('busy = 1; fence; s = stop;');
  expect(found.fences.text).toContain('stop = 1; fence; b = busy;');
  expect(found.fences.forRobustness).toEqual({ repairs: 2, cost: 2 });
  const { model: fixed } = parseNative(found.fences.text!);
  const again = await decide(fixed!, { kind: 'fence', properties: ['assertions'] });
  expect(again).toMatchObject({ fences: { result: { verdict: { kind: 'found', cost: 0 } } } });
});

test('labels that a claim looks at have their fences in front of them', async () => {
  const source =
    'program P\nvar up, x\nthread t[*] { x = 1; }\nthread m { up = 1; inside: skip; }\nproperty p: never (m @ inside && up == 0)\n';
  const { model } = parseNative(source);
  const text = { source, format: 'native' } as const;
  const found = await decide(model!, { kind: 'fence', properties: ['p'], text });
  if (found.kind !== 'fence') throw new Error(found.kind);
  expect(found.fences.result.verdict).toMatchObject({ kind: 'found', cost: 1 });
  expect(found.fences.text).toContain('up = 1; fence; inside: skip;');
});

// The claim `held` needs no fence, as x is always 0 or 1. The claim `p` needs a fence, so that m's
// store is in memory when m is inside.
test('of several claims each is looked at, also behind one that holds', async () => {
  const claims = ['held: never (x == 2)', 'p: never (m @ inside && up == 0)'];
  for (const order of [claims, claims.toReversed()]) {
    const model = modelOf(
      `program P
      var up, x
      thread t[*] { x = 1; }
      thread m { up = 1; inside: skip; }
      ${order.map((claim) => `property ${claim}`).join('\n')}`,
    );
    const { verdict } = await fenceParameterized(model, { properties: ['held', 'p'] });
    expect(verdict).toMatchObject({ kind: 'found', cost: 1 });
  }
});

test('what looks at ends is asked of given numbers, and what is wrong has no fences', async () => {
  const { model } = parseNative(shutdown);
  expect(await decide(model!, { kind: 'fence', properties: ['ends'] })).toMatchObject({
    kind: 'refused',
    refusal: { kind: 'any-number', part: 'properties' },
  });
  // The values grow without end. Two copies suffice to show that the assertion fails.
  const wrong = modelOf(
    'program W\nvar x\nthread t[*] { local r; r = x; x = r + 1; assert(r < 1); }\n',
  );
  expect((await fenceParameterized(wrong, { assertions: true })).verdict).toMatchObject({
    kind: 'property-fails',
    under: 'SC',
  });
  const endless = modelOf(
    'program E\nvar x\nthread t[*] { local r; r = fetch_add(x, 1); assert(r < 70); }\n',
  );
  expect((await fenceParameterized(endless, { assertions: true })).verdict.kind).toBe('unknown');
});
