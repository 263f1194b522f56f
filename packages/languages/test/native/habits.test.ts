import { expect, test } from 'vitest';
import { parseNative } from '../../src/native/parse-native.js';

/** The hints on a statement in line 4. */
function hintsOn(
  statement: string,
): readonly (readonly [number | undefined, string | undefined])[] {
  const text = `program T\nvar x, y\nthread a { local r; r = 1;\n  ${statement}\n}\nthread b { y = ; }\n`;
  return parseNative(text).diagnostics.map(({ span, hint }) => [span && span.start.line + 1, hint]);
}

test.each([
  ['x.store(1);', 'a store is written x = e'],
  ['r = x.load();', 'a load is written r = x'],
  ['r = x.exchange(1);', 'r = xchg(x, e)'],
  ['r = x.compare_exchange_strong(r, 1);', 'r = cas(x, old, new)'],
  ['r = x.fetch_add(1);', 'r = fetch_add(x, 1)'],
  ['mfence();', 'write mfence;'],
  ['fence();', 'write fence;'],
  ['return;', 'a thread ends after its last statement'],
  ['return 1;', 'a thread ends after its last statement'],
  ['x++;', 'write x = x + 1'],
  ['x += 1;', 'write x = x + 1'],
  ['for (;;) { }', 'write while (...) { ... }'],
  ['always (x == 1);', 'property p: never (...)'],
  ['if (x == 1 and y == 1) { r = 1; }', 'write &&'],
  ['if (not x) { r = 1; }', 'write !'],
  ['printf("x");', 'all values are numbers'],
  ["r = 'a';", 'all values are numbers'],
  ['r = (int) x;', 'there are no casts'],
  ['r = (struct node *) x;', 'there are no casts'],
])(
  '%s: the first hint says what works instead, and errors behind it are told, too',
  (habit, hint) => {
    const hints = hintsOn(habit);
    expect(hints[0]).toEqual([4, expect.stringContaining(hint)]);
    expect(hints.some(([line]) => line === 6)).toBe(true);
  },
);

test.each(['NULL', 'nullptr'])('%s is 0', (name) => {
  const { diagnostics } = parseNative(`program T\nvar x\nthread a { x = ${name}; y = 1; }\n`);
  expect(diagnostics.map(({ code }) => code)).toEqual(['FW1002', 'FW1002']);
  expect(diagnostics[0]?.hint).toContain('write 0: variables lie at addresses from 1 on');
});

test.each([
  ['#define N 3', 'there is no preprocessor: write const N = 3'],
  ['# a comment', 'comments begin with //'],
  ['void t() { x = 1; }', 'thread t { ... }'],
  ['shared y', 'write var x'],
  ['struct s { int a; };', 'use arrays, one for each field'],
  ['enum { A, B };', 'write const A = 0, B = 1'],
  ['property p: always (x == 0)', 'never (!(...))'],
])('%s: the hint says what works instead', (habit, hint) => {
  const { diagnostics } = parseNative(`program T\nvar x\n${habit}\nthread a { x = 1; }\n`);
  expect(diagnostics[0]?.span?.start).toEqual({ line: 2, column: expect.any(Number) as number });
  expect(diagnostics[0]?.hint).toContain(hint);
});

test('a property of two copies of any number is read, and so is the invariant of a hint', () => {
  const program = (line: string): string => `program T
    var x
    thread t[*] { x = 1; l: skip; }
    ${line}`;
  const ofCopies = program('property p: never (t[0]@l && t[1]@l)');
  expect(parseNative(ofCopies).diagnostics).toEqual([]);
  const { diagnostics } = parseNative(program('property p: progress (t)'));
  const hint = diagnostics[0]?.hint ?? '';
  const invariant = /invariant m\(.*\)(?=; for)/.exec(hint)?.[0] ?? '';
  expect(invariant).toBe('invariant m(a: t, b: t): !(a@l && b@l)');
  expect(parseNative(program(invariant)).diagnostics).toEqual([]);
});

test('what the manual shows instead works', () => {
  const text = `program T
    const A = 0, B = 1
    var x /* a comment
             of two lines */
    thread a { local i; i = 0; while (i < 3) { i = i + 1; } while (!cas(x, 0, 1)) { } fetch_add(x, 1); x = B; }`;
  expect(parseNative(text).diagnostics).toEqual([]);
});
