import { finiteProgram } from '@fencewright/model/program/model.js';
import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { Budget } from '@fencewright/ground/base/budget.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { TableFull } from '@fencewright/ground/product/state-storage.js';
import { StateTable } from '@fencewright/ground/product/state-table.js';
import { searchAttacks } from '../../src/search/attack-search.js';
import { searchPart, type AttackerPool } from '../../src/search/attacker-part.js';

const examples = new URL('../../../../examples/', import.meta.url);

afterEach(() => vi.restoreAllMocks());

/**
 * Makes every state table full once `additions` states have been added to all of them together.
 * Returns a function that counts the added states.
 */
function fullAfter(additions: number): () => number {
  const add = Reflect.get<StateTable, 'add'>(StateTable.prototype, 'add');
  let added = 0;
  vi.spyOn(StateTable.prototype, 'add').mockImplementation(function (
    this: StateTable,
    source,
    parent,
  ) {
    if (added >= additions) throw new TableFull();
    added++;
    return add.call(this, source, parent);
  });
  return () => added;
}

/**
 * A pool with a helper thread that always dies, so that the main search has to take the attackers
 * back.
 */
const dyingPool: AttackerPool = {
  threads: 1,
  isDue: () => true,
  search: () => Promise.reject(new Error('worker exited')),
};

/** A pool with one helper thread, whose tables are full as well. */
const livingPool: AttackerPool = { threads: 1, isDue: () => true, search: searchPart };

test.each(['peterson', 'mcs-lock', 'chase-lev-fenced'])(
  'a table that is full in the middle of any phase leaves attacks open, never infeasible: %s',
  async (name) => {
    const { model } = parseNative(readFileSync(new URL(`${name}.fw`, examples), 'utf8'));
    const program = finiteProgram(model);
    const decide = (attackerPool?: AttackerPool) =>
      searchAttacks(program!, {
        budget: new Budget({}),
        allAttacks: true,
        kernel: 'typescript',
        symmetry: false,
        staticPath: false,
        stagesAfter: 0,
        localClosure: false,
        pairClosure: false,
        directed: false,
        ...(attackerPool && { attackerPool }),
      });
    const additions = fullAfter(Infinity);
    const truth = await decide();
    const all = additions();
    vi.restoreAllMocks();
    const step = Math.max(1, Math.floor(all / 40));
    for (let room = 0; room < all; room += step)
      for (const pool of [undefined, dyingPool, livingPool]) {
        fullAfter(room);
        const cut = await decide(pool);
        vi.restoreAllMocks();
        expect(cut.incomplete, `room for ${room}`).toBe('memory');
        for (const [i, { verdict }] of cut.attacks.entries())
          expect([truth.attacks[i]?.verdict, 'unknown'], `room for ${room}`).toContain(verdict);
        expect(cut.attacks.some(({ verdict }) => verdict === 'infeasible')).toBe(false);
      }
  },
);
