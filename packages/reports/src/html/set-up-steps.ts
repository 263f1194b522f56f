import { at } from '@fencewright/ground/base/at.js';
import type { Program } from '@fencewright/model/program/program.js';
import { commitSteps } from '../words/commit-steps.js';
import { attackActions } from '../text/attack-in-words.js';
import { stepNumbers } from '../words/step-numbers.js';
import type { ShownExecution } from '../words/shown-execution.js';

/** The minimum number of steps before the attack that a page hides until the reader opens them. */
const fewest = 6;

/**
 * Returns the number of told steps at the beginning of an execution that come before the attack:
 * before the delayed store and before the first access on the cycle. 0 if they are too few to be
 * hidden.
 */
export function setUpSteps(program: Program, execution: ShownExecution): number {
  const { computation, cycle, attack } = execution;
  if (!attack) return 0;
  const store = attackActions({ ...execution, attack })?.store;
  const issueOf = new Map([...commitSteps(computation)].map(([issue, commit]) => [commit, issue]));
  const onCycle = new Set(cycle.flatMap(({ from, to }) => [from, to]));
  const begins = computation.findIndex(
    (action, step) => action === store || onCycle.has(issueOf.get(step) ?? step),
  );
  const before = begins < 0 ? 0 : at(stepNumbers(program, computation), begins) - 1;
  return before < fewest ? 0 : before;
}
