import { Endless } from '../../src/budget.js';
import { Met } from '../../src/code.js';
import { AttackSteps } from '../../src/attack/steps.js';
import { readAutomata } from '../../src/read-automata.js';
import { ShapeError } from '../../src/shape.js';
import { blindClosure } from '../copies/blind-closure.js';
import { jsonOf } from './json.js';
import type { Operation } from './operations.js';

/** Returns the change, restricted to programs with enumerable states. */
function ifClosed(change: Operation): Operation {
  return (material) => {
    try {
      return change(material);
    } catch (error) {
      if (error instanceof Met || error instanceof Endless || error instanceof ShapeError)
        return false;
      throw error;
    }
  };
}

/**
 * Forges invariants as a forger who knows the verifier's steps would: the invariants are closed
 * under these steps by construction, so only the basis of the certificate is wrong.
 */
export const closedInvariants: Readonly<Record<string, Operation>> = {
  'an invariant of all instances is closed, ends of attacks left out': ifClosed(({ draft }) => {
    if (draft.kind !== 'all-instances') return false;
    const { happensBefore } = draft;
    if (happensBefore !== 'standard' && happensBefore !== 'value') return false;
    const invariant = blindClosure(
      new AttackSteps(readAutomata(draft.automata, ''), happensBefore),
    );
    if (!invariant) return false;
    draft.invariant = jsonOf({ invariant }).invariant!;
    return true;
  }),
};
