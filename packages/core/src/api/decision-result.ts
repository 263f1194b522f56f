import type { Budget } from '@fencewright/ground/base/budget.js';
import type { Program } from '@fencewright/model/program/program.js';
import { countAttacks } from '@fencewright/engines/robustness/attacks.js';
import {
  countStages,
  countVerdicts,
  type Decision,
} from '@fencewright/engines/robustness/decision.js';
import type { CheckStatistics, Verdict } from '@fencewright/model/verdict/verdict.js';
import { isProgramError } from './fault-diagnostics.js';

/** Returns the verdict of a decision; `unknown` if the search did not end. */
export function toVerdict(decision: Omit<Decision, 'states' | 'queries'>): Verdict {
  if (decision.witness) return { kind: 'not-robust', witness: decision.witness };
  if (decision.failure) return { kind: 'error', cause: 'tool' };
  if (decision.faults.some(({ fault }) => isProgramError(fault)))
    return { kind: 'error', cause: 'program' };
  const { infeasible, unknown } = countVerdicts(decision.attacks);
  if (decision.faults.length > 0) return { kind: 'unknown', reason: 'unsupported' };
  if (unknown > 0 || decision.incomplete) {
    const reason = decision.incomplete ?? 'unsupported';
    return { kind: 'unknown', reason, open: { attacks: unknown, infeasible } };
  }
  return { kind: 'robust' };
}

/** Returns the size of the program and the cost of the decision. */
export function statisticsOf(
  program: Program,
  decision: Pick<Decision, 'attacks' | 'states' | 'queries' | 'phases' | 'phaseStates'>,
  engine: CheckStatistics['engine'],
  budget: Budget,
): CheckStatistics {
  const counts = countVerdicts(decision.attacks);
  const settledBy = countStages(decision.attacks);
  const sum = (size: (thread: Program['threads'][number]) => number): number =>
    program.threads.reduce((total, thread) => total + size(thread), 0);
  return {
    engine,
    threads: program.threads.length,
    labels: sum(({ locations }) => locations.length),
    instructions: sum(({ transitions }) => transitions.length),
    states: decision.states,
    bytes: budget.mostBytes,
    queries: decision.queries,
    milliseconds: budget.milliseconds,
    ...(decision.phases && { phases: decision.phases }),
    ...(decision.phaseStates && { phaseStates: decision.phaseStates }),
    attacks: {
      total: countAttacks(program),
      byCfg: counts['by-cfg'],
      infeasible: counts.infeasible,
      feasible: counts.feasible,
      ...(settledBy && { settledBy }),
    },
  };
}
