import { exactSum } from '@fencewright/ground/base/exact-sum.js';

import type { Program } from '@fencewright/model/program/program.js';
import type { PricedRepair, Repair } from '@fencewright/model/program/repair.js';
import {
  sealCertificate,
  type SealedCertificate,
} from '@fencewright/model/program/seal-certificate.js';
import type { Templates } from '@fencewright/model/program/templates.js';

/** A repair that can be chosen, as certificates write it. */
export interface WrittenRepair {
  readonly item: Repair;
  readonly cost: number;
}

/** The repairs as certificates write them. */
export function writeRepairs(repairs: readonly PricedRepair[]): WrittenRepair[] {
  return repairs.map(({ cost, ...item }) => ({ item, cost }));
}

/** What every certificate says of a cheapest set of repairs, whatever they are for. */
export interface RepairClaim {
  /** Name of the cost model. */
  readonly costModel: string;
  /** All that the automata and the mode allow and that the program's text has a place for. */
  readonly items: readonly WrittenRepair[];
  /** Indices into `items`, ascending. */
  readonly chosen: readonly number[];
  readonly cost: number;
}

/**
 * The proof that repairs are sufficient and cheapest: every clause has a computation that only its
 * items forbid, no cheaper set of items meets all clauses, and the repaired program is as it should
 * be. It is for `@fencewright/verifier`, which says what it believes of it and why. `said` is what
 * certificates of this kind say besides the claim: their clauses, and what the repairs are for.
 */
export async function certifyRepairs<S extends object>(
  kind: 'fences' | 'property-fences' | 'race-fences' | 'all-instances-fences',
  program: Program | Templates,
  costModel: string,
  items: readonly PricedRepair[],
  chosen: readonly number[],
  said: S,
): Promise<SealedCertificate & RepairClaim & S> {
  const claim: RepairClaim = {
    costModel,
    items: writeRepairs(items),
    chosen,
    cost: exactSum(chosen.map((index) => items[index]!.cost)),
  };
  const body = { ...claim, ...said };
  return { ...(await sealCertificate(kind, program, body)), ...body };
}
