import {
  block,
  memberName,
  programText,
  range,
  thread,
  type Family,
  type Lines,
  type Member,
  type Variant,
} from './family.js';

/**
 * Returns the lines of a critical section that detects a second thread inside: it stores the
 * thread's number, and reads the number back.
 */
function criticalSection(self: number): Lines {
  return ['cs:', `owner = ${self};`, 'seen = owner;'];
}

/**
 * The MCS queue lock for `n` threads: a thread swaps itself to the tail, links itself behind its
 * predecessor, and spins on a variable of its own. Source: [MCS91] Sect. 2.4.
 */
export function mcs(n: number, variant: Variant = {}): string {
  const body = (self: number) => [
    `next[${self}] = 0;`,
    `before = xchg(tail, ${self});`,
    block('if (before != 0)', [
      `waiting[${self}] = 1;`,
      `next[before] = ${self};`,
      `while (waiting[${self}] != 0) { }`,
    ]),
    criticalSection(self),
    `after = next[${self}];`,
    block('if (after == 0)', [
      `freed = cas(tail, ${self}, 0);`,
      block('if (!freed)', [block('do', `after = next[${self}];`), 'while (after == 0);']),
    ]),
    block('if (after != 0)', 'waiting[after] = 0;'),
  ];
  return programText(
    'McsLock',
    [`The MCS queue lock for ${n} threads: everybody spins on a variable of his own.`],
    `var tail, next[${n + 1}], waiting[${n + 1}], owner`,
    range(n).map((t) =>
      thread(`t${t + 1}`, ['before', 'after', 'freed', 'seen'], body(t + 1), variant),
    ),
  );
}

/**
 * The CLH queue lock for `n` threads: a thread swaps its node to the tail, spins on its
 * predecessor's node, and leaves with the predecessor's node.
 * Source: [Cra93], [MLH94]; [HS08] Sect. 7.5.2.
 */
export function clh(n: number, variant: Variant = {}): string {
  const body = (self: number) => [
    'node[mine] = 1;',
    'before = xchg(tail, mine);',
    'while (node[before] != 0) { }',
    criticalSection(self),
    'node[mine] = 0;',
    'mine = before;',
  ];
  return programText(
    'ClhLock',
    [`The CLH queue lock for ${n} threads: everybody spins on the node of the one before him.`],
    `var tail, node[${n + 1}], owner`,
    range(n).map((t) => {
      const set = `mine = ${t + 1};`;
      const lines = body(t + 1);
      return thread(
        `t${t + 1}`,
        ['mine', 'before', 'seen'],
        [set, variant.loop ? block('loop', lines) : lines],
      );
    }),
  );
}

/**
 * A ticket lock for `n` threads with tickets modulo `n`, so that the state space is finite also
 * with a loop. All threads have equal code: the critical section counts, and reads the count back.
 * Source: [MCS91] Sect. 2.2.
 */
export function ticket(n: number, variant: Variant = {}): string {
  const body = [
    block('atomic', ['mine = next;', `next = (mine + 1) % ${n};`]),
    'while (serving != mine) { }',
    'cs:',
    'seen = count;',
    `count = (seen + 1) % ${n};`,
    'seen = count;',
    `serving = (mine + 1) % ${n};`,
  ];
  return programText(
    'TicketLock',
    [
      `A ticket lock for ${n} threads, tickets modulo ${n}: draw a number and wait until it is served.`,
    ],
    'var next, serving, count',
    range(n).map((t) => thread(`t${t + 1}`, ['mine', 'seen'], body, variant)),
  );
}

const locks = { mcs, clh, ticket };

function member(lock: keyof typeof locks, n: number, variant: Variant, small: boolean): Member {
  return {
    name: memberName(lock, [n], variant),
    source: locks[lock](n, variant),
    expected: 'robust',
    small,
  };
}

export const mcsFamily: Family = {
  name: 'mcs',
  members: [
    member('mcs', 2, {}, true),
    member('mcs', 2, { loop: true }, true),
    member('mcs', 3, { loop: true }, false),
    member('mcs', 4, { loop: true }, false),
    member('mcs', 5, {}, false),
    member('mcs', 5, { loop: true }, false),
  ],
};

export const clhFamily: Family = {
  name: 'clh',
  members: [
    member('clh', 2, {}, true),
    member('clh', 2, { loop: true }, true),
    member('clh', 3, { loop: true }, false),
    member('clh', 4, { loop: true }, false),
    member('clh', 5, { loop: true }, false),
  ],
};

export const ticketFamily: Family = {
  name: 'ticket',
  members: [
    member('ticket', 2, {}, true),
    member('ticket', 2, { loop: true }, true),
    member('ticket', 3, { loop: true }, true),
    member('ticket', 4, { loop: true }, false),
    member('ticket', 8, { loop: true }, false),
    member('ticket', 16, { loop: true }, false),
    member('ticket', 24, { loop: true }, false),
  ],
};
