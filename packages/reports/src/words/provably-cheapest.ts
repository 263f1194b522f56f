import { countOf } from '@fencewright/ground/base/number-words.js';

/**
 * Returns why no cheaper choice is enough: `2 executions rule out less`, given the number of
 * executions each of which some part of a sufficient choice prevents.
 */
export function provenBy(executions: number): string {
  return `${countOf(executions, 'execution')} ${executions === 1 ? 'rules' : 'rule'} out less`;
}
