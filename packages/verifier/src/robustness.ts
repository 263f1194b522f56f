import { type AttackState, AttackSteps, stateName } from './attack/steps.js';
import type { Automata } from './automata.js';
import { type Budget, type Exhausted, Endless } from './budget.js';
import { explore } from './explore.js';
import type { HappensBefore } from './happens-before.js';
import { whySeveralMayDelay } from './several-delays.js';

export type Robustness =
  | { readonly kind: 'robust'; readonly faults: boolean }
  | { readonly kind: 'not-robust' }
  | { readonly kind: 'unknown'; readonly reason: Exhausted };

/**
 * Decides by a search of all states whether a program is robust in a notion of happens-before, by
 * the attacks to which the locality theorems reduce the question ([BDM13] Theorem 1, Fig. 4;
 * docs/value-happens-before.md for values). Returns the exhausted limit if undecided. `faults`:
 * some execution ends in a fault.
 */
export function decideRobustness(
  automata: Automata,
  happensBefore: HappensBefore,
  budget: Budget,
): Robustness {
  let faults = false;
  const steps = new AttackSteps(automata, happensBefore, () => {
    faults = true;
  });
  const next = (state: AttackState): readonly AttackState[] | 'goal' => {
    const states: AttackState[] = [];
    for (const [after] of steps.after(state)) {
      if (after === 'goal') return 'goal';
      states.push(after);
    }
    return states;
  };
  try {
    const found = explore(steps.initialStates(), stateName, next, budget);
    if (found === 'goal') return { kind: 'not-robust' };
    const reason = found === 'done' ? whySeveralMayDelay(automata, budget) : found.exhausted;
    return reason === undefined ? { kind: 'robust', faults } : { kind: 'unknown', reason };
  } catch (error) {
    if (error instanceof Endless) return { kind: 'unknown', reason: error.message };
    throw error;
  }
}
