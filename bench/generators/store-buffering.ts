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
 * The ring of store buffering: thread `i` stores to variable `i` and loads the next thread's
 * variable. `prefix` more stores come first.
 * Source: [AMT14], the tests SB, 3.SB, 4.SB, ...
 */
export function storeBuffering(n: number, prefix = 0, variant: Variant = {}): string {
  return programText(
    'StoreBuffering',
    [
      `Store buffering around a ring of ${n} threads: every load may overtake the store${prefix > 0 ? 's' : ''} before it.`,
    ],
    `var x[${n}]`,
    range(n).map((self) =>
      thread(
        `t${self}`,
        ['r'],
        [
          range(prefix + 1).map((k) => `x[${self}] = ${k + 1};`),
          fenceIf(variant),
          `r = x[${(self + 1) % n}];`,
        ],
      ),
    ),
  );
}

function member(n: number, prefix: number, variant: Variant, small: boolean): Member {
  return {
    name: memberName('sb', prefix > 0 ? [n, prefix] : [n], variant),
    source: storeBuffering(n, prefix, variant),
    expected: variant.fences ? 'robust' : 'not-robust',
    small,
  };
}

export const storeBufferingFamily: Family = {
  name: 'sb',
  members: [
    member(2, 0, {}, true),
    member(2, 0, { fences: true }, true),
    member(3, 0, {}, true),
    member(4, 0, {}, true),
    member(4, 2, {}, true),
    member(6, 0, {}, true),
    member(6, 2, {}, false),
    member(8, 0, {}, false),
    member(8, 2, {}, false),
    member(10, 0, {}, false),
    member(12, 0, {}, false),
  ],
};
