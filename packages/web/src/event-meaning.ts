import { sentence, type EventCheckResult } from '@fencewright/core';
import { criterionMeanings, criterionNames, decisive } from '@fencewright/core/event-verdict';

/**
 * Returns the meaning of a verdict about a program of events, or the reason for a missing verdict.
 */
export function eventMeaning(result: EventCheckResult, why: string): string {
  const criterion = decisive(result);
  const { kind } = result.criteria[criterion];
  switch (kind) {
    case 'robust':
    case 'not-robust': {
      const not = kind === 'robust' ? '' : 'not ';
      return sentence(`${not}${criterionNames[criterion]}: ${criterionMeanings[criterion][kind]}`);
    }
    case 'error':
      return 'An execution of the program ends in a fault.';
    case 'unknown':
    case 'not-asked':
      return sentence(`undecided: ${why}`);
  }
}
