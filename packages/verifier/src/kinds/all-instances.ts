import type { Automata } from '../automata.js';
import { type Budget, Endless } from '../budget.js';
import type { CertificateBody } from '../check.js';
import { claimOf, robustIn } from '../claim.js';
import { Met } from '../code.js';
import { copiesCover, copiesInvariantReader, type WrittenElement } from '../copies/invariant.js';
import { AttackSteps } from '../attack/steps.js';
import { inVain, whyNotInductive } from '../inductive.js';
import type { HappensBefore } from '../happens-before.js';
import { readsSelf } from '../liveness.js';
import { supposedOfFaults } from '../may-fault.js';
import { openAttacks, uses } from '../control-flow.js';
import { readAbstraction } from '../read-abstractions.js';
import { type KindReport, rejected, reportOf } from '../report.js';
import { boundlessArray } from '../scope.js';
import { literal, record } from '../shape.js';

const readBody = record({
  happensBefore: literal('standard', 'value'),
  invariant: copiesInvariantReader,
});

/**
 * Returns the reason why the program is outside the scope of searches of all instances; `undefined`
 * if inside.
 */
function refusal(automata: Automata, happensBefore: HappensBefore): string | undefined {
  const { threads } = automata;
  const refused = readAbstraction(automata, happensBefore) ?? boundlessArray(automata);
  if (refused !== undefined) return refused;
  const own = threads.find((one) => one.unbounded && uses({ threads: [one] }, readsSelf));
  return own && `the copies of '${own.name}' are told apart by self`;
}

/**
 * Judges whether the invariant shows that all instances are robust ([BDM13] Theorem 4): no attack
 * on any number of threads gets from the start to the end of its happens-before path. The invariant
 * may be empty if control flow alone refutes all attacks.
 */
export function judgeInvariant(
  automata: Automata,
  happensBefore: HappensBefore,
  invariant: readonly WrittenElement[],
  budget: Budget,
): KindReport {
  const refused = refusal(automata, happensBefore);
  if (refused !== undefined)
    return rejected(`the certificate does not apply to this program: ${refused}`);
  const cycles = happensBefore === 'standard' ? '' : ' under value happens-before';
  const robust = `every instance is robust against TSO${cycles}`;
  const claim = claimOf(robustIn(happensBefore));
  if (automata.threads.every((thread) => openAttacks(thread).size === 0))
    return reportOf(claim, {
      proved: [`${robust}: no thread can delay a store past a load`],
      assumes: supposedOfFaults(automata),
    });
  try {
    const steps = new AttackSteps(automata, happensBefore);
    const finding = whyNotInductive(copiesCover(automata, steps, invariant), budget);
    if (finding) return inVain(finding);
    // All instructions but assertions were executed, with all values possible there.
    const assumes = supposedOfFaults(automata, ({ kind }) => kind === 'assert');
    return reportOf(claim, { proved: [robust], assumes });
  } catch (error) {
    if (error instanceof Met)
      return rejected(`${error.message}: the invariant does not cover faults`);
    if (error instanceof Endless) return { kind: 'unknown', reason: error.message };
    throw error;
  }
}

/** Checks certificates that all instances of a program with any number of threads are robust. */
export function checkAllInstances(
  automata: Automata,
  body: CertificateBody,
  budget: Budget,
): KindReport {
  const { happensBefore, invariant } = readBody(body, 'certificate');
  return judgeInvariant(automata, happensBefore, invariant, budget);
}
