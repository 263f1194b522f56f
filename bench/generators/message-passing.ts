import { memberName, programText, range, thread, type Family, type Member } from './family.js';

/**
 * A chain of `n` threads that pass `messages` on: data first, then the flag; the next thread waits
 * for the flag and reads the data. Robust without fences: TSO keeps stores in order and loads in
 * order, and no message runs back along the chain.
 * Source: [AMT14], the test MP, threaded.
 */
export function messagePassing(n: number, messages: number): string {
  const send = (wire: number, message: number, value: string) => [
    `data[${wire}] = ${value};`,
    `flag[${wire}] = ${message};`,
  ];
  const receive = (wire: number, message: number) => [
    `while (flag[${wire}] < ${message}) { }`,
    `r = data[${wire}];`,
  ];
  const all = range(messages).map((m) => m + 1);
  return programText(
    'MessagePassing',
    [`A chain of ${n} threads passes ${messages} messages on, each as data and then a flag.`],
    `var data[${n - 1}], flag[${n - 1}]`,
    [
      thread(
        'first',
        [],
        all.map((m) => send(0, m, String(m))),
      ),
      range(n - 2).map((link) =>
        thread(
          `link${link}`,
          ['r'],
          all.map((m) => [receive(link, m), send(link + 1, m, 'r')]),
        ),
      ),
      thread(
        'last',
        ['r'],
        all.map((m) => receive(n - 2, m)),
      ),
    ],
  );
}

/**
 * A ring of `n` threads, each of which loads from the left and stores to the right, repeatedly, on
 * `wires` wires; no thread waits. Robust: only the next thread can see a late store, and a path
 * back would have to run against the ring.
 */
export function messageRing(n: number, wires: number): string {
  const pass = (self: number) => (wire: number) => [
    `r = wire${wire}[${self}];`,
    `wire${wire}[${(self + 1) % n}] = r + 1;`,
  ];
  return programText(
    'MessageRing',
    [
      `A ring of ${n} threads: each loads from the left and stores to the right, on ${wires} wires.`,
    ],
    `var ${range(wires)
      .map((wire) => `wire${wire}[${n}]`)
      .join(', ')}`,
    range(n).map((self) => thread(`t${self}`, ['r'], range(wires).map(pass(self)))),
  );
}

function member(shape: 'mp' | 'mp-ring', n: number, size: number, small: boolean): Member {
  return {
    name: memberName(shape, [n, size], {}),
    source: (shape === 'mp' ? messagePassing : messageRing)(n, size),
    expected: 'robust',
    small,
  };
}

export const messagePassingFamily: Family = {
  name: 'mp',
  members: [
    member('mp', 3, 1, true),
    member('mp', 3, 2, true),
    member('mp', 4, 3, false),
    member('mp', 6, 3, false),
    member('mp', 8, 4, false),
  ],
};

export const messageRingFamily: Family = {
  name: 'mp-ring',
  members: [
    member('mp-ring', 3, 2, true),
    member('mp-ring', 4, 2, false),
    member('mp-ring', 5, 2, false),
    member('mp-ring', 6, 2, false),
  ],
};
