import type { Automata, Thread } from './automata.js';
import { draining } from './open-attacks.js';
import { type Addresses, blocksOf, addressesOf, writes } from './static-path.js';

/** The largest number of threads, and of steps of a count; beyond, several threads may delay. */
const maxThreads = 20;
const maxSteps = 1_000_000;

/** An access as far as conflicts and delays depend on it. */
interface Access {
  readonly addresses: Addresses;
  readonly kind: string;
  readonly writes: boolean;
}

/**
 * The part of a cycle in one thread, from the access `first` to the access `last`. `gain`: 1 for a
 * load done before the store in front of it is in memory, less the heavy fences passed in between.
 */
interface Part {
  readonly first: Access;
  readonly last: Access;
  readonly passesHeavy: boolean;
  readonly gain: number;
}

export function hasHeavyFences({ threads }: Automata): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => instruction.kind === 'heavy-fence'),
  );
}

/** The distances to locations, in heavy fences: on ways without one, and on ways with some. */
interface Distances {
  readonly light: ReadonlySet<number>;
  readonly heavy: ReadonlyMap<number, number>;
}

function distancesFrom({ transitions }: Thread, starts: readonly number[]): Distances {
  const light = new Set(starts);
  const heavy = new Map<number, number>();
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    const shorten = (location: number, distance: number): void => {
      if (distance >= (heavy.get(location) ?? Number.POSITIVE_INFINITY)) return;
      heavy.set(location, distance);
      hasChanged = true;
    };
    for (const { from, to, instruction } of transitions) {
      const isHeavy = instruction.kind === 'heavy-fence';
      const before = heavy.get(from);
      if (before !== undefined) shorten(to, before + (isHeavy ? 1 : 0));
      if (!light.has(from)) continue;
      if (isHeavy) shorten(to, 1);
      else if (!light.has(to)) {
        light.add(to);
        hasChanged = true;
      }
    }
  }
  return { light, heavy };
}

/** Returns the locations that the thread reaches from `start` without emptying its buffer. */
function undrainedFrom({ transitions }: Thread, start: number): ReadonlySet<number> {
  const found = new Set([start]);
  for (const location of found)
    for (const { from, to, instruction } of transitions)
      if (from === location && !draining.has(instruction.kind)) found.add(to);
  return found;
}

function partsOf(automata: Automata, thread: Thread): readonly Part[] {
  const blocks = blocksOf(thread);
  const known = new Map<string, Access>();
  const accesses = thread.transitions.flatMap(({ from, to, instruction }) => {
    if (!('address' in instruction)) return [];
    const { kind } = instruction;
    const addresses = addressesOf(automata, instruction.address);
    const name = `${kind} ${addresses === 'any' ? addresses : [...addresses].join()}`;
    const access = known.get(name) ?? { addresses, kind, writes: writes(instruction) };
    known.set(name, access);
    return [{ access, from, to }];
  });
  const numbers = [...known.values()];
  const parts = new Map<string, Part>();
  const add = (part: Part): void => {
    const ends = [part.first, part.last].map((one) => numbers.indexOf(one));
    const name = `${ends.join()} ${part.passesHeavy}`;
    if (part.gain > (parts.get(name)?.gain ?? Number.NEGATIVE_INFINITY)) parts.set(name, part);
  };
  for (const { access: first, from, to } of accesses) {
    add({ first, last: first, passesHeavy: false, gain: 0 });
    // Happens-before leads from each access of a lock block to all others.
    const { light, heavy } = distancesFrom(thread, [to, ...(blocks.get(from) ?? [])]);
    const undrained = first.kind === 'store' ? undrainedFrom(thread, to) : new Set<number>();
    for (const { access: last, from: end } of accesses) {
      const delays = last.kind === 'load' && undrained.has(end);
      const least = heavy.get(end);
      if (light.has(end)) add({ first, last, passesHeavy: false, gain: delays ? 1 : 0 });
      if (least !== undefined) add({ first, last, passesHeavy: true, gain: -least });
    }
  }
  return [...parts.values()];
}

function conflict(a: Access, b: Access): boolean {
  if (!a.writes && !b.writes) return false;
  if (a.addresses === 'any' || b.addresses === 'any') return true;
  const others = b.addresses;
  return [...a.addresses].some((address) => others.has(address));
}

/** The parts of a cycle so far: the threads visited, the last access, and what counts. */
interface Walk {
  readonly visited: number;
  readonly at: Access;
  readonly passesHeavy: boolean;
  readonly gain: number;
}

function extended({ visited, passesHeavy, gain }: Omit<Walk, 'at'>, t: number, part: Part): Walk {
  return {
    visited: visited | (1 << t),
    at: part.last,
    passesHeavy: passesHeavy || part.passesHeavy,
    gain: gain + part.gain,
  };
}

/**
 * Whether control flow and addresses leave room for a cycle of happens-before that passes a heavy
 * fence. In a cycle of an execution the delays outnumber the heavy fences (docs/asymmetric.md), and
 * a shortest cycle visits each thread once. Each cycle is followed from its first thread on.
 */
export function severalMayDelay(automata: Automata): boolean {
  if (!hasHeavyFences(automata)) return false;
  if (automata.threads.length > maxThreads) return true;
  const parts = automata.threads.map((thread) => partsOf(automata, thread));
  const nothing = { visited: 0, passesHeavy: false, gain: 0 };
  let steps = 0;
  const closesFrom = (start: number, first: Access): boolean => {
    const best = new Map<Access, Map<string, number>>();
    const goesOn = (walk: Walk): boolean => {
      if (++steps > maxSteps) return true;
      const { visited, at, passesHeavy, gain } = walk;
      const gains = best.get(at) ?? new Map<string, number>();
      best.set(at, gains);
      const name = `${visited} ${passesHeavy}`;
      if (gain <= (gains.get(name) ?? Number.NEGATIVE_INFINITY)) return false;
      gains.set(name, gain);
      if (passesHeavy && gain > 0 && visited !== 1 << start && conflict(at, first)) return true;
      return parts.some(
        (own, t) =>
          t > start &&
          (visited & (1 << t)) === 0 &&
          own.some((part) => conflict(at, part.first) && goesOn(extended(walk, t, part))),
      );
    };
    return parts[start]!.some(
      (part) => part.first === first && goesOn(extended(nothing, start, part)),
    );
  };
  return parts.some((own, start) =>
    [...new Set(own.map(({ first }) => first))].some((first) => closesFrom(start, first)),
  );
}

/** The claims on which robustness with heavy fences rests; tests support them. */
export function heavyFenceClaims(automata: Automata): readonly string[] {
  return hasHeavyFences(automata)
    ? ['cycles without heavy fences need one delaying thread only (docs/asymmetric.md)']
    : [];
}

/** The reason for no answer if one delaying thread may not be enough for all violations. */
export const severalDelays = 'several delaying threads';
