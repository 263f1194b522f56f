import { repairedProgram } from '@fencewright/repairs/fences/apply-repair.js';
import type { RepairClaim } from '@fencewright/repairs/fences/certificate.js';
import type { RepairProblem } from '@fencewright/repairs/fences/repair-problem.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { RepairMode } from '@fencewright/model/program/repair.js';
import type { SealedCertificate } from '@fencewright/model/program/seal-certificate.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type {
  FenceResult,
  FenceVerdict,
  NoRepairProof,
  RepairReason,
} from '@fencewright/model/verdict/fence-result.js';

export interface FenceAnswer extends FenceResult {
  /** The certificate that the set of repairs is cheapest; present if a cheapest set was found. */
  readonly certificate?: SealedCertificate & RepairClaim;
  /** The reason why the cheapest set of repairs has no certificate. */
  readonly uncertified?: NoRepairProof;
}

/**
 * Returns the verdict for the chosen repairs, with the reasons why a cheaper set does not suffice.
 */
export function found(
  program: Program,
  mode: RepairMode,
  { items }: RepairProblem,
  chosen: readonly number[],
  cost: number,
  clauses: readonly {
    readonly items: readonly number[];
    readonly computation: Computation;
    readonly program?: Program;
  }[],
): FenceVerdict {
  const reasons = clauses.map((clause): RepairReason => ({
    repairs: clause.items.map((index) => items[index]!),
    computation: clause.computation,
    ...(clause.program && { program: clause.program }),
  }));
  return {
    kind: 'found',
    repairs: chosen.map((index) => items[index]!),
    cost,
    removable: items.filter(({ kind }, index) => kind === 'keep' && !chosen.includes(index)),
    reasons,
    repaired: repairedProgram(program, { mode, items, chosen }),
  };
}
