import { mayMeetLimit } from '@fencewright/model/analysis/model-limits.js';
import { whyFaultFree } from '@fencewright/model/analysis/possible-faults.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Decision } from '@fencewright/engines/robustness/decision.js';
import { SearchSession } from '@fencewright/engines/search/search-session.js';
import { lookAtSequential } from '@fencewright/engines/search/sequential-look.js';
import type { FaultFindings, Verdict } from '@fencewright/model/verdict/verdict.js';
import { toVerdict } from './decision-result.js';

/** Whether executions are still to be looked at, where no attack was found. */
export function needsLook(decision: Decision): boolean {
  return !decision.look && toVerdict(decision).kind === 'robust';
}

/** The decision with a look at SC, where it would be `robust` and its engine has not looked. */
export async function lookAround(
  program: Program,
  decision: Decision,
  budget: Budget,
): Promise<Decision> {
  if (!needsLook(decision)) return decision;
  const needsEnd = decision.isFaultFree !== true && mayMeetLimit(program);
  const look = await lookAtSequential(new SearchSession(program, {}), budget, needsEnd);
  return { ...decision, look, faults: look.faults };
}

/**
 * The verdict of a decision after a look at executions: where the model may end and it is not known
 * that no execution comes to there, none is called robust.
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
 * Whether executions fault, shown in the cheapest way there is. Faults of a program that is
 * otherwise robust are the same under SC and under TSO: a fault depends on the registers of its
 * thread, and on memory only for an rmw, whose thread has an empty buffer; leave out what the
 * others do from their first pending store on (see `completeByRobustness`), and SC has a
 * computation of the same trace.
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
