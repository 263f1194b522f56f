import {
  block,
  memberName,
  programText,
  range,
  thread,
  type Family,
  type Member,
} from './family.js';

/**
 * Treiber's stack with `pushers` threads that push a node each and `poppers` threads that pop a
 * node if the stack has one. A node is a value and, in the cell behind, the address of the node
 * below. Robust: the compare-and-swap drains the buffer before publishing a node.
 * Source: [Tre86]; [HS08] Sect. 11.2.
 */
export function treiber(pushers: number, poppers: number): string {
  const push = (self: number) =>
    thread(
      `push${self}`,
      ['top', 'done'],
      [
        `node${self}[0] = ${self + 1};`,
        block('do', [
          'top = head;',
          `node${self}[1] = top;`,
          `done = cas(head, top, &node${self}[0]);`,
        ]),
        'while (!done);',
      ],
    );
  const pop = (self: number) =>
    thread(
      `pop${self}`,
      ['top', 'below', 'done', 'value'],
      [
        block('do', [
          'top = head;',
          'if (top == 0) goto empty;',
          'below = mem[top + 1];',
          'done = cas(head, top, below);',
        ]),
        'while (!done);',
        'value = mem[top];',
        'empty:',
      ],
    );
  return programText(
    'TreiberStack',
    [`Treiber's stack: ${pushers} threads push a node each, ${poppers} threads pop.`],
    [
      `var head${range(pushers)
        .map((self) => `, node${self}[2]`)
        .join('')}`,
    ],
    [range(pushers).map(push), range(poppers).map(pop)],
  );
}

function member(pushers: number, poppers: number, small: boolean): Member {
  return {
    name: memberName('treiber', [pushers, poppers], {}),
    source: treiber(pushers, poppers),
    expected: 'robust',
    small,
  };
}

export const treiberFamily: Family = {
  name: 'treiber',
  members: [
    member(1, 1, true),
    member(2, 1, true),
    member(2, 2, false),
    member(3, 2, false),
    member(3, 3, false),
    member(4, 3, false),
  ],
};
