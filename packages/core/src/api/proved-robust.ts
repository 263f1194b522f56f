import type { Limits } from '@fencewright/ground/base/budget.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { withinEffort } from '@fencewright/ground/solvers/within-effort.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { ProveResult } from '@fencewright/model/verdict/prove-result.js';
import { withSolver } from './decide-proof.js';
import { defaults } from './defaults.js';
import type { Environment } from './environment.js';
import { prove } from './prove.js';
import type { RobustnessQuestion } from './question.js';

/**
 * The solver's limit of work for a proof tried while a search goes on, in the solver's own unit;
 * for users who did not ask for a proof.
 */
const turnEffort = 5_000_000;

/**
 * Whether a proof, with inference limited by `turnEffort`, shows robustness; for searches that may
 * not end. Returns `false` without a solver.
 */
export async function isProvedRobust(
  about: Templates,
  { solver: choice, happensBefore = defaults.happensBefore }: RobustnessQuestion,
  limits: Limits,
  environment: Environment,
): Promise<boolean> {
  const found = await withSolver(choice, limits, environment, async (solver) => {
    const own = withinEffort(solver, turnEffort);
    const { maxStates: _, ...others } = limits;
    const options = { solver: own, limits: others, searchInstances: false, infer: true };
    return provesRobust((await prove(about, options)).result, happensBefore);
  });
  return found === true;
}

/** Whether a proof's verdict implies robustness for the given happens-before relation. */
export function provesRobust({ verdict }: ProveResult, happensBefore: HappensBefore): boolean {
  return (
    verdict.kind === 'proved' &&
    verdict.conclusion.kind === 'robust' &&
    (happensBefore === 'value' || verdict.conclusion.happensBefore === 'standard')
  );
}
