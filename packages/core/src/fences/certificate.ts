import { exactSum } from '../base/exact-sum.js';
import type { Program } from '../program/program.js';
import { sealCertificate, type SealedCertificate } from '../program/seal-certificate.js';
import type { Computation } from '../trace/computation.js';
import type { HappensBefore } from '../trace/trace.js';
import type { RepairAnswer } from './hit-attacks.js';
import type { PricedItem, RepairMode } from './repair-item.js';
import type { RepairProblem } from './repair-problem.js';

/** A clause as it is written down: the items are indices into `items`. */
export interface CertificateClause {
  readonly items: readonly number[];
  readonly computation: Computation;
}

/** What every certificate says of a cheapest set of repairs, whatever it is for. */
export interface RepairClaim {
  readonly mode: RepairMode;
  /** Name of the cost model. */
  readonly costModel: string;
  /** All that the automata and the mode allow and that the program's text has a place for. */
  readonly items: readonly PricedItem[];
  /** Indices into `items`, ascending. */
  readonly chosen: readonly number[];
  readonly cost: number;
}

/**
 * The proof that a set of repairs is sufficient and cheapest: every clause has a computation that only its items forbid, no cheaper set of
 * items meets all clauses, and the repaired program is robust. It is for `@fencewright/verifier`, which says what it believes of it and why.
 */
export interface Certificate extends SealedCertificate, RepairClaim {
  readonly happensBefore: HappensBefore;
  readonly clauses: readonly CertificateClause[];
}

/** What a certificate says of repairs that were chosen from the items of a problem. */
export function repairClaim(
  mode: RepairMode,
  costModel: string,
  { items }: RepairProblem,
  chosen: readonly number[],
): RepairClaim {
  const cost = exactSum(chosen.map((index) => items[index]?.cost ?? 0));
  return { mode, costModel, items, chosen, cost };
}

/** The certificate of an optimal answer to a problem about `program`. */
export async function createCertificate(
  program: Program,
  mode: RepairMode,
  notion: HappensBefore,
  costModel: string,
  problem: RepairProblem,
  answer: Extract<RepairAnswer, { kind: 'optimal' }>,
): Promise<Certificate> {
  const body = {
    ...repairClaim(mode, costModel, problem, answer.chosen),
    happensBefore: notion,
    clauses: answer.clauses.map(({ items, witness: { computation } }) => ({ items, computation })),
  };
  const sealed = await sealCertificate('fences', program, body);
  return { ...sealed, ...body };
}
