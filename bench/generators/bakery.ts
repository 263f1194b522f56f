import {
  block,
  fenceIf,
  memberName,
  programText,
  range,
  thread,
  type Family,
  type Member,
  type Variant,
} from './family.js';

/**
 * Returns Lamport's bakery for `n` threads. With a loop the numbers grow without bound, so the
 * state space is infinite. Three fences a thread make the program robust: before reading the
 * numbers, and before the two waits. Source: L. Lamport, "A new solution of Dijkstra's concurrent
 * programming problem", CACM 17(8), 1974.
 */
export function bakery(n: number, variant: Variant = {}): string {
  const draw = (self: number) => [
    `choosing[${self}] = 1;`,
    fenceIf(variant),
    'max = 0;',
    range(n).map(
      (other) => other !== self && [`seen = number[${other}];`, 'if (seen > max) max = seen;'],
    ),
    `number[${self}] = max + 1;`,
    `choosing[${self}] = 0;`,
    fenceIf(variant),
  ];
  const wait = (self: number) => (other: number) =>
    other !== self && [
      `while (choosing[${other}] != 0) { }`,
      block('loop', [
        `seen = number[${other}];`,
        `if (seen == 0 || max + 1 < seen || max + 1 == seen && ${self} < ${other}) break;`,
      ]),
    ];
  return programText(
    'Bakery',
    [
      `Lamport's bakery for ${n} threads: draw a number above all others, and wait for everybody who is choosing or`,
      'has a smaller one.',
    ],
    `var choosing[${n}], number[${n}]`,
    range(n).map((self) =>
      thread(
        `t${self}`,
        ['max', 'seen'],
        [draw(self), range(n).map(wait(self)), 'cs:', `number[${self}] = 0;`],
        variant,
      ),
    ),
  );
}

function member(n: number, variant: Variant, small: boolean): Member {
  return {
    name: memberName('bakery', [n], variant),
    source: bakery(n, variant),
    expected: variant.fences ? 'robust' : 'not-robust',
    small,
    ...(variant.loop && { infinite: true }),
  };
}

export const bakeryFamily: Family = {
  name: 'bakery',
  members: [
    member(2, {}, true),
    member(2, { fences: true }, true),
    member(2, { loop: true }, false),
    member(2, { fences: true, loop: true }, true),
    member(3, {}, false),
    member(3, { loop: true }, false),
  ],
};
