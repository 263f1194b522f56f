import type { Expression, Thread } from '../automata.js';
import { type Arc, isLocal } from './acts.js';
import { Flaw } from '../report.js';

/**
 * A thread of the program to be proved, with its steps from place to place (locations at which
 * invariants hold).
 */
export interface Stepper {
  readonly thread: Thread;
  readonly arcs: readonly Arc[];
  /**
   * By location: whether a thread at the location holds the bus lock. Locations that control flow
   * does not reach have no entry.
   */
  readonly isLocked: ReadonlyMap<number, boolean>;
  /**
   * The locations at which invariants hold (places); every place is reachable, with the lock free.
   */
  readonly places: ReadonlySet<number>;
  /**
   * The steps of the thread from place to place: an access followed by local acts, a lock block, or
   * local acts only.
   */
  readonly steps: readonly (readonly Arc[])[];
  /**
   * Lists of conditions. For all values of the registers, at least one condition of each list must
   * hold; otherwise the thread might wait between places.
   */
  readonly alternatives: readonly (readonly Expression[])[];
}

const mostSteps = 10_000;

/**
 * Divides a thread into steps between its places. A local act can be executed at once on arrival,
 * as no other thread notices. So a thread between two places counts as standing at the second
 * place, if the thread cannot wait or loop for ever in between. Throws `Flaw` if the thread might.
 */
export function cut(thread: Thread, all: readonly Arc[], claimed: readonly number[]): Stepper {
  const isLocked = locksOf(thread, all);
  const arcs = all.filter(
    ({ from, act }) => isLocked.has(from) && act.kind !== (isLocked.get(from) ? 'lock' : 'unlock'),
  );
  const places = new Set(claimed.filter((place) => isLocked.has(place)));
  const at = (location: number): string => `${thread.name} at ${nameOf(thread, location)}`;
  if (!places.has(thread.initial))
    throw new Flaw(`${at(thread.initial)}: the initial location is not a place`);
  const leaving = new Map<number, Arc[]>();
  for (const arc of arcs) leaving.set(arc.from, [...(leaving.get(arc.from) ?? []), arc]);
  const alternatives: (readonly Expression[])[] = [];
  for (const [location, locked] of isLocked) {
    const out = leaving.get(location) ?? [];
    if (locked && places.has(location)) throw new Flaw(`${at(location)}: a place in a lock block`);
    if (locked || places.has(location)) continue;
    if (!out.every(({ act }) => isLocal(act)))
      throw new Flaw(`${at(location)}: an access starts away from a place`);
    if (out.some(({ act }) => alwaysGoesOn(act))) continue;
    alternatives.push(out.flatMap(({ act }) => (act.kind === 'test' ? [act.condition] : [])));
  }
  const steps: (readonly Arc[])[] = [];
  const walk = (path: readonly Arc[]): void => {
    const { to } = path.at(-1)!;
    if (places.has(to)) {
      steps.push(path);
      if (steps.length > mostSteps) throw new Flaw(`${thread.name} has too many paths`);
      return;
    }
    if (path.some(({ from }, i) => i > 0 && from === to))
      throw new Flaw(`${at(to)}: a loop passes no place`);
    for (const arc of leaving.get(to) ?? []) walk([...path, arc]);
  };
  for (const place of places) for (const arc of leaving.get(place) ?? []) walk([arc]);
  return { thread, arcs, isLocked, places, steps, alternatives };
}

export function nameOf({ locations }: Thread, location: number): string {
  return `${locations[location]?.name ?? ''} (location ${location})`;
}

function alwaysGoesOn(act: Arc['act']): boolean {
  if (act.kind === 'test') return false;
  if (act.kind !== 'choose') return true;
  return !act.where && (!act.range || act.range.low <= act.range.high);
}

/**
 * Returns the locations reached by control flow, each with whether the thread then holds the bus
 * lock. A second `lock`, and an `unlock` without the lock, wait for ever.
 */
function locksOf(thread: Thread, arcs: readonly Arc[]): ReadonlyMap<number, boolean> {
  const found = new Map([[thread.initial, false]]);
  // The loop also visits entries added meanwhile.
  for (const [location, locked] of found)
    for (const { from, to, act } of arcs) {
      if (from !== location || act.kind === (locked ? 'lock' : 'unlock')) continue;
      const next = act.kind === 'lock' || (locked && act.kind !== 'unlock');
      if ((found.get(to) ?? next) !== next)
        throw new Flaw(`${thread.name} gets to ${nameOf(thread, to)} with the lock and without`);
      found.set(to, next);
    }
  return found;
}

/**
 * Returns the part of a step before its trailing local acts: up to the last access, or to the end
 * of the lock block.
 */
export function coreOf(step: readonly Arc[]): readonly Arc[] {
  return step.slice(0, step.findLastIndex(({ act }) => !isLocal(act)) + 1);
}
