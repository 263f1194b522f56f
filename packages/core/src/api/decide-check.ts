import { whyFaultFree } from '@fencewright/model/analysis/possible-faults.js';
import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { ThreadModel, UnboundedModel } from '@fencewright/model/program/model.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import { decideRobustness } from './decide-robustness.js';
import type { Environment } from './environment.js';
import type { CheckQuestion } from './question.js';
import type { ResultOf } from './result.js';
import { mayProveUnasked } from './unasked-proof.js';

/**
 * The states of the first search for any number of threads with numbers that may grow without
 * bound: most violations take fewer.
 */
const firstStates = 5_000;

/**
 * Decides robustness. The search for any number of threads need not end if numbers grow, as tickets
 * do: then a short search comes first, a proof second, and the whole search last.
 */
export async function decideCheck(
  model: ThreadModel,
  question: CheckQuestion,
  limits: Limits,
  environment: Environment,
): Promise<ResultOf<'check'> | ResultOf<'refused'>> {
  const search = async (within: Limits): Promise<ResultOf<'check'> | ResultOf<'refused'>> => {
    const found = await decideRobustness(model, question, within, environment);
    return 'kind' in found ? found : { kind: 'check', ...found };
  };
  const { maxStates = Infinity } = limits;
  const isLong = model.kind === 'unbounded' && mayNeedProof(model, question, environment);
  if (!isLong || maxStates <= firstStates) return search(limits);
  const budget = new Budget(limits);
  const first = await search({ ...limits, maxStates: firstStates });
  if (first.kind !== 'check' || first.result?.verdict.kind !== 'unknown') return first;
  if (limits.signal?.aborted) return first;
  const { proofBesideSearch } = await import('./decide-by-proof.js');
  const settlement = await proofBesideSearch(model, question, budget.share(1), environment);
  // The first search was cut short by its own limit, which is nothing to report.
  if (settlement) return { kind: 'check', about: first.about, settlement };
  return search(budget.share(1));
}

/** Whether the search may go on for ever, and a proof is possible and gives what is asked. */
function mayNeedProof(
  { templates }: UnboundedModel,
  question: CheckQuestion,
  environment: Environment,
): boolean {
  return (
    mayProveUnasked(templates, question, environment) &&
    !hasHeavyFences(templates) &&
    !usesWideValues(templates) &&
    whyFaultFree(templates) === undefined
  );
}
