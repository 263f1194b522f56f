import { expect, test } from 'vitest';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { check } from '../../src/api/check.js';
import { decideFence } from '../../src/api/decide-fence.js';
import { fence } from '../../src/api/fence.js';

/**
 * Store buffering of `x` and `y`, which the property forbids, and of `z` and `y`, which it allows.
 * The fence behind the store of `x` is in one loop, that before the load of `y` in two: the second
 * fence alone orders both stores.
 */
const text = `program p
var x, y, z
thread a {
  local r, first, i, c;
  first = 1;
  while (i < 2) {
    if (i == 0) { x = 1; c = 1; } else { z = 1; c = 1; }
    while (c == 1) { r = y; if (i == 0) { first = r; } c = 0; }
    i = i + 1;
  }
}
thread b { local s, u; y = 1; fence; s = x; u = z; }
property lost: never (ended(a) && ended(b) && a.first == 0 && b.s == 0)
`;

test('of fences for a property, those that make the program robust are chosen at equal cost', async () => {
  const { model } = parseNative(text);
  const program = finiteProgram(model)!;
  const alone = await fence(program, { properties: ['lost'] });
  if (alone.verdict.kind !== 'found') return expect.fail(alone.verdict.kind);
  expect(alone.verdict.cost).toBe(1);
  // The search for the property alone has no reason to prefer the other place.
  expect((await check(alone.verdict.repaired)).verdict.kind).toBe('not-robust');
  const asked = { kind: 'fence', properties: ['lost'] } as const;
  const answer = await decideFence({ kind: 'finite', program }, asked, {});
  if (answer.kind !== 'fence') return expect.fail(answer.kind);
  const { result, forRobustness } = answer.fences;
  if (result.verdict.kind !== 'found') return expect.fail(result.verdict.kind);
  expect(result.verdict.cost).toBe(1);
  expect(forRobustness).toEqual({ repairs: 1, cost: 1 });
  expect((await check(result.verdict.repaired)).verdict.kind).toBe('robust');
  // The property holds with the fence, by a search that may choose nothing.
  const again = await fence(result.verdict.repaired, {
    properties: ['lost'],
    canFence: () => false,
  });
  expect(again.verdict).toMatchObject({ kind: 'found', cost: 0 });
});

test('where robustness costs more, the property decides', async () => {
  const { model } = parseNative(
    text.replace('y = 1; fence; s = x;', 'y = 1; z = 2; u = z; s = x;'),
  );
  const program = finiteProgram(model)!;
  const asked = { kind: 'fence', properties: ['lost'] } as const;
  const answer = await decideFence({ kind: 'finite', program }, asked, {});
  const alone = await fence(program, { properties: ['lost'] });
  if (answer.kind !== 'fence' || answer.fences.result.verdict.kind !== 'found')
    return expect.fail(answer.kind);
  expect(alone.verdict).toMatchObject({ cost: answer.fences.result.verdict.cost });
});
