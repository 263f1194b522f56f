import { at } from '@fencewright/ground/base/at.js';
import type {
  BodyId,
  EventInstruction,
  EventProgram,
} from '@fencewright/model/program/event-program.js';
import type { TransitionId } from '@fencewright/model/program/ids.js';
import {
  malformedEventAttack,
  unknownEventAttackPart,
  type Diagnostic,
} from '@fencewright/ground/source/diagnostic.js';
import type { Site } from '@fencewright/model/trace/event-run.js';
import type { EventAttack } from '@fencewright/model/verdict/event-check-result.js';

/** The attacks with a given name; none if there is a diagnostic. */
interface NamedEventAttacks {
  readonly isMeant: (attack: EventAttack) => boolean;
  readonly diagnostics: readonly Diagnostic[];
}

type Kind = EventInstruction['kind'];

/**
 * Returns the attacks named by `task:store:end`: the procedure or event with the store, the label
 * or line of the store in the procedure, and the label or line of the overtaking load or posting.
 * On the main thread the overtaking instruction may stand in another text, and is then named by
 * line.
 */
export function eventAttacksByName(program: EventProgram, name: string): NamedEventAttacks {
  const { bodies } = program;
  const none = (diagnostic: Diagnostic): NamedEventAttacks => ({
    isMeant: () => false,
    diagnostics: [diagnostic],
  });
  const [task, store, end, ...more] = name.split(':');
  if (task === undefined || store === undefined || end === undefined || more.length > 0)
    return none(malformedEventAttack(name));
  const body = bodies.findIndex((each) => each.name === task);
  if (body < 0)
    return none(
      unknownEventAttackPart(
        'procedure or event',
        task,
        bodies.map((each) => each.name),
      ),
    );
  const stores = placesAt(program, body, store, ['store']);
  if (stores.length === 0)
    return none(unknownEventAttackPart('store', store, linesOf(program, [body], ['store']), task));
  const ends = placesAt(program, body, end, ['load', 'post']);
  const everywhere = [...bodies.keys()];
  const elsewhere = everywhere.flatMap((other) =>
    sitesOf(program, other, ['load', 'post']).filter((site) => lineOf(program, site) === end),
  );
  const all = ends.length > 0 ? ends : elsewhere;
  if (all.length === 0)
    return none(
      unknownEventAttackPart(
        'load or posting',
        end,
        linesOf(program, everywhere, ['load', 'post']),
      ),
    );
  return {
    isMeant: (attack) => isAmong(attack.store, stores) && isAmong(attack.end.site, all),
    diagnostics: [],
  };
}

function isAmong({ body, transition }: Site, sites: readonly Site[]): boolean {
  return sites.some((site) => site.body === body && site.transition === transition);
}

function sitesOf({ bodies }: EventProgram, body: BodyId, kinds: readonly Kind[]): readonly Site[] {
  return at(bodies, body).transitions.flatMap(({ instruction }, transition: TransitionId) =>
    kinds.includes(instruction.kind) ? [{ body, transition }] : [],
  );
}

/**
 * Returns the line number of an instruction as text, counted from 1; `undefined` if the program has
 * no text.
 */
function lineOf({ bodies }: EventProgram, { body, transition }: Site): string | undefined {
  const { span } = at(at(bodies, body).transitions, transition).origin;
  return span && String(span.start.line + 1);
}

/**
 * Returns the instructions of the kinds in a body at the label `place`, or, if there is no such
 * label, at the line `place`.
 */
function placesAt(
  program: EventProgram,
  body: BodyId,
  place: string,
  kinds: readonly Kind[],
): readonly Site[] {
  const { locations, transitions } = at(program.bodies, body);
  const isLabel = locations.some(({ name }) => name === place);
  return sitesOf(program, body, kinds).filter((site) =>
    isLabel
      ? at(locations, at(transitions, site.transition).from).name === place
      : lineOf(program, site) === place,
  );
}

function linesOf(
  program: EventProgram,
  bodies: readonly BodyId[],
  kinds: readonly Kind[],
): readonly string[] {
  const lines = bodies.flatMap((body) =>
    sitesOf(program, body, kinds).flatMap((site) => lineOf(program, site) ?? []),
  );
  return [...new Set(lines)];
}
