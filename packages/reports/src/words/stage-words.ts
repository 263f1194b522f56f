import type { AttackStage } from '@fencewright/model/verdict/attack.js';

/**
 * By method that decides attacks, its name, to follow `by`, with `the` if the name needs an
 * article.
 */
export const stageWords: Readonly<Record<AttackStage, string>> = {
  'control-flow': 'the control flow',
  'static-path': 'the static path',
  'local-closure': 'local closure',
  'pair-closure': 'pairs',
  'few-threads': 'few threads',
  directed: 'directed search',
  search: 'search',
  'any-number': 'an argument for any number of copies',
  proof: 'a proof',
};
