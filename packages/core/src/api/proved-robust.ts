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

/** What a solver may do in its turn beside a search that nobody asked to be helped. */
const turnEffort = 5_000_000;

/**
 * Whether a proof of robustness is found by movers, with what can be inferred within `turnEffort`:
 * for searches that grow. Without a solver there is none.
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

/** Whether the proof is one of robustness, in the notion that was asked for. */
export function answers({ verdict }: ProveResult, happensBefore: HappensBefore): boolean {
  return (
    verdict.kind === 'proved' &&
    verdict.conclusion.kind === 'robust' &&
    (happensBefore === 'value' || verdict.conclusion.happensBefore === 'standard')
  );
}
