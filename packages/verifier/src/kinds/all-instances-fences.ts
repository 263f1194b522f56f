import type { Automata } from '../automata.js';
import type { Budget } from '../budget.js';
import type { CertificateBody, VerifyOptions } from '../check.js';
import { claimOf, robustIn } from '../claim.js';
import { instanceOf } from '../copies/instance.js';
import { copiesInvariantReader, type WrittenElement } from '../copies/invariant.js';
import { checkCycleClause } from '../cycle-clause.js';
import type { HappensBefore } from '../happens-before.js';
import { Machine } from '../machine.js';
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
import { index, list, literal, type Read, record } from '../shape.js';
import { judgeInvariant } from './all-instances.js';
import { withChosen } from '../words.js';

/** Maximal number of copies of one thread in a clause; clauses with more copies are refused. */
const mostCopies = 1000;

const readClause = record({ ...clauseMembers, copies: list(index(mostCopies + 1)) });

const readClaim = record({
  ...repairMembers,
  mode: literal(...modes),
  happensBefore: literal('standard', 'value'),
  clauses: list(readClause),
  invariant: copiesInvariantReader,
});

/**
 * Checks that a clause shows some instance not robust if the text, hence every copy, has none of
 * the clause's items: its computation survives the copies of all items outside the clause.
 */
function checkClause(
  { bare, items: all }: Problem,
  { items, computation, copies }: Read<typeof readClause>,
  at: number,
  happensBefore: HappensBefore,
): Findings {
  const name = `clause ${at + 1}`;
  if (copies.length !== bare.threads.length)
    return wrongly(`${name}: the certificate names no instance of the program`);
  const { automata, threadOf } = instanceOf(bare, copies);
  const outside = itemsByThread(
    bare,
    all.filter((_, i) => !items.includes(i)),
  );
  return checkCycleClause(
    new Machine(automata),
    computation,
    threadOf.map((thread) => outside[thread]!),
    happensBefore,
    { name, program: 'instance' },
  );
}

function checkSufficiency(
  { repaired, claim }: Problem,
  happensBefore: HappensBefore,
  invariant: readonly WrittenElement[],
  budget: Budget,
): Findings {
  const chosen = withChosen(claim, 'repair');
  const report = judgeInvariant(repaired, happensBefore, invariant, budget);
  switch (report.kind) {
    case 'accepted':
      return {
        ...nothingFound,
        proved: report.proves.map((text) => `${chosen} ${text}`),
        assumes: report.assumes,
      };
    case 'rejected':
      return wrongly(...report.findings.map((text) => `${chosen}: ${text}`));
    case 'unknown':
      return { ...nothingFound, open: [`that every instance is robust (${report.reason})`] };
    case 'partly':
      return { ...nothingFound, open: report.notChecked };
  }
}

/**
 * Checks certificates that a set of repairs of the templates is a cheapest set making all instances
 * robust ([BDM13] Sects. 6 and 7). Locations added by fences come behind the locations of the
 * thread, in the order in which the fences are chosen.
 */
export function checkAllInstancesFences(
  automata: Automata,
  body: CertificateBody,
  budget: Budget,
  { repairs }: VerifyOptions,
): KindReport {
  const { happensBefore, invariant, ...claim } = readClaim(body, 'certificate');
  const abstraction = happensBefore === 'value' ? readAbstraction(automata) : undefined;
  if (abstraction !== undefined) return rejected(abstraction);
  const items = checkItems(automata, claim, false, repairs);
  return checkCheapest(
    claim,
    {
      items,
      problem: () => problemOf(automata, claim),
      clauses: (problem) =>
        claim.clauses.map((clause, at) => checkClause(problem, clause, at, happensBefore)),
      sufficiency: (problem) => checkSufficiency(problem, happensBefore, invariant, budget),
    },
    claimOf(robustIn(happensBefore), { repairs: claim }),
    budget,
  );
}
