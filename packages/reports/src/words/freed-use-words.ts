import type { Program } from '@fencewright/model/program/program.js';
import type { FreedUse, RacingAccess } from '@fencewright/model/verdict/data-race.js';
import { findTransition, placeInWords, threadName } from './action-words.js';

function placed(program: Program, { thread, transition }: RacingAccess): string {
  const place = placeInWords(program, thread, transition);
  return place === undefined ? '' : ` at ${place.replace(/, (called at .*)$/, ' ($1)')}`;
}

/**
 * Returns a use of freed memory as a clause: `reader accesses the block at line 14 after writer has
 * freed it at line 24`.
 */
export function freedUseInWords(program: Program, { use, free }: FreedUse): string {
  const found = findTransition(program, use.thread, use.transition);
  const [user, freer] = [use, free].map(({ thread }) => threadName(program, thread));
  const done = found?.transition.origin.block === 'freed' ? 'frees' : 'accesses';
  return `${user} ${done} a block${placed(program, use)} after ${freer} has freed the block${placed(program, free)}`;
}
