import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { moversByDefinition } from '@fencewright/reference/definitions/movers-by-definition.js';
import { moverType } from '@fencewright/reports/words/mover-type.js';
import { openProgram, useSolver } from '../../../proofs/test/proving.js';
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

describe('types of accesses against all SC states of two copies, the programs of [BEMT18]', () => {
  const solver = useSolver();
  const total = { accesses: 0, equal: 0, beyondInvariants: 0, beyondStates: 0 };

  it.each(names)('%s', async (name) => {
    const open = openProgram(readFileSync(`${folder}${name}.fw`, 'utf8'));
    const { result } = await prove(open, { solver, searchInstances: false, movers: true });
    const counts = open.templates.threads.map(() => 2);
    const { program, templateOf } = instantiate(open, counts, { low: 0, high: 2 });
    const judged = moversByDefinition(program, 1500);
    const weaker: string[] = [];
    for (const { access, moves } of result.movers ?? []) {
      if (!moves) continue;
      const place = `${access.thread}:${access.transition}`;
      const seen = judged.movers.filter(
        ({ thread, transition }) =>
          templateOf[thread] === access.thread && transition === access.transition,
      );
      for (const way of ['right', 'left'] as const)
        if (moves[way].kind === 'moves')
          expect(
            seen.every((each) => each[way]),
            `${place} ${way}`,
          ).toBe(true);
      total.accesses++;
      const [right, left] = [seen.every((each) => each.right), seen.every((each) => each.left)];
      const type = right ? (left ? 'B' : 'R') : left ? 'L' : 'N';
      if (moverType({ moves }) === type) total.equal++;
      else if (judged.isComplete) weaker.push(place);
      else total.beyondStates++;
    }
    total.beyondInvariants += weaker.length;
    expect(weaker.join(' ')).toBe(beyondInvariants[name] ?? '');
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
    expect(total.accesses).toBeGreaterThan(300);
    expect(total.equal).toBeGreaterThan((total.accesses * 3) / 4);
  });
});
