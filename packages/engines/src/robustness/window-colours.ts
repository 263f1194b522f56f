import type { ThreadId } from '@fencewright/model/program/ids.js';

/**
 * A set of threads, as bits; also a set of colours (`Colour`), each given by the thread whose last
 * load the colour belongs to.
 */
type ThreadSet = number;

/**
 * A colour: the set of the accesses that happen after the last load of one thread ([BDM13] Fig. 7).
 * Each thread that has delayed stores and made its last load has a colour, in the search for
 * violations with several delaying threads (docs/asymmetric.md).
 */
interface Colour {
  /** The threads whose next accesses happen after the last load, and so belong to the colour. */
  readonly on: ThreadSet;
  /**
   * By address, the strongest access after the last load among those of the colour: 1 if all are
   * loads, 2 if one is a store.
   */
  readonly levels: ReadonlyMap<number, 1 | 2>;
  /** The threads with a delayed store that happens after the last load. */
  readonly links: ThreadSet;
}

/**
 * For each thread, the colour (accesses that happen after the thread's last load), indexed by
 * thread; absent before the last load.
 */
export type Colours = readonly (Colour | undefined)[];

/** A store delayed by a thread in the thread's window, and waiting in the thread's buffer. */
export interface Delayed {
  readonly address: number;
  readonly value: number;
  /**
   * The colours (see `Colour`) to which the thread's next access belonged when the thread issued
   * the store.
   */
  readonly on: ThreadSet;
  /**
   * The colours (see `Colour`) to which the thread's next access belonged when the thread loaded
   * the store's value from its buffer.
   */
  readonly readOn: ThreadSet;
}

/** Returns the set of the colours (see `Colour`) to which the thread's next access belongs. */
export function onColours(colours: Colours, thread: ThreadId): ThreadSet {
  return colours.reduce(
    (set, colour, c) => (colour && (colour.on & (1 << thread)) !== 0 ? set | (1 << c) : set),
    0,
  );
}

function raised(levels: Colour['levels'], address: number, level: 1 | 2): Colour['levels'] {
  if ((levels.get(address) ?? 0) >= level) return levels;
  return new Map(levels).set(address, level);
}

/**
 * Returns the colours after an access to memory; each colour changes as the happens-before path of
 * [BDM13] Fig. 7 does.
 */
export function withAccess(
  colours: Colours,
  thread: ThreadId,
  address: number,
  { reads, writes }: { readonly reads: boolean; readonly writes: boolean },
): Colours {
  return colours.map((colour) => {
    if (!colour) return undefined;
    const level = colour.levels.get(address) ?? 0;
    const joins = (reads && level === 2) || (writes && level >= 1);
    if (!joins && (colour.on & (1 << thread)) === 0) return colour;
    const levels = raised(colour.levels, address, writes ? 2 : 1);
    return { ...colour, on: colour.on | (1 << thread), levels };
  });
}

/** Returns the delayed stores after the thread has read the store to `address` from the buffer. */
export function readInWindow(
  delayed: readonly Delayed[],
  address: number,
  colours: Colours,
  thread: ThreadId,
): readonly Delayed[] {
  const on = onColours(colours, thread);
  return delayed.map((one) =>
    one.address === address ? { ...one, readOn: one.readOn | on } : one,
  );
}

/** Returns the colours (see `Colour`) after all delayed stores of a thread have reached memory. */
export function writtenBack(
  colours: Colours,
  thread: ThreadId,
  delayed: readonly Delayed[],
): Colours {
  return colours.map((colour, c) => {
    if (!colour) return undefined;
    let { levels } = colour;
    let isMet = false;
    for (const { address, on, readOn } of delayed) {
      const wasOn = (on & (1 << c)) !== 0;
      isMet ||= levels.has(address) && !wasOn;
      if (isMet || wasOn) levels = raised(levels, address, 2);
      else if ((readOn & (1 << c)) !== 0) levels = raised(levels, address, 1);
    }
    if (!isMet) return levels === colour.levels ? colour : { ...colour, levels };
    const own = 1 << thread;
    return { on: colour.on | own, links: colour.links | own, levels };
  });
}

/**
 * Returns the threads on a cycle in the graph whose edges lead from the thread of a colour to the
 * threads in the colour's `links`. Empty without a cycle.
 */
export function threadsOnCycle(colours: Colours): readonly ThreadId[] {
  const reached = colours.map((colour) => colour?.links ?? 0);
  for (const k of colours.keys())
    for (const i of colours.keys()) if ((reached[i]! & (1 << k)) !== 0) reached[i]! |= reached[k]!;
  const first = reached.findIndex((set, i) => (set & (1 << i)) !== 0);
  if (first < 0) return [];
  // The threads that reach `first` and are reached from it.
  return [...colours.keys()].filter(
    (i) => (reached[first]! & (1 << i)) !== 0 && (reached[i]! & (1 << first)) !== 0,
  );
}
