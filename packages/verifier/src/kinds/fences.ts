import type { Automata } from '../automata.js';
import type { Budget } from '../budget.js';
import type { CertificateBody, VerifyOptions } from '../check.js';
import { claimOf, robustIn } from '../claim.js';
import { instanceOf } from '../copies/instance.js';
import { copiesInvariantReader } from '../copies/invariant.js';
import { hasCycle, type HappensBefore } from '../happens-before.js';
import { Machine, replay } from '../machine.js';
import { faultsEnd } from '../may-fault.js';
import {
  checkRepairs,
  type Clause,
  clauseMembers,
  outsideOf,
  type Problem,
  type RepairClaim,
  repairMembers,
} from '../optimum.js';
import { readAbstraction } from '../read-abstractions.js';
import { itemsByThread, modes, modesWithHeavy } from '../repair.js';
import { type Findings, Flaw, type KindReport, rejected, wrongly } from '../report.js';
import { decideRobustness } from '../robustness.js';
import { heavyFenceClaims } from '../several-delays.js';
import { index, list, literal, record } from '../shape.js';
import { survives } from '../survives.js';
import { judgeInvariant } from './all-instances.js';
import { withChosen } from '../words.js';

/** The maximum number of copies of one thread in a clause; clauses with more copies are refused. */
const mostCopies = 1000;

const members = { ...repairMembers, happensBefore: literal('standard', 'value') };
const readClaim = record({
  ...members,
  mode: literal(...modesWithHeavy),
  clauses: list(record(clauseMembers)),
});
const copies = list(index(mostCopies + 1));
const readClaimOfInstances = record({
  ...members,
  mode: literal(...modes),
  clauses: list(record({ ...clauseMembers, copies })),
  invariant: copiesInvariantReader,
});

/** A claim that repairs make a program, or all its instances, robust. */
type RobustClaim = Omit<RepairClaim, 'clauses'> & {
  readonly happensBefore: HappensBefore;
  readonly clauses: readonly (Clause & { readonly copies?: readonly number[] })[];
};

/**
 * Checks that a clause is needed: without all of the clause's items, the program, or an instance of
 * it, is not robust. The clause's computation has to have a cycle in happens-before, and to survive
 * all items outside the clause, inserted into every copy of their threads. Throws `Flaw` otherwise.
 */
function checkClause(
  { automata: whole, bare, claim }: Problem,
  { items, computation, copies }: RobustClaim['clauses'][number],
  happensBefore: HappensBefore,
): undefined {
  if (copies && copies.length !== bare.threads.length)
    throw new Flaw('the certificate names no instance of the program');
  const { automata, threadOf } = instanceOf(bare, copies ?? []);
  const { moments, end } = replay(new Machine(automata), computation);
  if (end.buffers.some((buffer) => buffer.length > 0))
    throw new Flaw('the computation leaves stores in a buffer');
  if (!hasCycle(moments, happensBefore))
    throw new Flaw('the computation has no cycle in happens-before');
  const outside = itemsByThread(whole, outsideOf(claim.items, items));
  const own = threadOf.map((thread) => outside[thread]!);
  if (!survives(moments, own))
    throw new Flaw('repairs outside the clause stop its computation, too');
}

/**
 * Checks that the chosen repairs are a cheapest choice that makes the program robust; `sufficiency`
 * decides robustness. `withHeavy`: whether repairs may be heavy fences, in modes that allow heavy
 * fences.
 */
function checkRobustClaim(
  automata: Automata,
  claim: RobustClaim,
  budget: Budget,
  options: VerifyOptions,
  withHeavy: boolean,
  sufficiency: (problem: Problem) => Findings,
): KindReport {
  const { happensBefore } = claim;
  const abstraction = readAbstraction(automata, happensBefore);
  if (abstraction !== undefined) return rejected(abstraction);
  const claimed = claimOf(robustIn(happensBefore), { repairs: claim });
  const clause = (problem: Problem, at: number): undefined =>
    checkClause(problem, claim.clauses[at]!, happensBefore);
  const goal = { claimed, clause, sufficiency, withHeavy };
  return checkRepairs(automata, claim, goal, budget, options);
}

/**
 * Checks certificates that a set of repairs is a cheapest set making a program with a fixed number
 * of threads robust ([BDM13] Sect. 7).
 */
export function checkFences(
  automata: Automata,
  body: CertificateBody,
  budget: Budget,
  options: VerifyOptions,
): KindReport {
  const all = readClaim(body, 'certificate');
  const { happensBefore } = all;
  return checkRobustClaim(automata, all, budget, options, true, ({ repaired, claim }) => {
    const says = `${withChosen(claim, 'repair')} it is robust${happensBefore === 'value' ? ' under value happens-before' : ''}`;
    const found = decideRobustness(repaired, happensBefore, budget);
    switch (found.kind) {
      case 'not-robust':
        return wrongly('the program with the chosen repairs is not robust');
      case 'unknown':
        return { open: [`${says} (${found.reason})`] };
      case 'robust': {
        const assumes = [...(found.faults ? [faultsEnd] : []), ...heavyFenceClaims(repaired)];
        return { proved: [says], assumes };
      }
    }
  });
}

/**
 * Checks certificates that a set of repairs of the templates is a cheapest set making all instances
 * robust ([BDM13] Sects. 6 and 7). The locations added by fences are numbered after the locations
 * of the thread, in the order in which the fences are chosen.
 */
export function checkAllInstancesFences(
  automata: Automata,
  body: CertificateBody,
  budget: Budget,
  options: VerifyOptions,
): KindReport {
  const { invariant, ...all } = readClaimOfInstances(body, 'certificate');
  return checkRobustClaim(automata, all, budget, options, false, ({ repaired, claim }) => {
    const chosen = withChosen(claim, 'repair');
    const report = judgeInvariant(repaired, all.happensBefore, invariant, budget);
    switch (report.kind) {
      case 'accepted': {
        const proved = report.proves.map((text) => `${chosen} ${text}`);
        return { proved, assumes: report.assumes };
      }
      case 'rejected':
        return wrongly(...report.findings.map((text) => `${chosen}: ${text}`));
      case 'unknown':
        return { open: [`that every instance is robust (${report.reason})`] };
      case 'partly':
        return { open: report.notChecked };
    }
  });
}
