import type { Program } from '../program/program.js';
import { replay } from '../semantics/replay.js';
import { costOf, type HittingSetSolver } from '../solvers/hitting-set.js';
import { hasCycle } from '../trace/cycle.js';
import { buildTrace, type HappensBefore } from '../trace/trace.js';
import type { Verdict } from '../verdict/verdict.js';
import { applyRepair, withoutRemovable } from './apply-repair.js';
import {
  certificateDigest,
  programDigest,
  type Certificate,
  type CertificateClause,
} from './certificate.js';
import { itemName } from './repair-item.js';
import { itemsThatStop, type RepairProblem } from './repair-problem.js';
import { attackerPath } from './witness-path.js';

/** What is wrong with a certificate, in words; each entry is one finding. */
export type CertificateFindings = readonly string[];

/** Costs may differ by this much: they are sums of floating-point numbers. */
const tolerance = 1e-6;

function checkItems(certificate: Certificate, problem: RepairProblem): string[] {
  const findings: string[] = [];
  const allowed = problem.items.map(({ item }) => itemName(item));
  const listed = certificate.items.map(({ item }) => itemName(item));
  if (allowed.join() !== listed.join())
    findings.push('the items are not those that the program and the mode allow');
  problem.items.forEach(({ cost, item }, index) => {
    const stated = certificate.items[index]?.cost;
    if (stated !== cost)
      findings.push(`${itemName(item)} costs ${cost} by the cost model, not ${stated}`);
  });
  return findings;
}

function checkClause(
  clause: CertificateClause,
  index: number,
  problem: RepairProblem,
  notion: HappensBefore,
): string | undefined {
  const { attack, computation, items } = clause;
  const name = `clause ${index + 1}`;
  const states = replay(problem.program, computation);
  const end = states?.at(-1);
  if (!end || end.buffers.some((buffer) => buffer.length > 0))
    return `${name}: its witness is no computation of the program`;
  if (!hasCycle(buildTrace(computation), notion))
    return `${name}: its witness has no cycle in ${notion} happens-before`;
  const witness = { attack, computation, cycle: [] };
  const { transitions } = attackerPath(problem.program, witness);
  if (transitions[0] !== attack.store || transitions.at(-1) !== attack.load)
    return `${name}: its witness does not delay the store of its attack past the load`;
  const others = computation.some(
    (action, at) =>
      action.kind === 'issue' &&
      action.thread !== attack.thread &&
      !(computation[at + 1]?.kind === 'store' && computation[at + 1]?.thread === action.thread),
  );
  if (others) return `${name}: a thread that is not the attacker delays stores`;
  return itemsThatStop(problem, witness).join() === items.join()
    ? undefined
    : `${name}: its items are not those that stop its witness`;
}

async function checkOptimality(
  certificate: Certificate,
  problem: RepairProblem,
  solver: HittingSetSolver,
): Promise<string[]> {
  const findings: string[] = [];
  const costs = problem.items.map(({ cost }) => cost);
  const covering = { costs, clauses: certificate.clauses.map(({ items }) => items) };
  const { chosen, cost, bound } = certificate;
  const sorted = [...new Set(chosen)].sort((a, b) => a - b);
  if (sorted.join() !== chosen.join() || chosen.some((index) => !problem.items[index]))
    findings.push('the chosen items are not a list of distinct items in ascending order');
  if (Math.abs(costOf(covering, chosen) - cost) > tolerance)
    findings.push(`the chosen items do not cost ${cost}`);
  if (covering.clauses.some((clause) => clause.length === 0))
    return [...findings, 'a clause has no items'];
  const solved = await solver.solve(covering);
  if (typeof solved === 'string') return [...findings, `${solver.name} finds no set`];
  const optimum = costOf(covering, solved);
  if (Math.abs(optimum - cost) > tolerance)
    findings.push(`${solver.name} finds a set of cost ${optimum} that meets all clauses`);
  if (Math.abs(optimum - bound) > tolerance) findings.push(`the bound is ${optimum}, not ${bound}`);
  return findings;
}

/** The program with the chosen repairs. */
export function repairedProgram(
  program: Program,
  { mode, items, chosen }: Pick<Certificate, 'mode' | 'items' | 'chosen'>,
): Program {
  const repairs = chosen.flatMap((index) => items[index]?.item ?? []);
  const base = mode.startsWith('minimise')
    ? withoutRemovable(program, mode === 'minimise-locked', repairs)
    : program;
  return applyRepair(base, repairs);
}

/**
 * Everything that is wrong with a certificate for a program; nothing if it proves what it claims. `problem` is posed afresh, in the
 * mode and with the costs that the certificate names; every one of `solvers` has to confirm the optimum, so that one of them is not
 * the one that found it; `decide` decides robustness in a notion of happens-before.
 */
export async function verifyCertificate(
  certificate: Certificate,
  program: Program,
  problem: RepairProblem,
  solvers: readonly HittingSetSolver[],
  decide: (repaired: Program, notion: HappensBefore) => Promise<Verdict['kind']>,
): Promise<CertificateFindings> {
  const findings: string[] = [];
  const { happensBefore: notion = 'standard' } = certificate;
  if (certificate.digest !== (await certificateDigest(certificate)))
    findings.push('the certificate was changed after it was written: its digest does not match');
  if (certificate.program !== (await programDigest(program)))
    findings.push('the certificate is about another program');
  if (findings.length > 0) return findings;
  findings.push(...checkItems(certificate, problem));
  if (findings.length > 0) return findings;
  certificate.clauses.forEach((clause, index) => {
    const finding = checkClause(clause, index, problem, notion);
    if (finding !== undefined) findings.push(finding);
  });
  if (findings.length > 0) return findings;
  for (const solver of solvers)
    findings.push(...(await checkOptimality(certificate, problem, solver)));
  if (findings.length > 0) return findings;
  const verdict = await decide(repairedProgram(program, certificate), notion);
  if (verdict === 'unknown')
    findings.push('whether the repaired program is robust could not be decided within the limits');
  else if (verdict !== 'robust') findings.push('the repaired program is not robust');
  return findings;
}
