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
 * Lamport's first fast mutex for `n` threads: name in x, door y. The delay before the second look
 * at y is left out, as the model has no time, so no claim about mutual exclusion is made.
 * Source: [Lam87] Sect. 2, Algorithm 1.
 */
export function lamport1(n: number, variant: Variant = {}): string {
  const enter = (self: number) =>
    block('loop', [
      `x = ${self};`,
      fenceIf(variant),
      'if (y != 0) continue;',
      `y = ${self};`,
      fenceIf(variant),
      `if (x == ${self}) break;`,
      `if (y == ${self}) break;`,
    ]);
  return programText(
    'Lamport1',
    [
      `Lamport's first fast mutex for ${n} threads, without its delay: say who you are in x, find the door y open,`,
      'close it, and find your name still in x, or at least at the door.',
    ],
    'var x, y',
    range(n).map((t) =>
      thread(
        `t${t + 1}`,
        [],
        [enter(t + 1), 'cs:', 'y = 0;', variant.loop && fenceIf(variant)],
        variant,
      ),
    ),
  );
}

/**
 * Lamport's second fast mutex for `n` threads, without delay: a thread that lost the race waits
 * until no thread is half-way in.
 * Source: [Lam87] Sect. 3, Algorithm 2.
 */
export function lamport2(n: number, variant: Variant = {}): string {
  const enter = (self: number) =>
    block('loop', [
      `b[${self}] = 1;`,
      `x = ${self};`,
      fenceIf(variant),
      block('if (y != 0)', [
        `b[${self}] = 0;`,
        fenceIf(variant),
        'while (y != 0) { }',
        'continue;',
      ]),
      `y = ${self};`,
      fenceIf(variant),
      `if (x == ${self}) break;`,
      `b[${self}] = 0;`,
      fenceIf(variant),
      range(n).map((other) => other + 1 !== self && `while (b[${other + 1}] != 0) { }`),
      `if (y == ${self}) break;`,
      'while (y != 0) { }',
    ]);
  return programText(
    'Lamport2',
    [
      `Lamport's second fast mutex for ${n} threads. Without contention: name in x, door y open, close it, name still`,
      'in x. Otherwise wait until nobody is half-way in, and see who closed the door last.',
    ],
    `var b[${n + 1}], x, y`,
    range(n).map((t) =>
      thread(`t${t + 1}`, [], [enter(t + 1), 'cs:', 'y = 0;', `b[${t + 1}] = 0;`], variant),
    ),
  );
}

function member(algorithm: 1 | 2, n: number, variant: Variant, small: boolean): Member {
  return {
    name: memberName(`lamport${algorithm}`, [n], variant),
    source: (algorithm === 1 ? lamport1 : lamport2)(n, variant),
    expected: variant.fences ? 'robust' : 'not-robust',
    small,
  };
}

export const lamport1Family: Family = {
  name: 'lamport1',
  members: [
    member(1, 2, {}, true),
    member(1, 2, { fences: true, loop: true }, true),
    member(1, 3, {}, true),
    member(1, 3, { loop: true }, false),
    member(1, 4, {}, false),
    member(1, 4, { fences: true, loop: true }, false),
    member(1, 5, {}, false),
    member(1, 6, {}, false),
  ],
};

export const lamport2Family: Family = {
  name: 'lamport2',
  members: [
    member(2, 2, {}, true),
    member(2, 2, { loop: true }, true),
    member(2, 2, { fences: true }, true),
    member(2, 3, {}, false),
    member(2, 3, { loop: true }, false),
    member(2, 3, { fences: true, loop: true }, false),
    member(2, 4, {}, false),
    member(2, 4, { loop: true }, false),
  ],
};
