import type { Automata } from '../automata.js';
import type { Budget } from '../budget.js';
import type { CertificateBody, VerifyOptions } from '../check.js';
import { claimOf, robustIn } from '../claim.js';
import { checkCycleClause } from '../cycle-clause.js';
import type { HappensBefore } from '../happens-before.js';
import { Machine } from '../machine.js';
import { faultsEnd } from '../may-fault.js';
import {
  checkCheapest,
  checkItems,
  clauseMembers,
  type Findings,
  nothingFound,
  type Problem,
  problemOf,
  repairMembers,
  wrongly,
} from '../optimum.js';
import { readAbstraction } from '../read-abstractions.js';
import { itemsByThread, modes } from '../repair.js';
import { type KindReport, rejected } from '../report.js';
import { decideRobustness } from '../robustness.js';
import { list, literal, record } from '../shape.js';
import { outOfScope } from '../scope.js';
import { withChosen } from '../words.js';

const readClaim = record({
  ...repairMembers,
  mode: literal(...modes),
  happensBefore: literal('standard', 'value'),
  clauses: list(record(clauseMembers)),
});

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
  return checkCheapest(
    claim,
    {
      items,
      problem: () => problemOf(automata, claim),
      clauses: ({ bare, items: all }) => {
        const machine = new Machine(bare);
        return claim.clauses.map((clause, at) => {
          const outside = all.filter((_, i) => !clause.items.includes(i));
          const byThread = itemsByThread(bare, outside);
          const its = { name: `clause ${at + 1}`, program: 'program' } as const;
          return checkCycleClause(machine, clause.computation, byThread, happensBefore, its);
        });
      },
      sufficiency: (problem) => checkSufficiency(problem, happensBefore, budget),
    },
    claimOf(robustIn(happensBefore), { repairs: claim }),
    budget,
  );
}
