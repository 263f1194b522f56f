import { hasGuesses } from '@fencewright/model/analysis/guesses.js';
import { exactSum } from '@fencewright/ground/base/exact-sum.js';
import { computeControlFlow, computeReachableLocations } from '@fencewright/model/analysis/control-flow.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  partsOf,
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

/** Which repairs may be used: fences, locked exchanges for plain stores, or both in one optimum. */
export type RepairKind = 'fence' | 'xchg' | 'any';

/** Cost of a fence at a location and of an exchange in place of a store; both positive. */
export interface CostModel {
  readonly name: string;
  readonly fence: (thread: ThreadId, location: LocationId) => number;
  readonly xchg: (thread: ThreadId, store: TransitionId) => number;
  /** What a repair costs that has several parts is the sum of them, and not the largest. */
  readonly addsUp?: true;
}

/**
 * Make `program` robust with the cheapest set of `items`. Items of threads that share their text
 * are those of the first of them.
 */
export interface RepairProblem {
  /** The program without what may be removed. */
  readonly program: Program;
  readonly items: readonly PricedRepair[];
  /** Those of the items, by index, where some are to be preferred: see `placeRanks`. */
  readonly ranks?: readonly number[];
}

/** Whether no fence may stand at a location: some instruction there says `@nofence`. */
function isForbidden(program: Program, thread: ThreadId, location: LocationId): boolean {
  const transitions = program.threads[thread]?.transitions ?? [];
  return transitions.some(({ from, nofence }) => from === location && nofence === true);
}

/**
 * Every place for a fence and every store to exchange that `kind` and `@nofence` allow. The ends
 * that a thread reaches are places only `withEnds`: attacks delay stores past loads, so that
 * robustness never needs a fence there. A fence stands before the locations that `isBefore` says,
 * see `FencePart`.
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
    const reachable = computeReachableLocations(thread, flow);
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

/**
 * Which of the fences that the program has, and with `lockedStores` of its exchanges without a
 * result, have to stay.
 */
export function minimisationProblem(
  program: Program,
  lockedStores: boolean,
  costs: CostModel,
): RepairProblem {
  const items = program.threads.flatMap((thread, t) => {
    if (textThread(program, t) !== t) return [];
    const removable = removableInstructions(thread, lockedStores);
    return thread.transitions.flatMap((step, transition): PricedRepair[] => {
      if (!removable.has(transition)) return [];
      const isFence = step.instruction.kind === 'fence';
      const cost = isFence ? costs.fence(t, step.from) : costs.xchg(t, transition);
      return [{ kind: 'keep', thread: t, transition, cost }];
    });
  });
  return { program: withoutItems(program, items), items };
}

/**
 * The same where the text of the program says what can be done, in place of its automata: inserted,
 * or, of `keep`, left there. A repair costs what the dearest of its parts does, or all together
 * where the costs say so.
 */
export function problemOfText(
  program: Program,
  repairs: readonly TextRepair[],
  costs: CostModel,
): RepairProblem {
  const costOf = (part: Repair): number => {
    const { thread } = part;
    if (part.kind === 'fence') return costs.fence(thread, part.location);
    const step = program.threads[thread]?.transitions[part.transition];
    return part.kind === 'keep' && step?.instruction.kind === 'fence'
      ? costs.fence(thread, step.from)
      : costs.xchg(thread, part.transition);
  };
  const items = repairs.map(({ repair }): PricedRepair => {
    const all = partsOf(repair).map(costOf);
    return { ...repair, cost: costs.addsUp ? exactSum(all) : Math.max(...all) };
  });
  const kinds = repairs.map(({ rank }) => rank);
  return { program: withoutItems(program, items), items, ranks: placeRanks(program, items, kinds) };
}

/**
 * Whether items are known to do nothing but stop attacks, in a notion of happens-before. By values
 * that is not so in programs with read abstractions, for which a fence that stands between a load
 * and its `havoc` has not been thought through. Exchanges do more by values: what they read counts
 * even if nobody keeps it, so an exchange after a store of its own value, which would be ordered by
 * nothing as a store, gives other threads' attacks a path.
 */
export function isMonotone(
  { program, items }: RepairProblem,
  happensBefore: HappensBefore,
): boolean {
  if (happensBefore === 'value' && hasGuesses(program)) return false;
  return (
    happensBefore === 'standard' ||
    items
      .flatMap((item) => partsOf(item))
      .every(
        (item) =>
          item.kind === 'fence' ||
          program.threads[item.thread]?.transitions[item.transition]?.instruction.kind !== 'store',
      )
  );
}

/** What the items do to one thread. */
export function toBlockedSteps(
  program: Program,
  items: readonly Repair[],
  thread: ThreadId,
): BlockedSteps {
  const text = textThread(program, thread);
  const locations = new Set<LocationId>();
  const transitions = new Set<TransitionId>();
  for (const item of items.flatMap((each) => partsOf(each))) {
    if (item.thread !== text) continue;
    if (item.kind === 'fence') locations.add(item.location);
    else transitions.add(item.transition);
  }
  return { locations, transitions };
}

/**
 * The items, as indices into `items`, each of which stops the witness: every repaired program has
 * one of them.
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

/** Whether a part of the repair has one of these names. */
export function isNamed(repair: Repair, names: ReadonlySet<string>): boolean {
  return partsOf(repair).some((part) => names.has(repairName(part)));
}
