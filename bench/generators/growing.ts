import { bakery } from './bakery.js';
import { lamport1, lamport2 } from './lamport.js';
import { clh, mcs, ticket } from './locks.js';
import { messagePassing, messageRing } from './message-passing.js';
import { peterson } from './peterson.js';
import { storeBuffering } from './store-buffering.js';
import { treiber } from './treiber.js';
import { chaseLev, the } from './work-stealing.js';

/** A family whose members differ in the number of threads alone. */
export interface GrowingFamily {
  readonly name: string;
  /** The title of the picture that shows the family. */
  readonly chart: 'Mutual exclusion' | 'Queue locks' | 'Data structures' | 'Messages';
  /** The verdict in the literature on all members of the family. */
  readonly expected: 'robust' | 'not-robust';
  /** The least number of threads of a member; 2 if absent. */
  readonly least?: number;
  /** Returns the text of the program with a number of threads, which is even. */
  readonly source: (threads: number) => string;
}

/** Returns a number of items to steal that is too small for `thieves` threads. */
function itemsFor(thieves: number): number {
  return Math.max(1, Math.round((3 * thieves) / 4));
}

const loop = { loop: true };
const fenced = { fences: true, loop: true };
const robust = 'robust' as const;
const notRobust = 'not-robust' as const;

/** All families, in the order of the table. */
export const growingFamilies: readonly GrowingFamily[] = [
  ...[
    { name: 'peterson', expected: notRobust, source: (n: number) => peterson(n) },
    { name: 'peterson-loop', expected: notRobust, source: (n: number) => peterson(n, loop) },
    { name: 'peterson-fenced-loop', expected: robust, source: (n: number) => peterson(n, fenced) },
    { name: 'lamport1', expected: notRobust, source: (n: number) => lamport1(n) },
    { name: 'lamport1-loop', expected: notRobust, source: (n: number) => lamport1(n, loop) },
    { name: 'lamport1-fenced-loop', expected: robust, source: (n: number) => lamport1(n, fenced) },
    { name: 'lamport2', expected: notRobust, source: (n: number) => lamport2(n) },
    { name: 'lamport2-loop', expected: notRobust, source: (n: number) => lamport2(n, loop) },
    { name: 'lamport2-fenced-loop', expected: robust, source: (n: number) => lamport2(n, fenced) },
    { name: 'bakery', expected: notRobust, source: (n: number) => bakery(n) },
    { name: 'bakery-fenced', expected: robust, source: (n: number) => bakery(n, { fences: true }) },
  ].map((family) => ({ ...family, chart: 'Mutual exclusion' }) as const),
  ...[
    { name: 'mcs', source: (n: number) => mcs(n) },
    { name: 'mcs-loop', source: (n: number) => mcs(n, loop) },
    { name: 'clh', source: (n: number) => clh(n) },
    { name: 'clh-loop', source: (n: number) => clh(n, loop) },
    { name: 'ticket-loop', source: (n: number) => ticket(n, loop) },
  ].map((family) => ({ ...family, expected: robust, chart: 'Queue locks' }) as const),
  ...[
    { name: 'treiber', expected: robust, source: (n: number) => treiber(n / 2, n / 2) },
    {
      name: 'chase-lev',
      expected: notRobust,
      // A thief that steals once does not look at the tail again: only two can see a late store.
      least: 4,
      source: (n: number) => chaseLev(n - 1, itemsFor(n - 1)),
    },
    {
      name: 'chase-lev-fenced',
      expected: robust,
      source: (n: number) => chaseLev(n - 1, itemsFor(n - 1), { fences: true }),
    },
    { name: 'the', expected: notRobust, source: (n: number) => the(n - 1, n - 1) },
    {
      name: 'the-fenced',
      expected: robust,
      source: (n: number) => the(n - 1, n - 1, { fences: true }),
    },
  ].map((family) => ({ ...family, chart: 'Data structures' }) as const),
  ...[
    { name: 'sb', expected: notRobust, source: (n: number) => storeBuffering(n) },
    { name: 'sb-2', expected: notRobust, source: (n: number) => storeBuffering(n, 2) },
    { name: 'mp', expected: robust, source: (n: number) => messagePassing(n, 4) },
    { name: 'mp-ring', expected: robust, source: (n: number) => messageRing(n, 3) },
  ].map((family) => ({ ...family, chart: 'Messages' }) as const),
];

/** Returns the numbers of threads of the members to be measured. */
export function growingSizes({ least = 2 }: GrowingFamily): readonly number[] {
  return [2, 4, 6, 8, 10, 12].filter((threads) => threads >= least);
}
