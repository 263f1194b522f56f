import type { SeededRandom } from '@fencewright/ground/base/random.js';

/**
 * Returns a random program of copies and a single thread, with flags, loads of the flags, and
 * claims about both.
 */
export function randomCopiesText(random: SeededRandom): string {
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)]!;
  const statement = (): string =>
    pick([
      'x = 1;',
      'y = 1;',
      'r = x;',
      'r = y;',
      'fence;',
      's = n;',
      'if (r == 0) { n = 1; }',
      's = cas(n, 0, 1);',
      's = cas(n, 1, 2);',
      'assert(r == 0);',
    ]);
  const side = (own: string, other: string): string =>
    `${own} = 1; ${pick(['', '', 'fence; '])}r = ${other}; ${pick([
      'if (r == 0) { s = cas(n, 0, 1); }',
      'if (r == 0) { s = cas(n, 1, 2); }',
      's = n; if (r == 0) { assert(s == 0); }',
      'if (r == 0) { n = 1; }',
    ])}`;
  const own = pick([
    side('x', 'y'),
    `choose { ${side('x', 'y')} } or { ${side('y', 'x')} }`,
    `${statement()} ${statement()} ${statement()}`,
  ]);
  const single = pick([side('y', 'x'), side('y', 'x'), `${statement()} ${statement()}`]);
  const claim = pick([
    'n == 2',
    'n == 2',
    'm.r == 0 && n == 1',
    'drained(m) && m.s == 1 && x == 0',
  ]);
  return `program Copies
var x, y, n
thread t[*] { local r, s; ${own} }
thread m { local r, s; ${single} }
property p: never (${claim})
`;
}
