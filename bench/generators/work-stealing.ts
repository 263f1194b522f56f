import {
  block,
  fenceIf,
  type Lines,
  memberName,
  programText,
  range,
  thread,
  type Family,
  type Member,
  type Variant,
} from './family.js';

/**
 * The deque of Chase and Lev, with a sufficiently large array: the owner puts and takes `items`
 * values, each of `thieves` threads steals once. The owner's take stores the tail and then loads
 * the head. Without a fence between store and load the program is not robust, given two thieves (a
 * single thief that steals once does not look at the tail again).
 * Source: [CL05]; [LPCZ13].
 */
export function chaseLev(thieves: number, items: number, variant: Variant = {}): string {
  const put = (value: number) => ['t = tail;', `item[t] = ${value};`, 'tail = t + 1;'];
  const take = [
    't = tail - 1;',
    'tail = t;',
    fenceIf(variant),
    'h = head;',
    block('if (t < h)', 'tail = h;'),
    block('else', [
      'got = item[t];',
      block('if (t == h)', ['tail = h + 1;', 'cas(head, h, h + 1);']),
    ]),
    fenceIf(variant),
  ];
  const steal = [
    'h = head;',
    't = tail;',
    block('if (h < t)', ['got = item[h];', 'cas(head, h, h + 1);']),
  ];
  return programText(
    'ChaseLev',
    [
      `The work-stealing queue of Chase and Lev: the owner puts ${items} and takes ${items} at the tail, ${thieves} thieves steal`,
      'at the head; for the last item they race with a compare-and-swap.',
    ],
    `var head, tail, item[${items}]`,
    [
      thread(
        'owner',
        ['t', 'h', 'got'],
        [range(items).map((k) => put(k + 1)), fenceIf(variant), range(items).map(() => take)],
      ),
      range(thieves).map((self) => thread(`thief${self}`, ['t', 'h', 'got'], steal)),
    ],
  );
}

/**
 * The THE protocol of Cilk-5: the owner pushes and pops at the tail and takes the lock only if a
 * thief may be near; each of `thieves` threads steals once, always under the lock. Both sides store
 * their end of the queue and then load the opposite end, so both sides need a fence in between to
 * be robust.
 * Source: [FLR98] Fig. 4; [BDM13] Table 2, "Cilk's THE WSQ".
 */
export function the(thieves: number, items: number, variant: Variant = {}): string {
  const acquire = block('do', 'old = xchg(busy, 1);');
  const locked = (body: Lines) => [acquire, 'while (old != 0);', body, 'busy = 0;'];
  const pop = [
    't = tail - 1;',
    'tail = t;',
    fenceIf(variant),
    'h = head;',
    block('if (h > t)', [
      'tail = t + 1;',
      locked([
        't = tail - 1;',
        'tail = t;',
        fenceIf(variant),
        'h = head;',
        block('if (h > t)', 'tail = t + 1;'),
      ]),
    ]),
    fenceIf(variant),
  ];
  const steal = locked([
    'h = head;',
    'head = h + 1;',
    fenceIf(variant),
    't = tail;',
    block('if (h + 1 > t)', 'head = h;'),
  ]);
  return programText(
    'CilkTHE',
    [
      `Cilk's THE protocol: the owner pushes ${items} and pops ${items} at the tail, ${thieves} thieves steal at the head, under a lock`,
      'that the owner takes only when the two ends meet.',
    ],
    'var head, tail, busy',
    [
      thread(
        'owner',
        ['t', 'h', 'old'],
        [
          range(items).map(() => ['t = tail;', 'tail = t + 1;']),
          fenceIf(variant),
          range(items).map(() => pop),
        ],
      ),
      range(thieves).map((self) => thread(`thief${self}`, ['t', 'h', 'old'], steal)),
    ],
  );
}

function member(
  queue: 'chase-lev' | 'the',
  thieves: number,
  items: number,
  variant: Variant,
  small: boolean,
): Member {
  return {
    name: memberName(queue, [thieves, items], variant),
    source: (queue === 'the' ? the : chaseLev)(thieves, items, variant),
    expected: variant.fences ? 'robust' : 'not-robust',
    small,
  };
}

export const chaseLevFamily: Family = {
  name: 'chase-lev',
  members: [
    member('chase-lev', 2, 1, {}, true),
    member('chase-lev', 2, 1, { fences: true }, true),
    member('chase-lev', 2, 2, {}, true),
    member('chase-lev', 4, 3, {}, false),
    member('chase-lev', 4, 3, { fences: true }, false),
    member('chase-lev', 6, 4, {}, false),
    member('chase-lev', 8, 6, { fences: true }, false),
    member('chase-lev', 8, 6, {}, false),
  ],
};

export const theFamily: Family = {
  name: 'the',
  members: [
    member('the', 1, 1, {}, true),
    member('the', 1, 1, { fences: true }, true),
    member('the', 2, 2, {}, false),
    member('the', 2, 2, { fences: true }, true),
    member('the', 4, 3, {}, false),
    member('the', 8, 8, { fences: true }, false),
    member('the', 12, 12, {}, false),
  ],
};
