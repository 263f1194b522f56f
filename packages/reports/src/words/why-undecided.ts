import { reasonInWords } from './reason-in-words.js';
import type { UnknownReason, Verdict } from '@fencewright/model/verdict/verdict.js';

const ends: Readonly<Record<UnknownReason, string>> = {
  states: 'the limit on states was reached',
  work: 'the limit on work was reached',
  memory: 'the limit on memory was reached',
  time: 'the time limit was reached',
  cancelled: 'the run was interrupted',
  unsupported: 'the program has a step that this engine cannot follow',
  undecided: 'neither an invariant nor a run was found',
  'several-delays': reasonInWords['several-delays'],
  effort: 'the limit on the work of the solver was reached',
};

/**
 * Returns the reason why robustness is not known, and how much of the question is open, to follow a
 * colon.
 */
export function whyUndecided({
  reason,
  open,
}: Extract<Verdict, { readonly kind: 'unknown' }>): string {
  if (!open) return ends[reason];
  const { attacks, infeasible } = open;
  const left = `${attacks} attack${attacks === 1 ? ' is' : 's are'} open`;
  const decided = infeasible > 0 ? `, ${infeasible} were found infeasible` : '';
  return `${ends[reason]}: ${left}${decided}`;
}
