import type { LocationId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';

/** The attacker's execution in a witness, between the first delayed store and the last load. */
interface AttackerPath {
  /**
   * The locations that the attacker passes, from the target of the store to the source of the load,
   * in order of first visit: a fence at any of them stops this witness.
   */
  readonly locations: readonly LocationId[];
  /** The instructions executed by the attacker, from the store to the load, inclusive. */
  readonly transitions: readonly TransitionId[];
}

/** Returns the attacker's path in a witness, from the first delayed store to the last load. */
export function attackerPath(program: Program, { attack, computation }: Witness): AttackerPath {
  const thread = program.threads[attack.thread];
  const own = computation.filter((action) => action.thread === attack.thread);
  const last = own.findLastIndex(({ kind }) => kind !== 'store');
  // Stores leave the buffer in order of issue: the delayed stores are the ones issued last.
  const delayed = own.slice(last + 1).length;
  const issues = own.flatMap(({ kind }, at) => (kind === 'issue' ? [at] : []));
  const first = issues[issues.length - delayed] ?? last;
  const executed = own.slice(first, last + 1).filter(({ kind }) => kind !== 'store');
  const transitions = executed.map(({ transition }) => transition);
  const locations = transitions.slice(1).flatMap((id) => thread?.transitions[id]?.from ?? []);
  return { locations: [...new Set(locations)], transitions };
}
