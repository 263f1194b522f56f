import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId, TransitionId } from './ids.js';
import type { Program } from './program.js';

/** Returns the stores or the loads of a thread, by label and by line (from 1 on). */
export function accessPlaces(
  program: Program,
  thread: ThreadId,
  kind: 'store' | 'load',
): ReadonlyMap<string, readonly TransitionId[]> {
  const places = new Map<string, TransitionId[]>();
  const add = (place: string, transition: TransitionId): void => {
    places.set(place, [...(places.get(place) ?? []), transition]);
  };
  const { transitions = [], locations = [] } = program.threads[thread] ?? {};
  const names = new Set(locations.map(({ name }) => name));
  transitions.forEach(({ from, instruction, origin }, id) => {
    if (instruction.kind !== kind) return;
    add(at(locations, from).name, id);
    const line = origin.span && String(origin.span.start.line + 1);
    if (line !== undefined && !names.has(line)) add(line, id);
  });
  return places;
}
