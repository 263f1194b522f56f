import { at } from '@fencewright/ground/base/at.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import type { EventInstruction } from '@fencewright/model/program/event-program.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { drainsBuffer, type Instruction } from '@fencewright/model/program/instruction.js';
import type { Location, Program, Thread, Transition } from '@fencewright/model/program/program.js';
import {
  type FencePart,
  singleRepairs,
  type PricedRepair,
  type Repair,
  type RepairMode,
} from '@fencewright/model/program/repair.js';
import { findWeakRmws } from '@fencewright/model/program/weak-rmw.js';
import { textThread } from './text-thread.js';

/**
 * The fences of one thread: for each fenced location, in ascending order, the location that
 * `applyRepair` adds.
 */
type FencePlaces = ReadonlyMap<LocationId, LocationId>;

/** The fences inserted by repairs at one location, in the order of execution. */
type Inserted = readonly Extract<Instruction, { readonly kind: 'fence' | 'heavy-fence' }>[];

/** Returns the fences of the items that stand in the text of the thread. */
function fencesOf(
  program: Program,
  items: readonly Repair[],
  thread: ThreadId,
): readonly FencePart[] {
  const text = textThread(program, thread);
  return items
    .flatMap((item) => singleRepairs(item))
    .flatMap((part) => (part.kind === 'fence' && part.thread === text ? [part] : []));
}

/**
 * Returns the locations of a thread at which the items insert fences, each with the location that
 * is added for the fence.
 */
export function fencePlaces(
  program: Program,
  items: readonly Repair[],
  thread: ThreadId,
): FencePlaces {
  const fenced = fencesOf(program, items, thread).map(({ location }) => location);
  return placesIn(at(program.threads, thread), fenced);
}

/**
 * Returns a map from each of the locations `fenced` to the index of the location added behind the
 * fence; the added locations follow those of the thread.
 */
export function placesIn(
  { locations }: Thread<EventInstruction>,
  fenced: readonly LocationId[],
): FencePlaces {
  const inOrder = [...new Set(fenced)].sort((a, b) => a - b);
  return new Map(inOrder.map((location, i) => [location, locations.length + i]));
}

/**
 * Inserts fences at locations: `l: inst` becomes `l: mfence; goto lf` and `lf: inst`, for every
 * instruction at `l` ([BDM13] Sect. 7). At an end, and at the locations in `before`, the fence is
 * before the location instead: all transitions to `l` lead to `lf`, and `lf: mfence; goto l`
 * is added. Transitions keep their ids; the fences are appended.
 */
export function insertFences<T extends Thread<EventInstruction>>(
  thread: T,
  fences: FencePlaces,
  before: ReadonlySet<LocationId> = new Set(),
  heavy: ReadonlyMap<LocationId, Inserted> = new Map(),
): T {
  if (fences.size === 0) return thread;
  const taken = thread.locations.map(({ name }) => name);
  const names = new UniqueNames([], { taken, suffix: String });
  const fresh = (location: LocationId): Location => {
    const name = names.fresh(`${at(thread.locations, location).name}_fenced`);
    return { name, hidden: true };
  };
  const added = [...fences.keys()].map(fresh);
  const inner = new Set(thread.transitions.map(({ from }) => from));
  const isBehind = (location: LocationId): boolean => inner.has(location) && !before.has(location);
  const entry = (to: LocationId): LocationId => (isBehind(to) ? to : (fences.get(to) ?? to));
  const exit = (from: LocationId): LocationId =>
    isBehind(from) ? (fences.get(from) ?? from) : from;
  const moved = thread.transitions.map((transition): Transition<EventInstruction> => {
    const { from, to } = transition;
    return { ...transition, from: exit(from), to: entry(to) };
  });
  const inserted = [...fences].flatMap(([location, last]): Transition<EventInstruction>[] => {
    const [start, end] = isBehind(location) ? [location, last] : [last, location];
    const instructions = heavy.get(location) ?? [{ kind: 'fence' }];
    let from = start;
    return instructions.map((instruction, i) => {
      const isLast = i === instructions.length - 1;
      const to = isLast ? end : thread.locations.length + added.push(fresh(location)) - 1;
      const step = { from, to, instruction, origin: {} };
      from = to;
      return step;
    });
  });
  return {
    ...thread,
    initial: entry(thread.initial),
    locations: [...thread.locations, ...added],
    transitions: [...moved, ...inserted],
  };
}

/**
 * Returns the fences at each location with heavy fences: a plain fence if there is one, then a
 * heavy fence for each item.
 */
function heavyFencesAt(fences: readonly FencePart[]): ReadonlyMap<LocationId, Inserted> {
  const places = fences.flatMap(({ heavy, location }) => (heavy === undefined ? [] : [location]));
  return new Map(
    places.map((place) => [
      place,
      fences.flatMap(({ location, heavy }): Inserted =>
        location !== place ? [] : [{ kind: heavy === undefined ? 'fence' : 'heavy-fence' }],
      ),
    ]),
  );
}

function replaceStores(thread: Thread, exchanged: ReadonlySet<number>): Thread {
  if (exchanged.size === 0) return thread;
  const transitions = thread.transitions.map((transition, id): Transition => {
    const { instruction } = transition;
    if (!exchanged.has(id) || instruction.kind !== 'store') return transition;
    const { address, value } = instruction;
    return {
      ...transition,
      instruction: { kind: 'rmw', address, operation: { name: 'xchg', operands: [value] } },
    };
  });
  return { ...thread, transitions };
}

/** Returns the instructions of a thread named by items of a kind. */
function transitionsOf(
  program: Program,
  items: readonly Repair[],
  thread: ThreadId,
  kind: 'xchg' | 'keep',
): ReadonlySet<TransitionId> {
  const text = textThread(program, thread);
  return new Set(
    items
      .flatMap((item) => singleRepairs(item))
      .flatMap((part) => (part.kind === kind && part.thread === text ? [part.transition] : [])),
  );
}

/**
 * Returns the program with the fences of the items inserted and their stores exchanged; `keep`
 * items change nothing. Transitions keep their ids; the fences are appended.
 */
export function applyRepair(program: Program, items: readonly Repair[]): Program {
  return {
    ...program,
    threads: program.threads.map((thread, t) => {
      const exchanged = transitionsOf(program, items, t, 'xchg');
      const own = fencesOf(program, items, t);
      return insertFences(
        replaceStores(thread, exchanged),
        fencePlaces(program, items, t),
        new Set(own.filter((part) => part.before).map(({ location }) => location)),
        heavyFencesAt(own),
      );
    }),
  };
}

/**
 * Whether an instruction may be removed: a fence of either kind, or with `lockedStores` an exchange
 * with dropped result.
 */
function isRemovable({ instruction }: Transition, lockedStores: boolean): boolean {
  return (
    instruction.kind === 'fence' ||
    instruction.kind === 'heavy-fence' ||
    (lockedStores &&
      instruction.kind === 'rmw' &&
      instruction.into === undefined &&
      instruction.operation.name === 'xchg')
  );
}

/**
 * Returns the instructions removable by `--minimise`: fences of either kind, and with
 * `lockedStores` exchanges with dropped result. Excludes the parts of weak rmws, and instructions
 * that empty the store buffer for a load of several cells.
 */
export function removableInstructions(
  thread: Thread,
  lockedStores: boolean,
): ReadonlySet<TransitionId> {
  const weak = new Set(findWeakRmws(thread).flatMap(({ rmw, fence }) => [rmw, fence]));
  const isNeeded = emptiesForWideLoads(thread);
  return new Set(
    thread.transitions.flatMap((transition, id) =>
      isRemovable(transition, lockedStores) && !weak.has(id) && !isNeeded(transition) ? [id] : [],
    ),
  );
}

/**
 * Returns a function that says whether control flow leads from a transition to a load of several
 * cells without draining the store buffer in between: the load needs an empty buffer, and its own
 * lock is no fence.
 */
function emptiesForWideLoads({ transitions }: Thread): (transition: Transition) => boolean {
  const isWide = ({ instruction, origin }: Transition): boolean =>
    instruction.kind === 'lock' && origin.isWideLoad === true;
  const isEmptying = ({ instruction }: Transition): boolean => drainsBuffer(instruction);
  const before = new Set(transitions.filter(isWide).map(({ from }) => from));
  if (before.size === 0) return () => false;
  const incoming = new Map<LocationId, Transition[]>();
  for (const each of transitions) incoming.set(each.to, [...(incoming.get(each.to) ?? []), each]);
  for (const location of before)
    for (const each of incoming.get(location) ?? []) if (!isEmptying(each)) before.add(each.from);
  return ({ to }) => before.has(to);
}

/**
 * Returns a transition with its instruction removed: a fence becomes a `skip`, an exchange a store;
 * all other transitions are unchanged.
 */
function removed(transition: Transition): Transition {
  const { instruction } = transition;
  if (instruction.kind === 'fence' || instruction.kind === 'heavy-fence')
    return { ...transition, instruction: { kind: 'skip' } };
  if (instruction.kind !== 'rmw') return transition;
  const { address, operation } = instruction;
  const [value] = operation.operands;
  return value ? { ...transition, instruction: { kind: 'store', address, value } } : transition;
}

/**
 * Returns the program without the instructions named by `keep` items: a fence becomes a `skip`, an
 * exchange a store.
 */
export function withoutItems(program: Program, items: readonly Repair[]): Program {
  return {
    ...program,
    threads: program.threads.map((thread, t) => {
      const own = transitionsOf(program, items, t, 'keep');
      if (own.size === 0) return thread;
      return {
        ...thread,
        transitions: thread.transitions.map((each, id) => (own.has(id) ? removed(each) : each)),
      };
    }),
  };
}

/** The items of a repair problem, and the choice among them. */
export interface RepairChoice {
  readonly mode: RepairMode;
  readonly items: readonly PricedRepair[];
  /**
   * The chosen items, as indices into `items`. When fences are minimised, the chosen items are
   * kept.
   */
  readonly chosen: readonly number[];
}

/**
 * Returns the program with the chosen repairs inserted. When fences are minimised, returns the
 * program without the items that are not chosen.
 */
export function repairedProgram(program: Program, { mode, items, chosen }: RepairChoice): Program {
  if (mode.startsWith('minimise'))
    return withoutItems(
      program,
      items.filter((_, index) => !chosen.includes(index)),
    );
  return applyRepair(
    program,
    chosen.map((index) => items[index]!),
  );
}
