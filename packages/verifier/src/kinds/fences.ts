import type { Automata } from '../automata.js';
import type { Budget } from '../budget.js';
import type { CertificateBody, VerifyOptions } from '../check.js';
import { claimOf, robustIn } from '../claim.js';
import { hasCycle, type HappensBefore } from '../happens-before.js';
import { Machine, replay } from '../machine.js';
import { faultsEnd } from '../may-fault.js';
import {
  checkItems,
  checkLowerBound,
  clauseMembers,
  type Findings,
  nothingFound,
  type Problem,
  problemOf,
  repairMembers,
  reportOf,
  togetherOf,
  wrongly,
} from '../optimum.js';
import { readAbstraction } from '../read-abstractions.js';
import { itemsByThread, modes } from '../repair.js';
import { type KindReport, rejected } from '../report.js';
import { decideRobustness } from '../robustness.js';
import { list, literal, record } from '../shape.js';
import { outOfScope } from '../scope.js';
import { survives } from '../survives.js';
import { withChosen } from '../words.js';

const readClaim = record({
  ...repairMembers,
  mode: literal(...modes),
  happensBefore: literal('standard', 'value'),
  clauses: list(record(clauseMembers)),
});

/**
 * Describes an error in a clause, `undefined` if there is none: the clause has to show that a
 * program with none of the clause's items is not robust; see `survives`.
 */
function checkClause(
  problem: Problem,
  machine: Machine,
  at: number,
  happensBefore: HappensBefore,
): Findings {
  const { items, computation } = problem.claim.clauses[at]!;
  const name = `clause ${at + 1}`;
  const replayed = replay(machine, computation);
  if (typeof replayed === 'number')
    return wrongly(
      `${name}: the computation is not one of the program: action ${replayed + 1} is not possible`,
    );
  const { moments, end } = replayed;
  if (end.buffers.some((buffer) => buffer.length > 0))
    return wrongly(`${name}: the computation leaves stores in a buffer`);
  if (!hasCycle(moments, happensBefore))
    return wrongly(`${name}: the computation has no cycle in happens-before`);
  const outside = problem.items.filter((_, i) => !items.includes(i));
  return survives(moments, itemsByThread(problem.bare, outside))
    ? wrongly()
    : wrongly(`${name}: repairs outside the clause stop its computation, too`);
}

function checkSufficiency(
  { repaired, claim }: Problem,
  happensBefore: HappensBefore,
  budget: Budget,
): Findings {
  const says = `${withChosen(claim, 'repair')} it is robust${happensBefore === 'value' ? ' under value happens-before' : ''}`;
  const found = decideRobustness(repaired, happensBefore, budget);
  switch (found.kind) {
    case 'not-robust':
      return wrongly('the program with the chosen repairs is not robust');
    case 'unknown':
      return { ...nothingFound, open: [`${says} (${found.reason})`] };
    case 'robust':
      return { ...nothingFound, proved: [says], assumes: found.faults ? [faultsEnd] : [] };
  }
}

/**
 * Checks certificates that a set of repairs is a cheapest set making a program with a fixed number
 * of threads robust ([BDM13] Sect. 7).
 */
export function checkFences(
  automata: Automata,
  body: CertificateBody,
  budget: Budget,
  { repairs }: VerifyOptions,
): KindReport {
  const { happensBefore, ...claim } = readClaim(body, 'certificate');
  const outside = outOfScope(automata);
  if (outside !== undefined) return rejected(outside);
  const abstraction = happensBefore === 'value' ? readAbstraction(automata) : undefined;
  if (abstraction !== undefined) return rejected(abstraction);
  const items = checkItems(automata, claim, false, repairs);
  if (items.wrong.length > 0) return rejected(...items.wrong);
  const problem = problemOf(automata, claim);
  const machine = new Machine(problem.bare);
  const clauses = claim.clauses.map((_, at) => checkClause(problem, machine, at, happensBefore));
  const bound = checkLowerBound(claim, budget);
  const sofar = togetherOf([items, ...clauses, bound]);
  if (sofar.wrong.length > 0) return rejected(...sofar.wrong);
  const sufficiency = checkSufficiency(problem, happensBefore, budget);
  const claimed = claimOf(robustIn(happensBefore), { repairs: claim });
  return reportOf(togetherOf([sufficiency, sofar]), claimed);
}
