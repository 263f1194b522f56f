import type { ThreadId } from '@fencewright/model/program/ids.js';
import { isAcquiring, isReleasing } from './futures.js';
import type { MonitoredAccess } from './monitor-access.js';
import type { MonitorLayout } from './monitor-layout.js';

/**
 * The maximum number of threads in a search for data races, since a set of unknown accesses is a
 * 32-bit word.
 */
export const maxRacingThreads = 15;

type MonitorWords = Int32Array;
type Races = NonNullable<MonitorLayout['races']>;

function meet(state: MonitorWords, length: number, into: number, from: number): void {
  for (let i = 0; i < length; i++) state[into + i]! &= state[from + i]!;
}

/**
 * Returns the bit by which a set of unknown accesses represents the last load or store by a thread.
 */
function bitOf(layout: MonitorLayout, kind: 'load' | 'store', thread: ThreadId): number {
  return 1 << ((kind === 'store' ? layout.threads : 0) + thread);
}

/**
 * Returns a thread whose last conflicting access of a plain cell does not happen before the access;
 * `undefined` if every conflicting access happens before.
 */
export function racingThread(
  state: MonitorWords,
  layout: MonitorLayout,
  { thread, cell, kind, order }: Pick<MonitoredAccess, 'thread' | 'cell' | 'kind' | 'order'>,
): ThreadId | undefined {
  const { races, plain } = layout;
  const place = 2 * plain.indexOf(cell);
  if (!races || place < 0) return undefined;
  const acquires = kind !== 'write' && isAcquiring(order);
  const unknownAt = (word: number): number =>
    state[races.current[thread]! + word]! & (acquires ? state[races.message[cell]! + word]! : -1);
  // Two atomic accesses do not race.
  const unknown = unknownAt(place) | (order === 'plain' ? unknownAt(place + 1) : 0);
  for (let other = 0; other < layout.threads; other++) {
    if (other === thread) continue;
    const conflicting =
      bitOf(layout, 'store', other) | (kind === 'read' ? 0 : bitOf(layout, 'load', other));
    if ((unknown & conflicting) !== 0) return other;
  }
  return undefined;
}

/**
 * Records an access in the sets of unknown accesses: accesses that do not happen before a thread's
 * next step. To be called before `monitorAccess`.
 */
export function noteRacingAccess(
  state: MonitorWords,
  layout: MonitorLayout,
  { thread, cell, kind, order }: MonitoredAccess,
): void {
  const { races } = layout;
  if (!races) return;
  const { length } = races;
  const message = races.message[cell]!;
  let passedOn: Int32Array | undefined;
  if (kind !== 'write' && order !== 'plain') {
    meet(state, length, races.acquired[thread]!, message);
    if (isAcquiring(order)) meet(state, length, races.current[thread]!, message);
    if (kind === 'update') passedOn = state.slice(message, message + length);
  }
  const place = 2 * layout.plain.indexOf(cell) + (order === 'plain' ? 0 : 1);
  if (place >= 0) {
    const bit = bitOf(layout, kind === 'read' ? 'load' : 'store', thread);
    for (let set = races.start; set < races.end; set += length) state[set + place]! |= bit;
    if (passedOn) passedOn[place]! |= bit;
    state[races.current[thread]! + place]! &= ~bit;
    state[races.acquired[thread]! + place]! &= ~bit;
  }
  if (kind === 'read') return;
  if (order === 'plain') {
    state.fill(-1, message, message + length);
    return;
  }
  const given = isReleasing(order) ? races.current[thread]! : races.released[thread]!;
  state.copyWithin(message, given, given + length);
  if (passedOn) for (let i = 0; i < length; i++) state[message + i]! &= passedOn[i]!;
}

/**
 * Records a fence of the thread in the thread's sets of unknown accesses: accesses that do not
 * happen before the thread's next step.
 */
export function noteRacingFence(
  state: MonitorWords,
  { races }: MonitorLayout,
  thread: ThreadId,
  { acquires, releases }: { readonly acquires: boolean; readonly releases: boolean },
): void {
  if (!races) return;
  const [current, acquired] = [races.current[thread]!, races.acquired[thread]!];
  if (acquires) meet(state, races.length, current, acquired);
  if (releases) state.copyWithin(races.released[thread]!, current, current + races.length);
}

/**
 * Fills sets of unknown accesses of the thread that make no difference any more: all accesses then
 * count as unknown, so that states become equal. `which` selects the sets: `all` the set of the
 * present and the two other sets; `acquired` the set after the thread's next acquire fence;
 * `released` the set in the messages of relaxed stores.
 */
export function forgetRacing(
  state: MonitorWords,
  races: Races,
  thread: ThreadId,
  which: { readonly all: boolean; readonly acquired: boolean; readonly released: boolean },
): void {
  const forget = (set: number): void => {
    state.fill(-1, set, set + races.length);
  };
  if (which.all) forget(races.current[thread]!);
  if (which.all || which.acquired) forget(races.acquired[thread]!);
  if (which.all || which.released) forget(races.released[thread]!);
}
