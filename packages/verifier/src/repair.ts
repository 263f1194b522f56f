import type { Automata, Instruction, Thread, Transition } from './automata.js';
import { blocksOf, reachableFrom } from './control-flow.js';
import { anyIndex, list, literal, type Reader, record, type Tagged, tagged } from './shape.js';

export interface AtLocation {
  readonly thread: number;
  readonly location: number;
  /**
   * Present if the fence stands before the location, on every path to it, and not after it; the
   * location is a label that a goal names.
   */
  readonly before?: true;
  /**
   * Present if the fence is heavy: its number among the heavy fences at the location, from 1. The
   * heavy fences at a location are executed one after the other, after a plain fence there.
   */
  readonly heavy?: number;
}

interface OfTransition {
  readonly thread: number;
  readonly transition: number;
}

/**
 * A repair at one place of a thread: a fence before the transitions that leave a location ([BDM13]
 * Sect. 7), which may be a heavy fence, a locked exchange in place of a store, or the decision to
 * keep a fence or exchange of the program. `thread` is the first copy of a template and stands for
 * all copies.
 */
export type Part =
  ({ readonly kind: 'fence' } & AtLocation) | ({ readonly kind: 'xchg' | 'keep' } & OfTransition);

/**
 * A repair of one place in the text of a thread. One place in the text can become several places of
 * the program; the item has one part for each.
 */
export type Item = readonly Part[];

export const modes = ['fence', 'xchg', 'any', 'minimise', 'minimise-locked'] as const;
/**
 * The modes of repairs for robustness, with the mode `asymmetric`, whose repairs may be heavy
 * fences.
 */
export const modesWithHeavy = [...modes, 'asymmetric'] as const;
export type Mode = (typeof modesWithHeavy)[number];

const atLocation = { thread: anyIndex, location: anyIndex };
const ifBefore = { before: literal(true) };
const ofTransition = { thread: anyIndex, transition: anyIndex };
const changed = record(ofTransition, { also: list(record(ofTransition)) });
const written = {
  fence: record(atLocation, {
    ...ifBefore,
    heavy: anyIndex,
    also: list(record(atLocation, ifBefore)),
  }),
  xchg: changed,
  keep: changed,
};
const readWritten = tagged<Tagged<typeof written>>(written);

/**
 * Reads an item, written as its first place, and in `also` its further places. If the first place
 * has a heavy fence, so have the others.
 */
export const readItem: Reader<Item> = (value, path) => {
  const { kind, also = [], ...first } = readWritten(value, path);
  const heavy = 'heavy' in first && { heavy: first.heavy };
  return [first, ...also].map((place) => ({ kind, ...place, ...heavy }) as Part);
};

/** Whether the part of an item is a heavy fence. */
export function isHeavy(part: Part): boolean {
  return part.kind === 'fence' && part.heavy !== undefined;
}

/** Returns a name of the part of an item, unique in the program. */
export function partName(part: Part): string {
  const where = part.kind === 'fence' ? part.location : part.transition;
  const before = part.kind === 'fence' && part.before ? ' before' : '';
  const heavy = part.kind === 'fence' && part.heavy !== undefined ? ` heavy ${part.heavy}` : '';
  return `${part.kind} ${part.thread} ${where}${before}${heavy}`;
}

/** Describes the part of an item in words, with the names used in the program. */
export function describePart({ threads }: Automata, part: Part): string {
  const thread = threads[part.thread];
  const name = thread?.copy?.template ?? thread?.name ?? part.thread;
  const location =
    part.kind === 'fence' ? part.location : thread?.transitions[part.transition]?.from;
  const label = location === undefined ? undefined : thread?.locations[location];
  // Locations without a label in the text are named after their line, such as `L14b`.
  const line = label?.hidden === true ? /^L([0-9]+)/.exec(label.name)?.[1] : undefined;
  const where =
    line === undefined ? `at ${name}:${label?.name ?? '?'}` : `of ${name} at line ${line}`;
  return `${isHeavy(part) ? 'heavy ' : ''}${part.kind} ${where}`;
}

/**
 * Returns the thread by which items refer to the text of `thread`: the first copy of the template,
 * or `thread` itself if it is no copy.
 */
export function textOf({ threads }: Automata, thread: number): number {
  const template = threads[thread]?.copy?.template;
  return template === undefined
    ? thread
    : threads.findIndex(({ copy }) => copy?.template === template);
}

/**
 * Whether copies of a template have equal control flow, so that an item means the same in each
 * copy.
 */
export function copiesAgree(automata: Automata): boolean {
  const ways = ({ locations, initial, transitions }: Thread): string =>
    JSON.stringify([
      locations.length,
      initial,
      transitions.map(({ from, to, instruction }) => [from, to, instruction.kind]),
    ]);
  return automata.threads.every(
    (thread, t) => ways(thread) === ways(automata.threads[textOf(automata, t)]!),
  );
}

/** Whether the instruction is a fence of either kind. */
function isFence({ kind }: Instruction): boolean {
  return kind === 'fence' || kind === 'heavy-fence';
}

function isExchange({ kind, ...rest }: Instruction): boolean {
  const { into, operation } = rest as { into?: number; operation?: { kind: string } };
  return kind === 'rmw' && into === undefined && operation?.kind === 'xchg';
}

/**
 * Returns all items for a mode of repair. Modes that insert: fences at every reachable location
 * that the program does not mark `nofence`, and exchanges for every store. Modes that minimise: the
 * program's fences of either kind, and exchanges whose result is not used. A fence at the end of a
 * thread keeps no store from being delayed, so `atEnds` is of use only if a goal speaks of the end.
 * At a label named in a goal, the fence stands before the label.
 */
export function allItems(
  automata: Automata,
  mode: Mode,
  atEnds: boolean,
  seen: readonly AtLocation[] = [],
): readonly Part[] {
  const isSeen = (text: number, location: number): boolean =>
    seen.some((one) => textOf(automata, one.thread) === text && one.location === location) &&
    automata.threads[text]!.transitions.some(({ from }) => from === location);
  return automata.threads.flatMap((thread, t): Part[] => {
    if (textOf(automata, t) !== t) return [];
    const { transitions } = thread;
    const ids = (wanted: (instruction: Instruction) => boolean): number[] =>
      [...transitions.keys()].filter((id) => wanted(transitions[id]!.instruction));
    if (mode === 'minimise' || mode === 'minimise-locked')
      return ids((one) => isFence(one) || (mode === 'minimise-locked' && isExchange(one))).map(
        (transition) => ({ kind: 'keep', thread: t, transition }),
      );
    const places = [...reachableFrom(thread, [thread.initial])].filter((location) => {
      const leaving = transitions.filter(({ from }) => from === location);
      return (
        leaving.every(({ nofence }) => !nofence) &&
        (leaving.length > 0 || (atEnds && location !== thread.initial))
      );
    });
    return [
      ...(mode === 'xchg' ? [] : places).map((location): Part => ({
        kind: 'fence',
        thread: t,
        location,
        ...(isSeen(t, location) && { before: true as const }),
      })),
      ...(mode === 'fence' || mode === 'asymmetric' ? [] : ids(({ kind }) => kind === 'store')).map(
        (transition): Part => ({
          kind: 'xchg',
          thread: t,
          transition,
        }),
      ),
    ];
  });
}

/**
 * Returns the heavy fences that a mode of repair may insert: at each place for a fence outside lock
 * blocks, as many as there are other threads. More would be of no use: in a cycle of happens-before
 * that breaks robustness, delays outnumber heavy fences (docs/asymmetric.md), and the thread with
 * the heavy fences delays nothing there.
 */
export function heavyItems(automata: Automata, mode: Mode): readonly Part[] {
  if (mode !== 'asymmetric' && mode !== 'any') return [];
  const others = automata.threads.length - 1;
  return allItems(automata, mode, false).flatMap((part): Part[] => {
    if (part.kind !== 'fence' || blocksOf(automata.threads[part.thread]!).has(part.location))
      return [];
    return Array.from({ length: others }, (_, i) => ({ ...part, heavy: i + 1 }));
  });
}

/**
 * The cost of a heavy fence in the cost model `size`, as a multiple of the cost of a plain fence.
 */
const heavyRate = 500;

/**
 * Returns the cost of a fence at a location in the cost model `size`: the greatest `@cost` in the
 * source at the location, or 1 without `@cost`.
 */
export function sizeCostAt(
  transitions: readonly Pick<Transition, 'from' | 'cost'>[],
  location: number,
): number {
  const said = transitions.flatMap(({ from, cost }) => (from === location ? [cost ?? 0] : []));
  return Math.max(0, ...said) || 1;
}

/**
 * Returns the cost of a part of an item in the cost model `size`: the `@cost` in the source, or 1
 * without `@cost`.
 */
export function sizeCost({ threads }: Automata, part: Part): number {
  const { transitions } = threads[part.thread]!;
  if (part.kind === 'fence')
    return (isHeavy(part) ? heavyRate : 1) * sizeCostAt(transitions, part.location);
  const { from, cost, instruction } = transitions[part.transition]!;
  if (!isFence(instruction)) return cost ?? 1;
  return (instruction.kind === 'heavy-fence' ? heavyRate : 1) * sizeCostAt(transitions, from);
}

/** The items of a set of repairs that concern one thread. */
export interface OwnItems {
  readonly fences: ReadonlySet<number>;
  /** By location of the thread, the number of inserted heavy fences. */
  readonly heavy: ReadonlyMap<number, number>;
  /** The locations of the thread before which a fence is inserted. */
  readonly before: ReadonlySet<number>;
  /** The transitions of the thread that items of kinds `xchg` and `keep` concern. */
  readonly transitions: ReadonlySet<number>;
  /**
   * The transitions among `transitions` whose heavy fences, already in the program, are to be kept.
   */
  readonly heavyKept: ReadonlySet<number>;
}

/**
 * Returns, for each thread of a program with all its fences, the items about the thread; items
 * about a template are about all copies.
 */
export function itemsByThread(automata: Automata, items: readonly Item[]): readonly OwnItems[] {
  const parts = items.flat();
  return automata.threads.map((_, t) => {
    const own = parts.filter(({ thread }) => thread === textOf(automata, t));
    const added = own.filter((item) => item.kind === 'fence');
    const fences = added.filter((item) => item.heavy === undefined);
    const heavy = new Map<number, number>();
    for (const { location } of added.filter(isHeavy))
      heavy.set(location, (heavy.get(location) ?? 0) + 1);
    const transitions = own.flatMap((item) => (item.kind === 'fence' ? [] : [item.transition]));
    const isHeavyFence = (id: number): boolean =>
      automata.threads[t]!.transitions[id]?.instruction.kind === 'heavy-fence';
    return {
      fences: new Set(fences.map(({ location }) => location)),
      heavy,
      before: new Set(fences.filter((item) => item.before).map(({ location }) => location)),
      transitions: new Set(transitions),
      heavyKept: new Set(transitions.filter(isHeavyFence)),
    };
  });
}

function mapThreads(automata: Automata, change: (thread: Thread, t: number) => Thread): Automata {
  return { ...automata, threads: automata.threads.map(change) };
}

/**
 * Returns the program without the repairs in `removable`: fences become `skip`, exchanges become
 * stores. Transitions keep their numbers.
 */
export function without(automata: Automata, removable: readonly Item[]): Automata {
  const own = itemsByThread(automata, removable);
  return mapThreads(automata, (thread, t) => ({
    ...thread,
    transitions: thread.transitions.map((transition, id): Transition => {
      const { instruction } = transition;
      if (!own[t]!.transitions.has(id)) return transition;
      if (instruction.kind === 'rmw' && instruction.operation.kind === 'xchg') {
        const { address, operation } = instruction;
        return { ...transition, instruction: { kind: 'store', address, value: operation.value } };
      }
      return isFence(instruction) ? { ...transition, instruction: { kind: 'skip' } } : transition;
    }),
  }));
}

/**
 * Returns the program with fences and exchanges inserted; items of kind `keep` change nothing. A
 * fence at a location stands after the location, which keeps its name, and before all transitions
 * leaving it. At the end of a thread, and before a label named in a goal, the fence stands before
 * the location, after all transitions leading there and after the start of the thread. The
 * location added in between has a hidden name. Heavy fences stand behind a fence at the same
 * location.
 */
export function inserted(automata: Automata, items: readonly Item[]): Automata {
  const own = itemsByThread(
    automata,
    items.filter(([part]) => part?.kind !== 'keep'),
  );
  return mapThreads(automata, (thread, t) => {
    const { fences, before, transitions: exchanged } = own[t]!;
    const inner = new Set(
      thread.transitions.flatMap(({ from }) => (before.has(from) ? [] : [from])),
    );
    const entry = (to: number): number => (inner.has(to) ? to : (added.get(to) ?? to));
    const added = new Map([...fences].map((at, i) => [at, thread.locations.length + i]));
    const moved = thread.transitions.map(({ from, to, instruction, ...rest }, id): Transition => ({
      ...rest,
      from: inner.has(from) ? (added.get(from) ?? from) : from,
      to: entry(to),
      instruction: exchanged.has(id) ? asExchange(instruction) : instruction,
    }));
    const passes = [...added].map(([at, between]): Transition => ({
      from: inner.has(at) ? at : between,
      to: inner.has(at) ? between : at,
      instruction: { kind: 'fence' },
    }));
    const hidden = [...added].map(([at]) => ({ name: `fence ${at}`, hidden: true as const }));
    const fenced: Thread = {
      ...thread,
      initial: entry(thread.initial),
      locations: [...thread.locations, ...hidden],
      transitions: [...moved, ...passes],
    };
    return [...own[t]!.heavy].reduce<Thread>(
      (whole, [at, count]) => withHeavyFences(whole, added.get(at) ?? at, count),
      fenced,
    );
  });
}

/**
 * Returns the thread with a sequence of heavy fences between a location and all outgoing
 * transitions.
 */
function withHeavyFences(thread: Thread, place: number, count: number): Thread {
  const { locations, transitions } = thread;
  const first = locations.length;
  const passes = Array.from({ length: count }, (_, i): Transition => ({
    from: i === 0 ? place : first + i - 1,
    to: first + i,
    instruction: { kind: 'heavy-fence' },
  }));
  const hidden = passes.map((_, i) => ({
    name: `heavy fence ${place} ${i + 1}`,
    hidden: true as const,
  }));
  return {
    ...thread,
    locations: [...locations, ...hidden],
    transitions: [
      ...transitions.map((one) => (one.from === place ? { ...one, from: first + count - 1 } : one)),
      ...passes,
    ],
  };
}

function asExchange(instruction: Instruction): Instruction {
  if (instruction.kind !== 'store') return instruction;
  const { address, value } = instruction;
  return { kind: 'rmw', address, operation: { kind: 'xchg', value } };
}
