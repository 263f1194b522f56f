import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { accessPlaces } from '@fencewright/model/program/access-places.js';
import type { Program } from '@fencewright/model/program/program.js';
import { enumerateAttacks } from '@fencewright/engines/robustness/attacks.js';
import { attacksToDecide } from '@fencewright/reference/instrument/instrument.js';
import {
  attackRuledOut,
  malformedAttack,
  unknownAttackPart,
  type Diagnostic,
} from '@fencewright/ground/source/diagnostic.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';

/**
 * The attacks that a name means, and the diagnostics about the name. `attacks` is empty iff a
 * diagnostic is an error.
 */
export interface NamedAttacks {
  readonly attacks: readonly Attack[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns the places for an error message to suggest: labels written by the user, or, if there are
 * none, line numbers.
 */
function choices(
  program: Program,
  thread: ThreadId,
  places: ReturnType<typeof accessPlaces>,
): readonly string[] {
  const locations = program.threads[thread]?.locations ?? [];
  const written = locations.flatMap(({ name, hidden }) =>
    !hidden && places.has(name) ? [name] : [],
  );
  return written.length > 0 ? written : [...places.keys()].filter((place) => /^\d/.test(place));
}

/**
 * Returns the attacks named by `thread:store:load`, with store and load given by label or line, or,
 * for `any`, all attacks not excluded by control flow. Several instructions at one place give
 * several attacks.
 */
export function attacksByName(program: Program, name: string): NamedAttacks {
  const all = enumerateAttacks(program);
  if (name === 'any') {
    const attacks = attacksToDecide(program, all);
    return attacks.length > 0
      ? { attacks, diagnostics: [] }
      : {
          attacks: [],
          diagnostics: [malformedAttack(name, 'control flow rules out every attack')],
        };
  }
  const [threadName, store, load, ...more] = name.split(':');
  if (threadName === undefined || store === undefined || load === undefined || more.length > 0) {
    const problem = 'the form is thread:store:load';
    return { attacks: [], diagnostics: [malformedAttack(name, problem)] };
  }
  const thread = program.threads.findIndex((candidate) => candidate.name === threadName);
  if (thread < 0) {
    const names = program.threads.map((candidate) => candidate.name);
    return { attacks: [], diagnostics: [unknownAttackPart('thread', threadName, names)] };
  }
  const diagnostics: Diagnostic[] = [];
  const find = (kind: 'store' | 'load', place: string): readonly TransitionId[] => {
    const places = accessPlaces(program, thread, kind);
    const found = places.get(place);
    if (!found)
      diagnostics.push(
        unknownAttackPart(kind, place, choices(program, thread, places), threadName),
      );
    return found ?? [];
  };
  const stores = find('store', store);
  const loads = find('load', load);
  const attacks = all.filter(
    (attack) =>
      attack.thread === thread && stores.includes(attack.store) && loads.includes(attack.load),
  );
  if (attacks.length > 0 && attacksToDecide(program, attacks).length === 0)
    diagnostics.push(attackRuledOut(name));
  return { attacks, diagnostics };
}
