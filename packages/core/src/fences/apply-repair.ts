import { at } from '../base/at.js';
import { UniqueNames } from '../base/unique-names.js';
import type { EventInstruction } from '../program/event-program.js';
import type { LocationId, ThreadId, TransitionId } from '../program/ids.js';
import type { Location, Program, Thread, Transition } from '../program/program.js';
import type { PricedRepair, Repair, RepairMode } from '../program/repair.js';
import { findWeakRmws } from '../program/weak-rmw.js';
import { textThread } from './text-thread.js';

/**
 * The fences of one thread: for each location that has one, ascending, the location that
 * `applyRepair` adds for it.
 */
export type FencePlaces = ReadonlyMap<LocationId, LocationId>;

/** The fences that some items put into a thread. */
export function fencePlaces(
  program: Program,
  items: readonly Repair[],
  thread: ThreadId,
): FencePlaces {
  const text = textThread(program, thread);
  const fenced = items.flatMap((item) =>
    item.kind === 'fence' && item.thread === text ? [item.location] : [],
  );
  return placesIn(at(program.threads, thread), fenced);
}

/** The fences at these locations of a thread. */
export function placesIn(
  { locations }: Thread<EventInstruction>,
  fenced: readonly LocationId[],
): FencePlaces {
  const inOrder = [...new Set(fenced)].sort((a, b) => a - b);
  return new Map(inOrder.map((location, i) => [location, locations.length + i]));
}

/**
 * A fence at a location: `l: inst` becomes `l: mfence; goto lf` and `lf: inst`, for every
 * instruction at `l` ([BDM13] Sect. 7). At an end it stands before the location instead: all that
 * led to `l` leads to `lf`, and `lf: mfence; goto l`. Transition ids stay, fences come behind them.
 */
export function insertFences<T extends Thread<EventInstruction>>(
  thread: T,
  fences: FencePlaces,
): T {
  if (fences.size === 0) return thread;
  const taken = thread.locations.map(({ name }) => name);
  const names = new UniqueNames([], { taken, suffix: String });
  const added = [...fences.keys()].map((location): Location => {
    const name = names.fresh(`${at(thread.locations, location).name}_fenced`);
    return { name, hidden: true };
  });
  const inner = new Set(thread.transitions.map(({ from }) => from));
  const entry = (to: LocationId): LocationId => (inner.has(to) ? to : (fences.get(to) ?? to));
  const moved = thread.transitions.map((transition): Transition<EventInstruction> => {
    const { from, to } = transition;
    return { ...transition, from: fences.get(from) ?? from, to: entry(to) };
  });
  const inserted = [...fences].map(([location, fresh]): Transition<EventInstruction> => {
    const [from, to] = inner.has(location) ? [location, fresh] : [fresh, location];
    return { from, to, instruction: { kind: 'fence' }, origin: {} };
  });
  return {
    ...thread,
    initial: entry(thread.initial),
    locations: [...thread.locations, ...added],
    transitions: [...moved, ...inserted],
  };
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

/**
 * The program with fences inserted and stores exchanged; `keep` items change nothing. Transition
 * ids stay, fences come behind them.
 */
export function applyRepair(program: Program, items: readonly Repair[]): Program {
  return {
    ...program,
    threads: program.threads.map((thread, t) => {
      const text = textThread(program, t);
      const own = items.filter((item) => item.thread === text);
      const exchanged = new Set(
        own.flatMap((item) => (item.kind === 'xchg' ? [item.transition] : [])),
      );
      return insertFences(replaceStores(thread, exchanged), fencePlaces(program, items, t));
    }),
  };
}

/**
 * Whether an instruction is a fence, or with `lockedStores` an exchange whose result is dropped.
 */
export function isRemovable({ instruction }: Transition, lockedStores: boolean): boolean {
  return (
    instruction.kind === 'fence' ||
    (lockedStores &&
      instruction.kind === 'rmw' &&
      instruction.into === undefined &&
      instruction.operation.name === 'xchg')
  );
}

/**
 * The instructions that `--minimise` may remove: fences, and with `lockedStores` exchanges whose
 * result is dropped; not what weak rmws are made of.
 */
export function removableInstructions(
  thread: Thread,
  lockedStores: boolean,
): ReadonlySet<TransitionId> {
  const weak = new Set(findWeakRmws(thread).flatMap(({ rmw, fence }) => [rmw, fence]));
  return new Set(
    thread.transitions.flatMap((transition, id) =>
      isRemovable(transition, lockedStores) && !weak.has(id) ? [id] : [],
    ),
  );
}

/**
 * The program in which every removable instruction that is not in `kept` is gone: a fence is a
 * `skip`, an exchange a store.
 */
export function withoutRemovable(
  program: Program,
  lockedStores: boolean,
  kept: readonly Repair[] = [],
): Program {
  const isKept = (t: number, id: number): boolean =>
    kept.some(
      (item) =>
        item.kind === 'keep' && item.thread === textThread(program, t) && item.transition === id,
    );
  const remove = (transition: Transition): Transition => {
    const { instruction } = transition;
    const value = instruction.kind === 'rmw' ? instruction.operation.operands[0] : undefined;
    if (instruction.kind !== 'rmw' || !value)
      return { ...transition, instruction: { kind: 'skip' } };
    const { address } = instruction;
    return { ...transition, instruction: { kind: 'store', address, value } };
  };
  return {
    ...program,
    threads: program.threads.map((thread, t) => {
      const removable = removableInstructions(thread, lockedStores);
      return {
        ...thread,
        transitions: thread.transitions.map((transition, id) =>
          removable.has(id) && !isKept(t, id) ? remove(transition) : transition,
        ),
      };
    }),
  };
}

/** Some of the items of a problem. */
export interface RepairChoice {
  readonly mode: RepairMode;
  readonly items: readonly PricedRepair[];
  /** Indices into `items`. */
  readonly chosen: readonly number[];
}

/**
 * The program with the chosen repairs: inserted, or, of one whose fences are minimised, left there
 * alone.
 */
export function repairedProgram(program: Program, { mode, items, chosen }: RepairChoice): Program {
  const repairs = chosen.map((index) => items[index]!);
  const base = mode.startsWith('minimise')
    ? withoutRemovable(program, mode === 'minimise-locked', repairs)
    : program;
  return applyRepair(base, repairs);
}
