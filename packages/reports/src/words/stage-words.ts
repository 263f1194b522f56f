import type { AttackStage } from '@fencewright/model/verdict/attack.js';

/** What settled attacks, to stand behind `by` and a number; `the` where that belongs to it. */
export const stageWords: Readonly<Record<AttackStage, string>> = {
  'control-flow': 'the control flow',
  'static-path': 'the static path',
  'local-closure': 'local closure',
  'pair-closure': 'pairs',
  'few-threads': 'few threads',
  search: 'search',
  'any-number': 'what is true of any number of copies',
  proof: 'a proof',
};
