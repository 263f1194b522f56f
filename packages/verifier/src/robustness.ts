import {
  AttackSteps,
  type AttackStep,
  type Control,
  controlName,
  placeName,
  type WaitingPlace,
} from './attack/steps.js';
import type { Automata } from './automata.js';
import { type Budget, type Exhausted, Endless } from './budget.js';
import { explore } from './explore.js';
import type { HappensBefore } from './happens-before.js';
import { whySeveralMayDelay } from './several-delays.js';

export type Robustness =
  | { readonly kind: 'robust'; readonly faults: boolean }
  | { readonly kind: 'not-robust' }
  | { readonly kind: 'unknown'; readonly reason: Exhausted };

/** A state of all threads in an attack. */
interface AttackState {
  readonly control: Control;
  /** The threads other than the attacker that wait at a place, in the order of their names. */
  readonly places: readonly WaitingPlace[];
}

/** Returns the state with one more place, if there is one. */
function stateWith(
  control: Control,
  places: readonly WaitingPlace[],
  place: WaitingPlace | undefined,
): AttackState {
  if (!place) return { control, places };
  const name = placeName(place);
  const at = places.findIndex((other) => placeName(other) > name);
  return { control, places: places.toSpliced(at < 0 ? places.length : at, 0, place) };
}

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
  const after = (
    taken: readonly AttackStep[],
    places: readonly WaitingPlace[],
  ): readonly AttackState[] | 'goal' => {
    const states: AttackState[] = [];
    for (const step of taken) {
      if (step.kind === 'goal') return 'goal';
      states.push(stateWith(step.control, places, step.place));
    }
    return states;
  };
  const next = ({ control, places }: AttackState): readonly AttackState[] | 'goal' => {
    const states = [];
    if (control.phase === 'delaying') states.push(after(steps.ofAttacker(control), places));
    for (const [i, place] of places.entries())
      states.push(after(steps.ofPlace(control, place), places.toSpliced(i, 1)));
    return states.includes('goal') ? 'goal' : (states.flat() as AttackState[]);
  };
  try {
    let starts: readonly AttackState[] = [
      { control: { phase: 'before', memory: new Map() }, places: [] },
    ];
    for (const code of steps.codeOf)
      starts = starts.flatMap(({ control, places }) =>
        steps.starts(code).map((place) => stateWith(control, places, place)),
      );
    const found = explore(
      starts,
      ({ control, places }) => `${controlName(control)}|${places.map(placeName).join(';')}`,
      next,
      budget,
    );
    if (found === 'goal') return { kind: 'not-robust' };
    const reason = found === 'done' ? whySeveralMayDelay(automata, budget) : found.exhausted;
    return reason === undefined ? { kind: 'robust', faults } : { kind: 'unknown', reason };
  } catch (error) {
    if (error instanceof Endless) return { kind: 'unknown', reason: error.message };
    throw error;
  }
}
