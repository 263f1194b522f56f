import { commitSteps } from '../words/commit-steps.js';
import { attackActions } from '../text/attack-in-words.js';
import type { ShownExecution } from '../words/shown-execution.js';

/** Fewer steps than this are shown as they are. */
const fewest = 6;

/**
 * How many steps an execution begins with that only lead to where the attack begins: they are
 * neither on the cycle nor the delayed store, nor anything behind these. 0 where that is hardly
 * any.
 */
export function setUpSteps(execution: ShownExecution): number {
  const { computation, cycle, attack } = execution;
  if (!attack) return 0;
  const store = attackActions({ ...execution, attack })?.store;
  const issueOf = new Map([...commitSteps(computation)].map(([issue, commit]) => [commit, issue]));
  const onCycle = new Set(cycle.flatMap(({ from, to }) => [from, to]));
  const begins = computation.findIndex(
    (action, step) => action === store || onCycle.has(issueOf.get(step) ?? step),
  );
  return begins < fewest ? 0 : begins;
}
