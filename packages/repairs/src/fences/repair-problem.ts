import { at } from '@fencewright/ground/base/at.js';
import { computeLockBlocks } from '@fencewright/model/analysis/lock-blocks.js';
import { hasGuesses } from '@fencewright/model/analysis/guesses.js';
import { exactSum } from '@fencewright/ground/base/exact-sum.js';
import {
  computeControlFlow,
  computeReachableLocations,
} from '@fencewright/model/analysis/control-flow.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  type FencePart,
  singleRepairs,
  type PricedRepair,
  type Repair,
  repairName,
  type TextRepair,
} from '@fencewright/model/program/repair.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import type { BlockedSteps } from '@fencewright/engines/automata/attacker-automaton.js';
import { removableInstructions, withoutItems } from './apply-repair.js';
import { placeRanks } from './place-ranks.js';
import { textThread } from './text-thread.js';
import { attackerPath } from './witness-path.js';

/**
 * The default cost of a heavy fence, as a multiple of the cost of a fence: a heavy fence is a
 * system call that interrupts all processors.
 */
export const heavyRate = 500;

/**
 * The allowed kinds of repairs: fences, locked exchanges for plain stores, or both in one optimum.
 */
export type RepairKind = 'fence' | 'xchg' | 'any';

/**
 * The costs of repairs: of a fence at a location, and of an exchange in place of a store; both
 * positive.
 */
export interface CostModel {
  readonly name: string;
  readonly fence: (thread: ThreadId, location: LocationId) => number;
  readonly xchg: (thread: ThreadId, store: TransitionId) => number;
  /** The cost of a heavy fence at a location; by default `heavyRate` times the cost of a fence. */
  readonly heavy?: (thread: ThreadId, location: LocationId) => number;
  /**
   * Whether the cost of a repair with several parts is the sum of their costs, instead of the
   * maximum.
   */
  readonly addsUp?: true;
}

/**
 * A repair problem: make `program` robust with the cheapest set of `items`. For threads with a
 * common text, items name the first of these threads.
 */
export interface RepairProblem {
  /** The program to be repaired, without the removable instructions. */
  readonly program: Program;
  readonly items: readonly PricedRepair[];
  /** The ranks of the items, by index, if some items are preferred: see `placeRanks`. */
  readonly ranks?: readonly number[];
  /** The ranks of the items' places in the text, by index; absent if the program has no text. */
  readonly kinds?: readonly number[];
  /** Whether a heavy fence can be where an item is a fence; absent means everywhere. */
  readonly canBeHeavy?: (thread: ThreadId, location: LocationId) => boolean;
}

/** Whether fences are forbidden at a location: some instruction there has `@nofence`. */
function isForbidden(program: Program, thread: ThreadId, location: LocationId): boolean {
  const transitions = program.threads[thread]?.transitions ?? [];
  return transitions.some(({ from, nofence }) => from === location && nofence === true);
}

/**
 * Returns the problem of inserting repairs: the items are all fences and exchanges of stores
 * allowed by `kind` and `@nofence`. With `withEnds`, fences at reachable ends of threads are items,
 * too. Robustness never needs such a fence, since attacks delay stores past loads. At locations
 * selected by `isBefore`, the fence stands before the location, see `FencePart`.
 */
export function insertionProblem(
  program: Program,
  kind: RepairKind,
  costs: CostModel,
  {
    withEnds = false,
    isBefore = () => false,
  }: {
    readonly withEnds?: boolean;
    readonly isBefore?: (thread: ThreadId, location: LocationId) => boolean;
  } = {},
): RepairProblem {
  const items = program.threads.flatMap((thread, t): PricedRepair[] => {
    if (textThread(program, t) !== t) return [];
    const flow = computeControlFlow(thread);
    const reachable = computeReachableLocations(thread);
    const fences = thread.locations.flatMap((_, location): PricedRepair[] => {
      if (kind === 'xchg' || reachable[location] !== true) return [];
      const isEnd = flow.outgoing[location]?.length === 0;
      if (isEnd && !(withEnds && location !== thread.initial)) return [];
      if (isForbidden(program, t, location)) return [];
      const before = !isEnd && isBefore(t, location) && { before: true as const };
      return [{ kind: 'fence', thread: t, location, ...before, cost: costs.fence(t, location) }];
    });
    const exchanges = thread.transitions.flatMap(({ instruction }, transition): PricedRepair[] => {
      if (kind === 'fence' || instruction.kind !== 'store') return [];
      return [{ kind: 'xchg', thread: t, transition, cost: costs.xchg(t, transition) }];
    });
    return [...fences, ...exchanges];
  });
  return { program, items, ranks: placeRanks(program, items) };
}

/** Returns the cost of a repair, given the costs of its parts. */
function wholeCost(costs: CostModel, all: readonly number[]): number {
  return costs.addsUp ? exactSum(all) : Math.max(...all);
}

/** Returns the cost of a heavy fence at a location. */
function heavyCost(costs: CostModel, thread: ThreadId, location: LocationId): number {
  return costs.heavy?.(thread, location) ?? heavyRate * costs.fence(thread, location);
}

/**
 * Returns the problem with heavy fences as further items, if their costs are less than `below`: at
 * every place for a fence outside lock blocks that has room for them, as many as there are other
 * threads. In each cycle of happens-before with a heavy fence not all threads delay stores, and
 * delays outnumber heavy fences. So more heavy fences at one place are never of use.
 */
export function withHeavyItems(
  { program, items, canBeHeavy = () => true }: RepairProblem,
  costs: CostModel,
  below: number,
): RepairProblem {
  const most = program.threads.length - 1;
  const heavy = items.flatMap((item): PricedRepair[] => {
    if (item.kind !== 'fence' || item.before) return [];
    const parts = singleRepairs(item).flatMap((part) => (part.kind === 'fence' ? [part] : []));
    const mayBe = ({ thread, location }: FencePart): boolean =>
      mayBeHeavy(program, thread, location) && canBeHeavy(thread, location);
    if (!parts.every(mayBe)) return [];
    const all = parts.map(({ thread, location }) => heavyCost(costs, thread, location));
    const cost = wholeCost(costs, all);
    if (cost >= below) return [];
    return Array.from({ length: most }, (_, i) => ({ ...item, heavy: i + 1, cost }));
  });
  const all = [...items, ...heavy];
  return { program, items: all, ranks: placeRanks(program, all) };
}

/** Whether a heavy fence may stand at a location: the thread does not hold the bus lock there. */
function mayBeHeavy({ threads }: Program, thread: ThreadId, location: LocationId): boolean {
  return computeLockBlocks(at(threads, thread))(location).length === 0;
}

/**
 * Returns the problem of choosing the existing fences that have to stay, and with `lockedStores`
 * also the exchanges with dropped result.
 */
export function minimisationProblem(
  program: Program,
  lockedStores: boolean,
  costs: CostModel,
): RepairProblem {
  const items = program.threads.flatMap((thread, t) => {
    if (textThread(program, t) !== t) return [];
    const removable = removableInstructions(thread, lockedStores);
    return thread.transitions.flatMap((_, transition): PricedRepair[] => {
      if (!removable.has(transition)) return [];
      const cost = costOfKeeping(program, t, transition, costs);
      return [{ kind: 'keep', thread: t, transition, cost }];
    });
  });
  return { program: withoutItems(program, items), items };
}

/** Returns the cost of keeping an instruction that the problem may remove. */
function costOfKeeping(
  { threads }: Program,
  thread: ThreadId,
  transition: TransitionId,
  costs: CostModel,
): number {
  const { from, instruction } = at(at(threads, thread).transitions, transition);
  switch (instruction.kind) {
    case 'fence':
      return costs.fence(thread, from);
    case 'heavy-fence':
      return heavyCost(costs, thread, from);
    default:
      return costs.xchg(thread, transition);
  }
}

/**
 * Returns the problem whose items are the repairs that can be written into the text of the program:
 * insertions, or, for `keep`, instructions to keep. The cost of a repair is the maximum cost of its
 * parts, or the sum of these costs with `addsUp`.
 */
export function problemOfText(
  program: Program,
  repairs: readonly TextRepair[],
  costs: CostModel,
): RepairProblem {
  const costOf = (part: Repair): number => {
    const { thread } = part;
    if (part.kind === 'fence') return costs.fence(thread, part.location);
    return part.kind === 'keep'
      ? costOfKeeping(program, thread, part.transition, costs)
      : costs.xchg(thread, part.transition);
  };
  const items = repairs.map(({ repair }): PricedRepair => {
    const all = singleRepairs(repair).map(costOf);
    return { ...repair, cost: wholeCost(costs, all) };
  });
  const kinds = repairs.map(({ rank }) => rank);
  const ranks = placeRanks(program, items, kinds);
  return { program: withoutItems(program, items), items, ranks, kinds };
}

/**
 * Whether items are known to have no other effect than to stop attacks, in a notion of
 * happens-before. For `value` this fails in programs with read abstractions: a fence between a load
 * and its `havoc` has not been analysed. For `value` exchanges also do more: the value read counts
 * even if dropped. An exchange after a store of an equal value, which would be unordered as a
 * store, therefore gives attacks of other threads a path.
 */
export function isMonotone(
  { program, items }: RepairProblem,
  happensBefore: HappensBefore,
): boolean {
  if (happensBefore === 'value' && hasGuesses(program)) return false;
  return (
    happensBefore === 'standard' ||
    items
      .flatMap((item) => singleRepairs(item))
      .every(
        (item) =>
          item.kind === 'fence' ||
          program.threads[item.thread]?.transitions[item.transition]?.instruction.kind !== 'store',
      )
  );
}

/** Returns the steps at which a thread drains the store buffer because of the items. */
export function toBlockedSteps(
  program: Program,
  items: readonly Repair[],
  thread: ThreadId,
): BlockedSteps {
  const text = textThread(program, thread);
  const locations = new Set<LocationId>();
  const transitions = new Set<TransitionId>();
  for (const item of items.flatMap((each) => singleRepairs(each))) {
    if (item.thread !== text) continue;
    if (item.kind === 'fence') locations.add(item.location);
    else transitions.add(item.transition);
  }
  return { locations, transitions };
}

/**
 * Returns the items sufficient alone to stop the witness, as indices into `items`. Every repaired
 * program has at least one of the returned items.
 */
export function itemsThatStop(
  { program, items }: RepairProblem,
  witness: Witness,
): readonly number[] {
  const thread = textThread(program, witness.attack.thread);
  const { locations, transitions } = attackerPath(program, witness);
  const names = new Set([
    ...locations.map((location) => repairName({ kind: 'fence', thread, location })),
    // The last load cannot be exchanged or kept, the first store can.
    ...transitions.flatMap((transition) => [
      repairName({ kind: 'xchg', thread, transition }),
      repairName({ kind: 'keep', thread, transition }),
    ]),
  ]);
  return items.flatMap((item, index) => (isNamed(item, names) ? [index] : []));
}

/** Whether a part of the repair has a name in `names`. */
export function isNamed(repair: Repair, names: ReadonlySet<string>): boolean {
  return singleRepairs(repair).some((part) => names.has(repairName(part)));
}
