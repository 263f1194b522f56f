import type { Program } from '../program/program.js';
import { sealCertificate, type SealedCertificate } from '../program/seal-certificate.js';
import { repairClaim } from './certificate.js';
import type { PropertyGoal } from './find-violation.js';
import type { PropertyRepairAnswer } from './property-repair.js';
import type { RepairMode } from './repair-item.js';
import type { RepairProblem } from './repair-problem.js';

/**
 * The proof that a set of repairs is a cheapest one with which properties hold under TSO, for `@fencewright/verifier`: every clause has a computation of the
 * program that violates one of them, and that only its items forbid.
 */
export function createPropertyCertificate(
  program: Program,
  mode: RepairMode,
  costModel: string,
  problem: RepairProblem,
  { properties, assertions }: PropertyGoal,
  { chosen, clauses }: Extract<PropertyRepairAnswer, { kind: 'optimal' }>,
): Promise<SealedCertificate> {
  return sealCertificate('property-fences', program, {
    ...repairClaim(mode, costModel, problem, chosen),
    properties: [
      ...properties.map(({ name }) => ({ kind: 'property', name })),
      ...(assertions ? [{ kind: 'assertions' }] : []),
    ],
    clauses,
  });
}
