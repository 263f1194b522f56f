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

/** The solver's effort for a proof beside a search, if the user did not ask for a proof. */
const turnEffort = 5_000_000;

/**
 * Whether movers prove robustness, with inference within `turnEffort`; meant for searches that
 * grow. Without a solver there is no proof.
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
    return answers((await prove(about, options)).result, happensBefore);
  });
  return found === true;
}

/** Whether the proof shows robustness for the given happens-before relation. */
export function answers({ verdict }: ProveResult, happensBefore: HappensBefore): boolean {
  return (
    verdict.kind === 'proved' &&
    verdict.conclusion.kind === 'robust' &&
    (happensBefore === 'value' || verdict.conclusion.happensBefore === 'standard')
  );
}
