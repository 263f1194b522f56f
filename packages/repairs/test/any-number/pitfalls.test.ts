import { unboundedModel } from '@fencewright/model/program/model.js';
import { describe, expect, test } from 'vitest';
import { checkParameterized } from '../../../core/src/api/check-parameterized.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { attacksOfTemplates } from '@fencewright/engines/parameterized/attack-jobs.js';
import { withoutStaticPath } from '@fencewright/engines/parameterized/decide-parameterized.js';
import { createTemplateAutomata } from '@fencewright/engines/parameterized/template-automata.js';

// Options that leave only the counting search, since small instances and control flow would find
// the answer, too.
const counting = { without: ['small-instances', 'static-path'] } as const;

test.each([
  [
    'a helper in a lock block of several accesses',
    `thread a[*] { local r; x = 1; r = y; }
     thread b[*] { local p; lock; y = 1; p = x; unlock; }`,
  ],
  [
    'an attacker that comes to its last load a second time',
    `thread a[*] { local r, i; x = 1; while (i < 2) { r = f[i]; i = i + 1; } }
     thread b[*] { local p; f[1] = 1; p = x; fence; }`,
  ],
  [
    'a helper that joins the path only at its second access',
    `thread a[*] { local r; x = 1; r = y; }
     thread b[*] { local p; y = 1; fence; z = 1; }
     thread c[*] { local p; z = 2; fence; p = x; }`,
  ],
  [
    // Only the attack up to the second load of thread a has a happens-before path: thread c leads
    // from z to x.
    'an attacker that goes on behind a load that may be its last',
    `thread a { local r, s; x = 1; r = y; s = z; }
     thread b[*] { y = 1; }
     thread c[*] { local p; z = 1; fence; p = x; }`,
  ],
])('not robust: %s', async (_, threads) => {
  const { model } = parseNative(`program P\nvar x, y, z, f[2]\n${threads}`);
  const parameterized = unboundedModel(model);
  const { result } = await checkParameterized(parameterized!, counting);
  expect(result.verdict.kind).toBe('not-robust');
});

// Control flow alone must not refute these attacks. If an access of a lock block joins the
// happens-before path, the earlier accesses of the block are on the path, too (docs/adr/0007).
const byControlFlow = [{}, { without: ['small-instances'] }] as const;

test.each([
  [
    'a block that meets the store first and joins by the load second',
    `thread a[*] { local r; x = 1; r = y; }
     thread b[*] { atomic { x = 2; y = 2; } }`,
  ],
  [
    'a block of copies, whose first access loads what a single thread delays',
    `thread a { local r; x = 1; r = y; }
     thread b[*] { local p; atomic { p = x; y = 1; } }`,
  ],
  [
    'a block that joins in one branch only, behind an rmw',
    `thread a[*] { local r; x = 1; r = y; }
     thread b[*] { local p; lock; p = xchg(x, 1); if (p == 0) { y = 1; } unlock; }`,
  ],
  [
    'two blocks, of which the first has written midway what the second reads',
    `thread a[*] { local r; x = 1; r = y; }
     thread b[*] { atomic { z = 1; y = 1; } }
     thread c[*] { local p; atomic { x = 2; p = z; } }`,
  ],
])('not robust: %s', async (_, threads) => {
  const { model } = parseNative(`program P\nvar x, y, z\n${threads}`);
  const parameterized = unboundedModel(model);
  for (const options of byControlFlow) {
    const { result } = await checkParameterized(parameterized!, options);
    expect(result.verdict.kind, JSON.stringify(options)).toBe('not-robust');
  }
});

test('robust: a block before the one that joins is not on the path', async () => {
  const { model } = parseNative(`program P
    var x, y, z, w
    thread a { local r; x = 1; r = y; }
    thread b[*] { local p, q; atomic { p = x; q = w; } atomic { z = 2; y = 1; } }`);
  const parameterized = unboundedModel(model);
  // Only the second lock block of thread b joins the happens-before path: earlier accesses of the
  // thread need not be after the load.
  const { result } = await checkParameterized(parameterized!, { without: ['small-instances'] });
  expect(result.verdict.kind).toBe('robust');
  expect(result.statistics.queries).toBe(0);
});

describe('an address that cannot be told', () => {
  test('not robust: is where a helper joins the path', async () => {
    const { model } = parseNative(`program P
      var x, y, i
      thread a[*] { local r; x = 1; r = y; }
      thread b[*] { local k, p; k = i; mem[k] = 1; fence; p = x; }
      thread d { local n; loop { n = n + 1; assume(n < 3); i = n; } }`);
    const parameterized = unboundedModel(model);
    const { result } = await checkParameterized(parameterized!, { without: ['small-instances'] });
    expect(result.verdict.kind).toBe('not-robust');
  });

  // The store may be to more addresses than the analysis tells apart. So by control flow the store
  // may be to any cell: to y, from where the path goes on, or to x itself.
  test.each(['havoc k in 0..66; mem[k] = 1; fence; p = x;', 'havoc k in 0..66; mem[k] = 1;'])(
    'gives a path by control flow: %s',
    (code) => {
      const { model } = parseNative(`program P
        var x, y
        thread a[*] { local r; x = 1; r = y; }
        thread b[*] { local k, p; ${code} }`);
      const parameterized = unboundedModel(model);
      const options = {
        maskDeadRegisters: true,
        ownedCells: true,
        happensBefore: 'standard',
      } as const;
      const templates = createTemplateAutomata(parameterized!, options);
      const { open } = attacksOfTemplates(templates);
      expect(open).toHaveLength(1);
      expect(withoutStaticPath(templates, open)).toEqual([]);
    },
  );
});

test('an instance that takes more states than are left is not decided', async () => {
  // Each copy chooses a cell. The cycle takes four copies, and the search of their instance needs
  // most of the states.
  const { model } = parseNative(`program P var x[4]
    thread t[*] {
      local i, r; havoc i in 0..3; x[i] = 1; if (i > 0) { fence; } r = x[(i + 1) % 4];
    }`);
  const check = async (maxStates: number): Promise<string> => {
    const limits = { maxStates };
    const options = { happensBefore: 'value' as const, limits };
    const { result } = await checkParameterized(unboundedModel(model)!, options);
    return result.verdict.kind;
  };
  const verdicts = [];
  for (let most = 400; most < 1600; most += 100) verdicts.push(await check(most));
  expect(verdicts).toContain('unknown');
  for (const verdict of verdicts) expect(['unknown', 'not-robust']).toContain(verdict);
  expect(await check(1_000_000)).toBe('not-robust');
});
