import {
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
 * Peterson's algorithm for `n` threads, the filter lock: `n - 1` levels, each of which holds one
 * thread back. Every level stores twice before the load, so one fence for each level and thread
 * makes the program robust.
 * Source: [Pet81] Sect. 3; [HS08] Sect. 2.4.
 */
export function peterson(n: number, variant: Variant = {}): string {
  const climb = (self: number) => (at: number) => [
    `level[${self}] = ${at};`,
    `victim[${at}] = ${self};`,
    fenceIf(variant),
    range(n)
      .filter((other) => other !== self)
      .map((other) => `while (level[${other}] >= ${at} && victim[${at}] == ${self}) { }`),
  ];
  const levels = range(n).slice(1);
  return programText(
    'Peterson',
    [
      `Peterson's algorithm for ${n} threads (the filter lock). A thread climbs ${n - 1} levels; at each it waits`,
      'while somebody else is as high as itself and nobody has come after it.',
    ],
    `var level[${n}], victim[${n}]`,
    range(n).map((self) =>
      thread(`t${self}`, [], [levels.map(climb(self)), 'cs:', `level[${self}] = 0;`], variant),
    ),
  );
}

function member(n: number, variant: Variant, small: boolean): Member {
  return {
    name: memberName('peterson', [n], variant),
    source: peterson(n, variant),
    expected: variant.fences ? 'robust' : 'not-robust',
    small,
  };
}

export const petersonFamily: Family = {
  name: 'peterson',
  members: [
    member(2, {}, true),
    member(2, { fences: true }, true),
    member(2, { loop: true }, true),
    member(2, { fences: true, loop: true }, true),
    member(3, {}, false),
    member(3, { loop: true }, false),
    member(3, { fences: true, loop: true }, false),
    member(4, {}, false),
    member(4, { fences: true }, false),
    member(4, { loop: true }, false),
  ],
};
