import { Budget } from '@fencewright/ground/base/budget.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import type { Program } from '@fencewright/model/program/program.js';
import { expect, test } from 'vitest';
import { checkC11 } from '../../engines/src/c11/check-c11.js';
import { programOf } from '../../engines/test/robustness/native-program.js';
import { c11Report } from '../src/text/c11.js';
import { hintOnC11 } from '../src/words/hint-on-check.js';
import type { Subject } from '../src/words/subject.js';
import { plainPalette } from '../src/text/palette.js';

async function reported(source: string, advise?: Subject['advise']): Promise<string> {
  const program: Program = programOf(source);
  const result: C11Result = await checkC11(program, 'c11', new Budget());
  const subject = { file: 'p.fw', source, program, ...(advise && { advise }) };
  return c11Report(subject, result, { palette: plainPalette });
}

/**
 * Returns message passing whose flag is stored twice: first with the order `first`, then relaxed.
 */
const passing = (first: string, data: string): string => `var ${data} x
var y
thread a { x = 1; store(y, 1, ${first}); store(y, 2, relaxed); }
thread b { local r; await (load(y, acquire) == 2); r = x; }`;

const ended =
  'In C++20 ([intro.races]), the store of 2 by a at line 4 ends the release sequence of the store of 1 by a at line 4.';

test.each([
  ['an execution that older standards exclude', 'release', '', true],
  ['an execution that no standard excludes', 'relaxed', '', false],
  ['a race that older standards exclude', 'release', 'plain', true],
  ['a race that no standard excludes', 'relaxed', 'plain', false],
])('%s', async (_, first, data, isNamed) => {
  const text = await reported(passing(first, data));
  expect(text).toContain(data === '' ? 'is not robust' : 'data race');
  expect(text.includes(ended)).toBe(isNamed);
});

test('a race comes before old values, and is told once', async () => {
  const text = await reported(passing('relaxed', 'plain'));
  const [first] = text.split('\n');
  expect(first).toMatch(
    /^p\.fw: Test has a data race, undefined behaviour in C11: the (?:load|store) of x by . at line \d and the (?:load|store) of x by . at line \d are not ordered, and one of them is plain$/,
  );
  // The execution of the race comes first, with the two accesses marked.
  const [race = '', violation = ''] = text.split('  beside that, it is not robust against C11');
  expect(race).toContain('An execution with the race');
  const marked = race.split('\n').filter((line) => line.startsWith('  > '));
  expect(marked).toHaveLength(2);
  expect(marked.every((line) => line.includes(' of x: ') && line.includes('plain'))).toBe(true);
  expect(violation).toContain('An execution that no order of all events explains');
  expect(text.match(/data race/g)).toHaveLength(1);
});

test.each([
  [
    'a message: a store and a load of its flag',
    'd = 1; store(f, 1, relaxed);',
    'r = load(f, relaxed); if (r == 1) { q = d; }',
    'release at the store of f by a at line 4, together with acquire at the load of f by b at line 5.',
  ],
  [
    'updates of a cell: the one that publishes, the one that reads',
    'd = 1; q = xchg(f, 1, relaxed);',
    'r = xchg(f, 2, relaxed); if (r == 1) { d = 2; }',
    'release at the update of f by a at line 4, together with acquire at the update of f by b at line 5.',
  ],
  [
    'one order, where the other thread acquires already',
    'd = 1; store(f, 1, relaxed);',
    'r = load(f, acquire); if (r == 1) { q = d; }',
    'release at the store of f by a at line 4.',
  ],
  ['no order, where nothing but the plain cell is shared', 'd = 1;', 'q = d;', undefined],
])('the weakest orders that order a race are told: %s', async (_, one, other, orders) => {
  const text = await reported(`var f
    var plain d
    thread a { local q; ${one} }
    thread b { local r, q; ${other} }`);
  const line = text.split('\n').find((all) => all.startsWith('Its two accesses are ordered by '));
  expect(line).toBe(orders && `Its two accesses are ordered by ${orders}`);
});

test('of a robust program with a race, the command is told that looks for orders', async () => {
  // Each thread draws a number of its own, so every execution is an interleaving.
  const text = await reported(
    `var f
    var plain d
    thread a { local q; q = fetch_add(f, 1, relaxed); if (q == 0) { d = 1; } q = fetch_add(f, 1, relaxed); }
    thread b { local r, q; await (load(f, relaxed) == 2); q = fetch_add(f, 1, relaxed); d = 2; }`,
    ({ kind }) => kind,
  );
  expect(text).toContain('find-orders looks for orders without the race');
});

test('of a program with assertions and a race, orders for the assertions are advised', async () => {
  const text = await reported(
    `var f
    var plain d
    thread a { d = 1; store(f, 1, relaxed); }
    thread b { local r; await (load(f, relaxed) == 1); r = d; assert(r == 1); }`,
    (advice) => ('forAssertions' in advice ? `${advice.kind} for assertions` : advice.kind),
  );
  expect(text).toContain('find-orders for assertions looks for orders without the race');
});

test('load buffering is told by what allows it', async () => {
  const text = await reported(`var x, y
    thread a { local r; r = load(x, relaxed); store(y, 1, relaxed); }
    thread b { local r; r = load(y, relaxed); store(x, 1, relaxed); }`);
  expect(text).toContain('C++20 allows this execution ([atomics.order])');
  expect(text).toContain('the strict model RC20 excludes it');
});

const buffering = `var x, y, z, w
  thread a { local r; store(x, 1, relaxed); r = load(y, relaxed); assert(CLAIM); z = r; }
  thread b { local r; store(y, 1, relaxed); r = load(x, relaxed); w = r; }`;

test.each([
  ['r >= 0', true],
  // Fails under SC, too: no order helps.
  ['r == 0', false],
])('orders are advised unless an assertion fails in an interleaving: %s', async (claim, is) => {
  const text = await reported(buffering.replace('CLAIM', claim), ({ kind }) => kind);
  expect(text).toContain(' is not robust against C11');
  expect(text.includes('find-orders')).toBe(is);
  expect(text.includes('an assertion fails under SC')).toBe(!is);
});

test('a check without an answer says which command looks further, if one can', async () => {
  const source = `var x, y, z
    thread a { x = 1; store(y, 1, release); }
    thread b { await (load(y, acquire) == 1); z = x; }`;
  const program = programOf(source);
  const cut = await checkC11(program, 'c11', new Budget({ maxStates: 3 }));
  expect(cut.verdict).toEqual({ kind: 'unknown', reason: 'states' });
  const subject: Subject = { file: 'p.fw', source, program, advise: ({ kind }) => kind };
  expect(hintOnC11(subject, cut, false)).toBe('show-c11 looks further');
  expect(hintOnC11(subject, cut, true)).toBeUndefined();
  const refused: C11Result = {
    ...cut,
    verdict: { kind: 'unknown', reason: 'unsupported', limit: 'heavy-fences' },
  };
  expect(hintOnC11(subject, refused, false)).toBeUndefined();
});
