import { whyFaultFree } from '@fencewright/model/analysis/possible-faults.js';
import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { UnboundedModel } from '@fencewright/model/program/model.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import { type Checked, decideRobustness } from './decide-robustness.js';
import type { Environment } from './environment.js';
import type { CheckQuestion } from './question.js';
import type { ResultOf } from './result.js';
import { mayProveUnasked } from './unasked-proof.js';

/**
 * The maximum number of states of the first search for any number of threads whose numbers may grow
 * without bound; most violations take fewer.
 */
const firstStates = 5_000;

/** The answer to a check that only a proof, and no search, has given. */
export type Proved = Required<Pick<ResultOf<'check'>, 'about' | 'settlement'>>;

/**
 * Decides robustness for any number of threads. The search need not end if the program's numbers
 * grow, as tickets do. For such a program, a short search comes first, then a proof, and last a
 * search without this limit.
 */
export async function searchOrProve(
  model: UnboundedModel,
  question: CheckQuestion,
  limits: Limits,
  environment: Environment,
): Promise<Checked | Proved | ResultOf<'refused'>> {
  const search = (within: Limits): Promise<Checked | ResultOf<'refused'>> =>
    decideRobustness(model, question, within, environment);
  const { maxStates = Infinity } = limits;
  if (maxStates <= firstStates || !mayNeedProof(model, question, environment))
    return search(limits);
  const budget = new Budget(limits);
  const first = await search({ ...limits, maxStates: firstStates });
  if ('kind' in first || first.result.verdict.kind !== 'unknown') return first;
  if (limits.signal?.aborted) return first;
  const { proofBesideSearch } = await import('./decide-by-proof.js');
  const settlement = await proofBesideSearch(model, question, budget.share(1), environment);
  // If the proof has no answer either, the search is repeated without the limit of the first
  // search.
  return settlement ? { about: first.about, settlement } : search(budget.share(1));
}

/** Whether the search may go on for ever, and a proof is possible and answers the question. */
function mayNeedProof(
  { templates }: UnboundedModel,
  question: CheckQuestion,
  environment: Environment,
): boolean {
  return (
    mayProveUnasked(question, environment) &&
    !hasHeavyFences(templates) &&
    !usesWideValues(templates) &&
    whyFaultFree(templates) === undefined
  );
}
