import type { FaultKind } from '@fencewright/model/program/evaluate.js';
import type { EventReachResult } from '@fencewright/model/verdict/event-reach-result.js';
import type { ReachOutcome } from './reach-outcome.js';

/**
 * The kinds of faults that are mistakes of the program; all other faults are limits of the tool.
 */
const programFaults: readonly FaultKind[] = ['division-by-zero', 'domain', 'index'];

/**
 * Returns whether final states, properties or failing assertions differ between several threads and
 * a single thread. If the question was about one semantics only, returns whether its result is
 * known.
 */
export function eventReachOutcome(result: EventReachResult): ReachOutcome {
  const { single, sc, tso, isWithinSingle } = result;
  const asked = [single, sc, tso].filter(({ incomplete }) => incomplete !== 'not-asked');
  const faults = asked.flatMap((side) => side.faults);
  if (faults.some(({ fault }) => programFaults.includes(fault))) return 'error';
  const isComplete = asked.every(
    ({ incomplete, bounds }) => incomplete === undefined && bounds.length === 0,
  );
  if (single.incomplete === 'not-asked' || asked.length === 1)
    return isComplete ? 'same' : 'unknown';
  const several = (['sc', 'tso'] as const).filter(
    (side) => result[side].incomplete !== 'not-asked',
  );
  if (several.some((side) => isWithinSingle[side] === 'no')) return 'different';
  const differs = several.some((side) =>
    result[side].properties.some(({ verdict }, i) => {
      const alone = single.properties[i]?.verdict ?? 'unknown';
      return verdict !== 'unknown' && alone !== 'unknown' && verdict !== alone;
    }),
  );
  const fails = single.failedAssertions.length === 0 && single.incomplete === undefined;
  if (differs || (fails && several.some((side) => result[side].failedAssertions.length > 0)))
    return 'different';
  return isComplete && several.every((side) => isWithinSingle[side] === 'yes') ? 'same' : 'unknown';
}
