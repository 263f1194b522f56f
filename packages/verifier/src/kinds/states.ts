import type { Automata } from '../automata.js';
import type { Budget } from '../budget.js';
import type { CertificateBody } from '../check.js';
import { claimOf } from '../claim.js';
import { inVain, whyNotInductive } from '../inductive.js';
import { BadStates } from '../load-buffers/bad-states.js';
import { before } from '../load-buffers/before.js';
import { type Cone, Cones, isNormal, readCone } from '../load-buffers/cone.js';
import { registersSeen, startOf } from '../load-buffers/start.js';
import { threadGraphs } from '../load-buffers/thread-graphs.js';
import { supposedOfFaults } from '../may-fault.js';
import { claimedOf, type StateGoal, goalsInWords, propertiesNamed } from '../properties.js';
import { type KindReport, rejected, reportOf } from '../report.js';
import { distinct, list, literal, type Read, record, text } from '../shape.js';
import { countOf } from '../words.js';

const readBody = record({
  /** The names of the properties that the certificate proves. */
  properties: distinct(text),
  assertions: literal(true, false),
  /**
   * Sets of configurations (cones) entered by no execution; together, the cones contain all
   * configurations that violate a property.
   */
  cones: list(readCone),
});
type Written = Read<typeof readBody>;

/** Describes an error in the form of a cone; `undefined` if there is none. */
function flawOf({ threads }: Automata, cone: Cone): string | undefined {
  const { places, words, stored, lock, frozen } = cone;
  if ([places, words, stored].some(({ length }) => length !== threads.length))
    return 'a member does not cover all threads';
  if (places.some((place, t) => place && place.registers.length !== threads[t]!.registers.length))
    return 'a place does not list all registers';
  if (lock !== null && lock >= threads.length) return 'the holder of the bus lock is not a thread';
  if (!frozen && stored.some((one) => one !== null))
    return 'stored values are given although memory is not frozen';
  if (!words.every(isNormal)) return 'a buffer is not in normal form';
  return undefined;
}

function violationOf(goal: StateGoal): string {
  return goal.kind === 'assertions' ? 'an assertion fails' : `'${goal.property.name}' is violated`;
}

function judge(
  automata: Automata,
  { cones: written }: Written,
  goals: readonly StateGoal[],
  budget: Budget,
): KindReport {
  const graphs = threadGraphs(automata, registersSeen(automata, goals), budget);
  if (!graphs) return { kind: 'unknown', reason: budget.spend()! };
  const cones = new Cones(written);
  const bad = new BadStates(automata, graphs, cones, budget);
  const finding = whyNotInductive<Cone, readonly [number, Cone]>(
    {
      // This cover follows steps backwards. It starts from the violations, and must not contain the
      // initial configuration.
      starts: function* () {
        if (cones.contain(startOf(automata, graphs, written)))
          yield { bad: 'a cone contains the initial configuration' };
        for (const goal of goals)
          if (bad.outside(goal) !== undefined)
            yield { bad: `${violationOf(goal)} outside of the cones` };
      },
      parts: written.entries(),
      contains: (cone) => cones.contain(cone),
      after: ([i, cone]) =>
        before(cone, graphs).map((state) => ({
          state,
          otherwise: `a step leads into cone ${i + 1} from outside`,
        })),
    },
    budget,
  );
  if (finding) return inVain(finding);
  return reportOf(claimOf('properties', claimedOf(goals)), {
    proved: [
      `under TSO, with store buffers of any length: ${goalsInWords(goals)}`,
      `all violations are in ${countOf(written.length, 'cone')} of configurations, which no execution enters`,
    ],
    // Only assertions may fault unseen: the graphs of the threads execute all other instructions,
    // with all possible values.
    assumes: supposedOfFaults(automata, ({ kind }) => kind === 'assert'),
  });
}

/**
 * Checks certificates that `never` and `finally` properties hold under TSO, that no state satisfies
 * the condition of an `exists`, and that no assertion fails. The certificate is a set of
 * configurations of the machine with load buffers that contains all violations but not the start,
 * and that no step enters.
 */
export function checkStates(automata: Automata, body: CertificateBody, budget: Budget): KindReport {
  const written = readBody(body, 'certificate');
  const properties = propertiesNamed(automata, written.properties);
  const goals = (properties ?? [])
    .map((property): StateGoal => ({ kind: 'property', property }))
    .concat(written.assertions ? [{ kind: 'assertions' }] : []);
  if (!properties || goals.length === 0)
    return rejected(
      'the certificate names no properties, or properties that the program does not have',
    );
  for (const [i, cone] of written.cones.entries()) {
    const flaw = flawOf(automata, cone);
    if (flaw !== undefined) return rejected(`cone ${i + 1}: ${flaw}`);
  }
  return judge(automata, written, goals, budget);
}
