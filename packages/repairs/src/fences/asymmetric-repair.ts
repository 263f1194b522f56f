import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import type { HittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import type { SearchOptions } from '@fencewright/engines/search/search-session.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  type FencePart,
  singleRepairs,
  type RepairMode,
} from '@fencewright/model/program/repair.js';
import { repairedProgram } from './apply-repair.js';
import { findHeavyRepair } from './heavy-repair.js';
import { findOptimalRepair, type RepairRun } from './optimal-repair.js';
import { type CostModel, type RepairProblem, withHeavyItems } from './repair-problem.js';

interface AsymmetricOptions extends SearchOptions {
  readonly budget: Budget;
  readonly solver: HittingSetSolver;
}

/** The answer to a repair problem whose items may be heavy fences. */
interface AsymmetricRun {
  readonly run: RepairRun;
  /** The repair problem among whose items the answer chooses. */
  readonly problem: RepairProblem;
  /**
   * The full fences that would be needed instead of the chosen heavy fences. Beside the heavy
   * fences, light fences suffice in these places.
   */
  readonly spared: readonly FencePart[];
  /** Whether heavy fences are in the program, or among the items of the problem. */
  readonly isHeavy: boolean;
}

/**
 * Finds a cheapest set of items, with heavy fences as further items if `costs` gives their costs.
 * The program may have heavy fences, too. If the program has none, the problem without heavy fences
 * is solved first: only heavy fences that cost less than this solution can improve the result.
 */
export async function findAsymmetricRepair(
  program: Program,
  mode: RepairMode,
  costs: CostModel | false,
  problem: RepairProblem,
  options: AsymmetricOptions,
): Promise<AsymmetricRun> {
  const plain = hasHeavyFences(program) ? undefined : await findOptimalRepair(problem, options);
  const answer = plain?.answer;
  const below = answer?.kind === 'optimal' ? answer.cost : Number.POSITIVE_INFINITY;
  const asked = costs ? withHeavyItems(problem, costs, below) : problem;
  const heavy = asked.items.slice(problem.items.length);
  if (plain && (heavy.length === 0 || answer?.kind === 'unknown'))
    return { run: withBound(plain, heavy), problem, spared: [], isHeavy: false };
  const known =
    answer?.kind === 'optimal'
      ? answer.clauses
      : answer?.kind === 'impossible'
        ? [answer.clause]
        : [];
  const { items } = asked;
  const run = await findHeavyRepair(
    {
      problem: asked,
      repaired: (chosen) => repairedProgram(program, { mode, items, chosen }),
      known: known.map(({ witness }) => witness),
    },
    options,
  );
  const spared =
    run.answer.kind === 'optimal' && costs
      ? await sparedFences(asked, run.answer.chosen, options)
      : [];
  const { rounds, states } = plain ?? { rounds: 0, states: 0 };
  const whole = { ...run, rounds: run.rounds + rounds, states: run.states + states };
  return { run: whole, problem: asked, spared, isHeavy: true };
}

/**
 * Lowers the bound on the cost in an unknown answer, so that the bound also holds for sets with
 * some of the heavy fences `heavy`; returns other answers unchanged.
 */
function withBound(run: RepairRun, heavy: RepairProblem['items']): RepairRun {
  const { answer } = run;
  if (answer.kind !== 'unknown' || heavy.length === 0) return run;
  const bound = Math.min(answer.bound, ...heavy.map(({ cost }) => cost));
  return { ...run, answer: { ...answer, bound } };
}

function placeName({ thread, location }: FencePart): string {
  return `${thread} ${location}`;
}

/**
 * Returns the fewest fences that could replace the chosen heavy fences; an empty list if the fewest
 * fences are not known.
 */
async function sparedFences(
  { program, items }: RepairProblem,
  chosen: readonly number[],
  options: AsymmetricOptions,
): Promise<readonly FencePart[]> {
  const isHeavy = (index: number): boolean => {
    const item = at(items, index);
    return item.kind === 'fence' && item.heavy !== undefined;
  };
  if (!chosen.some(isHeavy)) return [];
  const others = chosen.filter((index) => !isHeavy(index));
  const kept = others.map((index) => at(items, index));
  const fences = items.flatMap((item, index) =>
    item.kind === 'fence' && !isHeavy(index) && !others.includes(index)
      ? [{ ...item, cost: 1 }]
      : [],
  );
  const problem: RepairProblem = { program, items: [...kept, ...fences] };
  const always = kept.map((_, index) => index);
  const repaired = (some: readonly number[]): Program =>
    repairedProgram(program, {
      ...{ mode: 'any', items: problem.items },
      chosen: [...new Set([...always, ...some])],
    });
  const heavyNames = chosen
    .filter(isHeavy)
    .flatMap((index) => singleRepairs(at(items, index)))
    .flatMap((part) => (part.kind === 'fence' ? [placeName(part)] : []));
  // Where a heavy fence is chosen, no plain fence is listed: a heavy fence orders the compiler,
  // too.
  const isHeavyThere = (part: FencePart): boolean => heavyNames.includes(placeName(part));
  const { answer } = await findHeavyRepair({ problem, repaired }, options);
  if (answer.kind !== 'optimal') return [];
  return answer.chosen
    .filter((index) => index >= kept.length)
    .flatMap((index) => singleRepairs(at(problem.items, index)))
    .flatMap((part) => (part.kind === 'fence' && !isHeavyThere(part) ? [part] : []));
}
