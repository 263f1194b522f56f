import { repairClaim } from '../fences/certificate.js';
import type { Program } from '../program/program.js';
import { sealCertificate, type SealedCertificate } from '../program/seal-certificate.js';
import type { RaceRepairAnswer } from './repair-triangular-races.js';

/**
 * The proof that a set of fences is a cheapest one that leaves no triangular race, for `@fencewright/verifier`: every clause has an SC computation of the program
 * that ends with a race, which only its items stop.
 */
export function createRaceCertificate(
  program: Program,
  costModel: string,
  { items, chosen, clauses }: Extract<RaceRepairAnswer, { kind: 'optimal' }>,
): Promise<SealedCertificate> {
  const { mode: _, ...claim } = repairClaim('fence', costModel, { program, items }, chosen);
  return sealCertificate('race-fences', program, {
    ...claim,
    clauses: clauses.map(({ items: own, race: { computation, ...race } }) => ({
      items: own,
      computation,
      race,
    })),
  });
}
