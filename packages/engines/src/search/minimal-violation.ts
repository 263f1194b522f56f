import type { Budget } from '@fencewright/ground/base/budget.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { Program } from '@fencewright/model/program/program.js';
import { countDelays } from '@fencewright/model/trace/count-delays.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import { searchAttacks } from './attack-search.js';

/**
 * Returns a violation of standard robustness with the fewest delays, found from a witness by
 * searches for attacks with ever fewer delays ([BDM13x] App. B). By Lemma 8 only one thread delays
 * stores in such a violation, so the attacks of single threads are enough. With heavy fences the
 * lemma fails: then, and if a search is interrupted, the result is not called minimal.
 */
export async function minimalViolation(
  program: Program,
  witness: Witness,
  budget: Budget,
): Promise<Witness> {
  let best = witness;
  for (;;) {
    const found = await searchAttacks(program, {
      maxDelays: countDelays(best.computation) - 1,
      ...{ ownedCells: false, allAttacks: false, budget },
    });
    if (!found.witness) {
      const isRefuted = !found.incomplete && found.faults.length === 0;
      return { ...best, isMinimal: isRefuted && !hasHeavyFences(program) };
    }
    best = found.witness;
  }
}
