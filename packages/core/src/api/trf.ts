import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { certifyRepairs } from '@fencewright/repairs/fences/certificate.js';
import { sizeCosts } from '@fencewright/repairs/fences/cost-models.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { PricedRepair } from '@fencewright/model/program/repair.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import type { SealedCertificate } from '@fencewright/model/program/seal-certificate.js';
import { findTriangularRace } from '@fencewright/engines/triangular-races/find-triangular-race.js';
import type { RaceSearch } from '@fencewright/engines/triangular-races/race-at.js';
import {
  type RaceRepairAnswer,
  repairTriangularRaces,
} from '@fencewright/repairs/fences/repair-triangular-races.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import type {
  TrfRepair,
  TrfResult,
  TrfVerdict,
} from '@fencewright/model/verdict/triangular-race.js';
import { faultDiagnostics, isProgramError } from './fault-diagnostics.js';

export interface TrfOptions {
  readonly limits?: Limits;
  /** Whether to look for the cheapest fences that remove all triangular races; off by default. */
  readonly repair?: boolean;
}

function toVerdict({ race, faults, incomplete }: RaceSearch): TrfVerdict {
  if (race) return { kind: 'race', race };
  if (faults.some(({ fault }) => isProgramError(fault))) return { kind: 'error' };
  const reason = incomplete ?? (faults.length > 0 ? 'unsupported' : undefined);
  return reason ? { kind: 'unknown', reason } : { kind: 'free' };
}

function toRepair(
  items: readonly PricedRepair[],
  { chosen, cost }: Extract<RaceRepairAnswer, { kind: 'optimal' }>,
): TrfRepair {
  const fences = chosen.flatMap((index) => {
    const item = items[index]!;
    return item.kind === 'fence' ? [{ thread: item.thread, location: item.location }] : [];
  });
  return { fences, cost };
}

/**
 * Returns the certificate for fences against triangular races. Every clause has an SC computation
 * that ends with a race which only items of the clause prevent.
 */
function certify(
  program: Program,
  items: readonly PricedRepair[],
  { chosen, clauses }: Extract<RaceRepairAnswer, { kind: 'optimal' }>,
): Promise<SealedCertificate> {
  return certifyRepairs('race-fences', program, sizeCosts(program).name, items, chosen, {
    clauses: clauses.map(({ items: own, race: { computation, ...race } }) => ({
      items: own,
      computation,
      race,
    })),
  });
}

export interface TrfAnswer extends TrfResult {
  /** The certificate that the fences are cheapest; present if cheapest fences were found. */
  readonly certificate?: SealedCertificate;
  /** The reason for a missing certificate, if the caller asked for one. */
  readonly uncertified?: UnknownReason;
}

/**
 * Decides whether the program is free of triangular races; with `repair`, also finds fences that
 * remove all triangular races.
 */
export async function trf(program: Program, options: TrfOptions = {}): Promise<TrfAnswer> {
  const budget = new Budget(options.limits);
  const search = await findTriangularRace(program, budget);
  const verdict = toVerdict(search);
  const finish = (result: Partial<TrfAnswer>): TrfAnswer => ({
    verdict,
    states: search.states,
    milliseconds: budget.milliseconds,
    diagnostics: faultDiagnostics(program, search.faults),
    ...result,
  });
  if (options.repair !== true || (verdict.kind !== 'race' && verdict.kind !== 'free'))
    return finish({});
  if (hasHeavyFences(program)) return finish({ repairUnknown: 'unsupported' });
  const { items, answer, states: more } = await repairTriangularRaces(program, budget);
  const states = search.states + more;
  switch (answer.kind) {
    case 'optimal':
      return finish({
        states,
        repair: toRepair(items, answer),
        // Verifiers support numbers of 32 bits only.
        ...(usesWideValues(program)
          ? { uncertified: 'unsupported' }
          : { certificate: await certify(program, items, answer) }),
      });
    case 'impossible':
      return finish({ states });
    case 'unknown':
      return finish({ states, repairUnknown: answer.reason });
  }
}
