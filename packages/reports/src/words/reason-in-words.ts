import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';

/** By reason why a search ended without an answer, words that can follow a colon. */
export const reasonInWords: Readonly<Record<UnknownReason, string>> = {
  states: 'the limit on states was reached',
  work: 'the limit on work was reached',
  memory: 'the limit on memory was reached',
  time: 'the time ran out',
  cancelled: 'the run was cancelled',
  unsupported: 'this engine cannot decide this program',
  undecided: 'neither an invariant nor a run was found',
  'several-delays':
    "no single thread's delays break the program; delays of several might, as heavy fences do not act at one moment",
  effort: 'the limit on the work of the solver was reached',
};
