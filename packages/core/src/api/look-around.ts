import { mayMeetLimit } from '@fencewright/model/analysis/model-limits.js';
import { whyFaultFree } from '@fencewright/model/analysis/possible-faults.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Decision } from '@fencewright/engines/robustness/decision.js';
import { SearchSession } from '@fencewright/engines/search/search-session.js';
import { lookAtSequential } from '@fencewright/engines/search/sequential-look.js';
import type { FaultFindings, Verdict } from '@fencewright/model/verdict/verdict.js';
import { toVerdict } from './decision-result.js';

/**
 * Returns the decision. If it is `robust` and the engine has not explored the SC executions, calls
 * `onDecided`, explores them and adds the findings (`look`, `faults`).
 */
export async function lookAround(
  program: Program,
  decision: Decision,
  budget: Budget,
  onDecided: (decision: Decision) => void,
): Promise<Decision> {
  if (decision.look || toVerdict(decision).kind !== 'robust') return decision;
  onDecided(decision);
  const needsEnd = decision.isFaultFree !== true && mayMeetLimit(program);
  const session = new SearchSession(program, {});
  const look = await lookAtSequential(session, budget, needsEnd);
  return { ...decision, look, faults: look.faults };
}

/**
 * Returns the verdict of a decision after a search of executions: `unknown` in place of `robust` if
 * the model has limits (such as the size of numbers) that executions may exceed.
 */
export function verdictWithin(
  program: Program,
  decision: Decision,
  { kind }: FaultFindings,
): Verdict {
  const verdict = toVerdict(decision);
  if (verdict.kind !== 'robust' || kind !== 'not-looked-for' || !mayMeetLimit(program))
    return verdict;
  return { kind: 'unknown', reason: decision.look?.exhausted ?? 'unsupported' };
}

/**
 * Finds out in the cheapest way whether executions fault. Faults of an otherwise robust program are
 * equal under SC and under TSO: a fault depends on the registers of the thread, and on memory only
 * for an rmw, whose thread has an empty buffer. SC has the fault, too: leave out the steps of each
 * other thread from the thread's first pending store on (see `completeByRobustness`); SC has a
 * computation of the remaining trace.
 */
export function faultFindings(
  program: Program,
  { faults, look, isFaultFree = false }: Pick<Decision, 'faults' | 'look' | 'isFaultFree'>,
): FaultFindings {
  if (faults.length > 0) return { kind: 'found' };
  const shownBy = whyFaultFree(program);
  if (shownBy) return { kind: 'none', shownBy };
  if (look?.isComplete) return { kind: 'none', shownBy: 'search' };
  return isFaultFree ? { kind: 'none', shownBy: 'closure' } : { kind: 'not-looked-for' };
}
