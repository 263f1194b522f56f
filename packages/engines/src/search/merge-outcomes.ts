import type { Exhaustion } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { FaultyStep } from '@fencewright/model/semantics/machine.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import {
  compareWitnesses,
  firstFound,
  turnOf,
  type AttackerProgress,
  type AttackerStates,
  type FoundAttack,
  type FoundWitness,
  type RoundOutcome,
  type StageStates,
  type Turn,
} from './round-outcome.js';

/** The combined findings of several searches for attackers of one program. */
export interface MergedOutcome {
  /**
   * The feasible attacks, each given for the first of the threads with equal code. An attack may
   * occur twice.
   */
  readonly found: readonly FoundAttack[];
  readonly witness?: Witness;
  /** The limit that kept the searches from deciding every attack; absent if there is none. */
  readonly exhausted?: Exhaustion;
  /** The steps that faulted in some search, ordered by thread and transition. */
  readonly faults: readonly FaultyStep[];
  /** The numbers of states of all searches; states of the first phase count once. */
  readonly states: AttackerStates & { readonly sequential: number };
}

/** Returns, for each attacker, its furthest progress in the outcomes of several searches. */
function furthest(outcomes: readonly RoundOutcome[]): readonly AttackerProgress[] {
  const known = new Map<number, AttackerProgress>();
  for (const progress of outcomes.flatMap(({ attackers }) => attackers)) {
    const other = known.get(progress.thread);
    const isFurther =
      !other?.isDecided &&
      (progress.isDecided || progress.statesAfter.length > (other?.statesAfter.length ?? -1));
    if (isFurther) known.set(progress.thread, progress);
  }
  return [...known.values()];
}

/**
 * Returns the numbers of states that a search had stored at the end of its latest turn not after
 * `last`; `none` if it had no such turn. If `last` is `Infinity`, returns the current numbers.
 * `turnIn` gives the turn in which a stage ends.
 */
function statesUpTo<Count>(
  progress: StageStates<Count>,
  last: Turn,
  none: Count,
  turnIn: (stage: number) => Turn,
): Count {
  const { states, statesAfter } = progress;
  if (last === Infinity) return states;
  return statesAfter.findLast((_, stage) => turnIn(stage) <= last) ?? none;
}

const noStates: AttackerStates = { delaying: 0, path: 0, fewThreads: 0 };

function sumOf(states: readonly AttackerStates[]): AttackerStates {
  return states.reduce(
    (sum, { delaying, path, fewThreads }) => ({
      delaying: sum.delaying + delaying,
      path: sum.path + path,
      fewThreads: sum.fewThreads + fewThreads,
    }),
    noStates,
  );
}

function bestOf(witnesses: readonly FoundWitness[]): FoundWitness | undefined {
  let best: FoundWitness | undefined;
  for (const one of witnesses)
    if (!best || compareWitnesses(one.witness.computation.length, one.turn, best) < 0) best = one;
  return best;
}

function mergeFaults(outcomes: readonly RoundOutcome[]): readonly FaultyStep[] {
  const faults = outcomes.flatMap(({ faults: own }) =>
    own.map((fault) => [`${fault.thread}.${fault.transition}.${fault.fault}`, fault] as const),
  );
  return [...new Map(faults).values()].sort(
    (a, b) => a.thread - b.thread || a.transition - b.transition || a.fault.localeCompare(b.fault),
  );
}

/**
 * Merges the outcome of a search in a program with `threads` threads with the outcomes of searches
 * to which attackers were handed over. With `stopAtFirst`, the result equals the result of a single
 * search of all attackers: attacks found after the first feasible attack do not count.
 */
export function mergeOutcomes(
  own: RoundOutcome,
  others: readonly RoundOutcome[],
  threads: number,
  stopAtFirst: boolean,
): MergedOutcome {
  const outcomes = [own, ...others];
  const last = stopAtFirst ? firstFound(outcomes) : Infinity;
  const attackers = furthest(outcomes);
  const best = bestOf(
    outcomes.flatMap(({ witness = [] }) => witness).filter(({ turn }) => turn <= last),
  );
  const firstPhase = outcomes.map((outcome) =>
    statesUpTo(outcome.firstPhase, last, 0, (stage) => turnOf(stage, 0, threads)),
  );
  const isOver = last < Infinity || attackers.every(({ isFinished }) => isFinished);
  if (!isOver && !own.exhausted && !attackers.every(({ isDecided }) => isDecided))
    throw new InternalError('an attacker that nobody has searched to the end');
  return {
    found: outcomes.flatMap(({ found }) => found.filter(({ turn }) => turn <= last)),
    ...(best && { witness: best.witness }),
    ...(own.exhausted && !isOver && { exhausted: own.exhausted }),
    faults: mergeFaults(outcomes),
    states: {
      sequential: Math.max(...firstPhase),
      ...sumOf(
        attackers.map((progress) =>
          statesUpTo(progress, last, noStates, (stage) => turnOf(stage, progress.thread, threads)),
        ),
      ),
    },
  };
}
