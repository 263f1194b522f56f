import { automataToJson, type HappensBefore, type Program } from '@fencewright/core';
import { AttackRefuter } from '../../src/attack/refute-attacks.js';
import { attackThreads } from '../../src/attack/thread.js';
import { Budget, Endless } from '../../src/budget.js';
import { Met } from '../../src/code.js';
import { openAttacks } from '../../src/control-flow.js';
import { Components } from '../../src/pairs/components.js';
import { PairCover } from '../../src/pairs/presence.js';
import { PairRelation } from '../../src/pairs/relation.js';
import { readAutomata } from '../../src/read-automata.js';

/** By thread, the addresses of the cells whose values the thread's items include. */
export type Kept = readonly (readonly number[])[];

/**
 * Returns a way to give the first cells to threads: each cell belongs to one thread, or to no
 * thread. To the base of the number of threads plus one, `digits` has one digit for each cell: the
 * number of the cell's thread, from 1, or 0 for no thread.
 */
export function layout({ threads, symbols }: Program, digits: number): Kept {
  const declared = symbols.flatMap(({ base, length }) =>
    Array.from({ length }, (_, i) => base + i),
  );
  const cells = declared.length > 0 ? declared.slice(0, 6) : [0, 1, 2, 3, 4, 5];
  const choices = threads.length + 1;
  const keepers = cells.map((_, i) => Math.floor(digits / choices ** i) % choices);
  return threads.map((_, t) => cells.filter((_, i) => keepers[i] === t + 1));
}

/**
 * Returns the attacks refuted by a relation, as `t.store.load`; the reason if there is no relation.
 */
export function refuteAll(
  program: Program,
  kept: Kept,
  happensBefore: HappensBefore,
  most = 3_000,
): readonly string[] | 'too large' {
  const automata = readAutomata(JSON.parse(JSON.stringify(automataToJson(program))), 'automata');
  const budget = new Budget({ maxStates: most });
  try {
    const components = new Components(
      automata,
      attackThreads(automata, happensBefore),
      kept,
      'kept',
    );
    const relation = PairRelation.close(components, budget);
    if (!(relation instanceof PairRelation)) return 'too large';
    // One refuter for all attackers, as in the check of certificates: its answers must not mix.
    const refuter = new AttackRefuter(new PairCover(components, relation), new Budget({}));
    return automata.threads.flatMap((thread, t) =>
      [...openAttacks(thread)].flatMap(([store, loads]) =>
        [...loads].flatMap((load) =>
          refuter.refute(t, store, new Set([load])).kind === 'refuted'
            ? [`${t}.${store}.${load}`]
            : [],
        ),
      ),
    );
  } catch (error) {
    if (error instanceof Met || error instanceof Endless) return 'too large';
    throw error;
  }
}
