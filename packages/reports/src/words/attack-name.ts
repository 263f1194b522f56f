import { accessPlaces } from '@fencewright/model/program/access-places.js';
import type { TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { threadName } from './action-words.js';

/**
 * Returns the name of an attack, `thread:store:load`: store and load by line, or by label if the
 * label is less ambiguous. A name covers all attacks at its places.
 */
export function attackName(program: Program, { thread, store, load }: Attack): string {
  const place = (kind: 'store' | 'load', transition: TransitionId): string => {
    const own = [...accessPlaces(program, thread, kind)].filter(([, ids]) =>
      ids.includes(transition),
    );
    const isLine = (name: string): number => (/^\d+$/.test(name) ? 0 : 1);
    own.sort(([a, among], [b, others]) => among.length - others.length || isLine(a) - isLine(b));
    return own[0]?.[0] ?? String(transition);
  };
  return `${threadName(program, thread)}:${place('store', store)}:${place('load', load)}`;
}
