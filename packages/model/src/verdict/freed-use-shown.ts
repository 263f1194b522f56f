import type { FreedUse, RaceFindings } from './data-race.js';
import { isWorseThanDeadlock, type StateAnswer } from './state-answer.js';

/**
 * Returns the use of freed memory whose execution a report shows: the first that was found, unless
 * a claim fails or a thread waits for ever; `undefined` if there is none.
 */
export function freedUseShown({
  answer,
  races,
}: {
  readonly answer?: StateAnswer | undefined;
  readonly races?: RaceFindings | undefined;
}): FreedUse | undefined {
  return answer && isWorseThanDeadlock(answer) ? undefined : races?.freedUses[0];
}
