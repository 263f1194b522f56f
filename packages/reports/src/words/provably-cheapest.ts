import { countOf } from '@fencewright/ground/base/number-words.js';

/**
 * Returns the reason why no cheaper choice is enough: `2 executions rule out less`. `executions` is
 * the number of executions in the proof: every sufficient choice has a part that prevents the
 * execution.
 */
export function provenBy(executions: number): string {
  return `${countOf(executions, 'execution')} ${executions === 1 ? 'rules' : 'rule'} out less`;
}
