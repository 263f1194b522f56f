import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { moversByDefinition } from '@fencewright/reference/definitions/movers-by-definition.js';
import { moverType } from '@fencewright/reports/words/mover-type.js';
import { openProgram, useSolver } from '../../../proofs/test/proving.js';
import { usualCases } from '../../../../tools/usual-cases.js';
import { prove } from '../../src/api/prove.js';

const folder = new URL('../../../../corpus/reduction/', import.meta.url).pathname;
const names = readdirSync(folder).flatMap((name) =>
  name.endsWith('.fw') ? [name.slice(0, -3)] : [],
);

/**
 * Accesses, as `thread:transition`, that move in all SC states of two copies, although the few
 * invariants in the text do not show this.
 */
const beyondInvariants: Readonly<Record<string, string>> = {
  // The first node of a thread is in no list yet.
  'clh-lock': '0:1',
  // Waiters and latches alternate, which no invariant states.
  'inline-pgsql': '0:4 0:5 0:9 0:10',
};

/**
 * Accesses that move in the states of two copies that were visited, which are not all, although the
 * invariants in the text do not say so: no visited state shows that they do not.
 */
const beyondStates: Readonly<Record<string, string>> = {
  // Thread 0 goes back to no label and waits for no lower thread, so its flag is 0 where it is set
  // to 0; thread 2 waits for no higher thread.
  burns: '0:0 0:5 0:14 2:21 2:25',
  // The owner stores at the tail or behind the head; no invariant relates the indices of others.
  'cilk-the': '0:1 0:16 0:18 0:21 1:3 1:10',
  'fifo-iwsq': '0:1 1:4',
  // Who is in the section or holds the lock, which no invariant states.
  dijkstra: '0:22 1:22 2:22',
  'lamport-fast-2': '0:16 1:16',
  'nbw-w-lr-rl': '1:6 2:11',
  // The links of waiters, of which the invariants say what the proof needs.
  'mcs-lock': '0:3 0:19',
};

/** The programs with the most states, near the start or on random executions. */
const longest = [
  ...['anchor-iwsq', 'cilk-the', 'dijkstra', 'sb-detours-coh', 'chase-lev', 'fifo-iwsq'],
  ...['mcs-lock', 'lamport-bakery', 'task-scheduling', 'lifo-iwsq', 'write-r-coh', 'sb-detours'],
];

/** Random executions, whose states are visited besides the states near the start. */
const walks = { count: 40, length: 500 };

describe('types of accesses against all SC states of two copies, the programs of [BEMT18]', () => {
  const solver = useSolver();
  const total = { accesses: 0, equal: 0, beyondInvariants: 0, beyondStates: 0 };

  it.each(usualCases(names, (name) => longest.includes(name)))('%s', async (name) => {
    const open = openProgram(readFileSync(`${folder}${name}.fw`, 'utf8'));
    const { result } = await prove(open, { solver, searchInstances: false, movers: true });
    const counts = open.templates.threads.map(() => 2);
    // Guesses below 0 are smaller than all numbers that the programs compute.
    const { program, templateOf } = instantiate(open, counts, { low: -1, high: 2 });
    const typesIn = ({ movers }: ReturnType<typeof moversByDefinition>) =>
      (result.movers ?? []).flatMap(({ access, moves }) => {
        if (!moves) return [];
        const seen = movers.filter(
          ({ thread, transition }) =>
            templateOf[thread] === access.thread && transition === access.transition,
        );
        const right = seen.every((each) => each.right);
        const left = seen.every((each) => each.left);
        const type = right ? (left ? 'B' : 'R') : left ? 'L' : 'N';
        return [{ access, moves, right, left, isSame: moverType({ moves }) === type }];
      });
    const first = moversByDefinition(program, 1500);
    // Where the first states leave doubts, deeper ones may show that an access does not move.
    const isInDoubt = !first.isComplete && typesIn(first).some(({ isSame }) => !isSame);
    const random = new SeededRandom(2018);
    const judged = isInDoubt ? moversByDefinition(program, 1500, { random, ...walks }) : first;
    const weaker: string[] = [];
    const unseen: string[] = [];
    for (const { access, moves, right, left, isSame } of typesIn(judged)) {
      const place = `${access.thread}:${access.transition}`;
      if (moves.right.kind === 'moves') expect(right, `${place} right`).toBe(true);
      if (moves.left.kind === 'moves') expect(left, `${place} left`).toBe(true);
      total.accesses++;
      if (isSame) total.equal++;
      else (judged.isComplete ? weaker : unseen).push(place);
    }
    total.beyondInvariants += weaker.length;
    total.beyondStates += unseen.length;
    expect(weaker.join(' ')).toBe(beyondInvariants[name] ?? '');
    expect(unseen.join(' ')).toBe(beyondStates[name] ?? '');
    // These include the movers that the proof needs ([BEMT18] Table 1, columns RM and LM).
    const movesOf = (thread: number, transition: number) =>
      result.movers?.find(
        ({ access }) => access.thread === thread && access.transition === transition,
      )?.moves;
    for (const { store, loads, argument } of result.stores) {
      if (argument.kind === 'left-mover')
        expect(movesOf(store.thread, store.transition)?.left.kind).toBe('moves');
      if (argument.kind === 'right-movers')
        for (const load of loads) expect(movesOf(store.thread, load)?.right.kind).toBe('moves');
    }
  });

  it('agrees for most', () => {
    console.info(total);
    expect(total.accesses).toBeGreaterThan(200);
    expect(total.equal).toBeGreaterThan((total.accesses * 9) / 10);
  });
});
