import { Budget, type Limits } from '../base/budget.js';
import type { Program } from '../program/program.js';
import { searchAttacks } from '../search/attack-search.js';
import { knowsEnds, type ModelReach, type ReachResult } from '../verdict/reach-result.js';
import { toVerdict } from './decision-result.js';
import { faultDiagnostics } from './fault-diagnostics.js';
import { finalStateKey, reachUnder, type ReachUnder } from './reach-under.js';
import { addFoundUnderSc, completeByRobustness } from './settle-under-tso.js';

export interface ReachOptions {
  /**
   * One allowance for all of it: SC is explored first, with three quarters of the states and the
   * time at most; then TSO, which leaves a part to the question whether the program is robust.
   */
  readonly limits?: Limits;
  /**
   * How many stores a buffer holds under TSO, at least 1; as many as the program puts into it where
   * absent. Executions that need more are not seen, and the result says so unless there are none.
   */
  readonly buffer?: number;
}

function compareFinalStates(sc: ModelReach, tso: ModelReach): ReachResult['sameFinalStates'] {
  const keys = (reach: ModelReach) => new Set(reach.finalStates.map(finalStateKey));
  const sequential = keys(sc);
  if (!sc.incomplete && [...keys(tso)].some((key) => !sequential.has(key))) return 'no';
  return sc.incomplete || !knowsEnds(tso) ? 'unknown' : 'yes';
}

/** Explores with a share of what is left of the budget. */
async function exploreWith(
  share: number,
  budget: Budget,
  explore: (part: Budget) => Promise<ReachUnder>,
): Promise<ReachUnder> {
  const part = budget.slice(share);
  const explored = await explore(part);
  budget.finishSearch(part.finishedStates, part.mostBytes);
  return explored;
}

/** Searches for an attack, with what is left of the budget. */
async function askRobustness(
  program: Program,
  budget: Budget,
): Promise<NonNullable<ReachResult['robustness']>> {
  const { kind } = toVerdict(await searchAttacks(program, { budget, allAttacks: false }));
  return kind === 'error' ? 'unknown' : kind;
}

/**
 * The reachable and the final states of a program under SC and under TSO, with its properties.
 * Exact where neither side is `incomplete`; what an incomplete side says beyond `unknown` is right
 * as well, see `completeByRobustness`.
 */
export async function reach(program: Program, options: ReachOptions = {}): Promise<ReachResult> {
  const budget = new Budget(options.limits);
  const sc = await exploreWith(3 / 4, budget, (part) => reachUnder('SC', program, part));
  const { buffer } = options;
  const bounds = buffer === undefined ? {} : { buffer };
  const share = sc.reach.incomplete ? 1 : 3 / 4;
  const explored = await exploreWith(share, budget, (part) =>
    reachUnder('TSO', program, part, bounds),
  );
  const isFaulty = sc.faults.length + explored.faults.length > 0;
  let tso = explored.reach;
  if (tso.incomplete) tso = addFoundUnderSc(program, sc.reach, tso, finalStateKey);
  let robustness: ReachResult['robustness'];
  if (!isFaulty && !sc.reach.incomplete && compareFinalStates(sc.reach, tso) !== 'no')
    robustness = await askRobustness(program, budget);
  if (tso.incomplete && robustness === 'robust') tso = completeByRobustness(program, sc.reach, tso);
  const faults = new Map(
    [...sc.faults, ...explored.faults].map((fault) => [
      `${fault.thread}.${fault.transition}.${fault.fault}`,
      fault,
    ]),
  );
  return {
    sc: sc.reach,
    tso,
    sameFinalStates: compareFinalStates(sc.reach, tso),
    ...(robustness && { robustness }),
    milliseconds: budget.milliseconds,
    diagnostics: faultDiagnostics(program, [...faults.values()]),
  };
}
