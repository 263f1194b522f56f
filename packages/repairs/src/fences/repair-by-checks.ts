import type { Budget } from '@fencewright/ground/base/budget.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { HittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import { at } from '@fencewright/ground/base/at.js';
import { verifiedWitness } from '@fencewright/engines/robustness/lift-witness.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { CheckResult, UnknownReason, Witness } from '@fencewright/model/verdict/verdict.js';
import { applyRepair } from './apply-repair.js';
import { findCheapest } from './cheapest-hitting.js';
import type { RepairClause } from './hit-attacks.js';
import type { RepairRun } from './optimal-repair.js';
import { itemsThatStop, type RepairProblem } from './repair-problem.js';

/** A function that decides whether a program is robust, by any engine. */
export type RobustnessJudge = (
  program: Program,
) => Promise<Pick<CheckResult, 'verdict' | 'statistics' | 'diagnostics'>>;

interface RunOfChecks extends RepairRun {
  /** The engine's messages about programs that the engine could not check; mostly empty. */
  readonly problems: readonly Diagnostic[];
}

/**
 * Finds a cheapest set of fences that makes the program robust, with an engine that knows no
 * repairs: the fences of each choice are inserted, and the engine is asked about the whole program
 * ([BDM13] Sects. 7 and 8). The items have to be fences.
 */
export async function findRepairByChecks(
  problem: RepairProblem,
  {
    budget,
    solver,
    judge,
  }: Readonly<{
    budget: Budget;
    solver: HittingSetSolver;
    judge: RobustnessJudge;
  }>,
): Promise<RunOfChecks> {
  const { program, items, ranks } = problem;
  let rounds = 0;
  let states = 0;
  let problems: readonly Diagnostic[] = [];
  const refute = async (
    chosen: readonly number[],
  ): Promise<RepairClause | UnknownReason | undefined> => {
    const repairs = chosen.map((index) => at(items, index));
    const { verdict, statistics, diagnostics } = await judge(applyRepair(program, repairs));
    rounds++;
    states += statistics.states;
    switch (verdict.kind) {
      case 'robust':
        return undefined;
      case 'not-robust': {
        const witness = withoutFences(program, verdict.witness);
        return { items: itemsThatStop(problem, witness), witness };
      }
      case 'unknown':
        return verdict.reason;
      case 'error':
        problems = diagnostics;
        return 'unsupported';
    }
  };
  const costs = items.map(({ cost }) => cost);
  const asked = { costs, ...(ranks && { ranks }), solver, budget, refute };
  const answer = await findCheapest(asked);
  return { answer, faults: [], rounds, states, problems };
}

/** Converts a witness of a program with inserted fences to a witness of the original program. */
function withoutFences(program: Program, { attack, computation }: Witness): Witness {
  const own = computation.filter(
    ({ thread, transition }) => transition < at(program.threads, thread).transitions.length,
  );
  return verifiedWitness(program, attack, own, 'standard');
}
