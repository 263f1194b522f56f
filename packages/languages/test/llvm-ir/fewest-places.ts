import { check } from '../../../core/src/api/check.js';
import { applyRepair } from '@fencewright/repairs/fences/apply-repair.js';
import { attackerPath } from '@fencewright/repairs/fences/witness-path.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Repair } from '@fencewright/model/program/repair.js';

/** Returns the place in C of a fence at a location; `undefined` if no fence can be there. */
function placeOf({ threads }: Program, thread: ThreadId, location: LocationId): string | undefined {
  const leaving = threads[thread]!.transitions.filter(({ from }) => from === location);
  if (leaving.some(({ nofence }) => nofence)) return undefined;
  const access = leaving.find(({ instruction }) => 'address' in instruction);
  const start = access?.origin.span?.start;
  return start && `${start.line}:${start.column}`;
}

/**
 * Returns the least number of places in the C text at which fences make the program robust, by
 * trying sets of places that stop each witness. A place counts once, however often it is inlined
 * and in however many threads.
 */
export async function fewestPlaces(program: Program): Promise<number> {
  const places = new Map<string, Repair[]>();
  program.threads.forEach(({ locations }, thread) => {
    locations.forEach((_, location) => {
      const place = placeOf(program, thread, location);
      const repair: Repair = { kind: 'fence', thread, location };
      if (place !== undefined) places.set(place, [...(places.get(place) ?? []), repair]);
    });
  });
  const clauses: (readonly string[])[] = [];
  const hit = (most: number, chosen: readonly string[]): readonly string[] | undefined => {
    const open = clauses.find((clause) => !clause.some((place) => chosen.includes(place)));
    if (!open) return chosen;
    if (chosen.length === most) return undefined;
    for (const place of open) {
      const found = hit(most, [...chosen, place]);
      if (found) return found;
    }
    return undefined;
  };
  for (;;) {
    let chosen: readonly string[] | undefined;
    for (let most = 0; !chosen; most++) {
      if (most > 6) throw new Error('no fences help');
      chosen = hit(most, []);
    }
    const repaired = applyRepair(
      program,
      chosen.flatMap((place) => places.get(place)!),
    );
    const { verdict } = await check(repaired, { engine: 'search' });
    if (verdict.kind === 'robust') return chosen.length;
    if (verdict.kind !== 'not-robust') throw new Error(verdict.kind);
    const { witness } = verdict;
    const passed = attackerPath(repaired, witness).locations.flatMap(
      (location) => placeOf(repaired, witness.attack.thread, location) ?? [],
    );
    clauses.push([...new Set(passed)]);
  }
}
