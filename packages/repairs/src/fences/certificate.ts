import { exactSum } from '@fencewright/ground/base/exact-sum.js';

import type { Program } from '@fencewright/model/program/program.js';
import type { PricedRepair, Repair } from '@fencewright/model/program/repair.js';
import {
  sealCertificate,
  type SealedCertificate,
} from '@fencewright/model/program/seal-certificate.js';
import type { Templates } from '@fencewright/model/program/templates.js';

/** A possible repair, in the form used in certificates. */
export interface WrittenRepair {
  readonly item: Repair;
  readonly cost: number;
}

/** Converts repairs to the form used in certificates. */
export function writeRepairs(repairs: readonly PricedRepair[]): WrittenRepair[] {
  return repairs.map(({ cost, ...item }) => ({ item, cost }));
}

/**
 * The part that all certificates about a cheapest set of repairs have in common, whatever the goal
 * of the repairs.
 */
export interface RepairClaim {
  /** The name of the cost model by which the repairs were chosen. */
  readonly costModel: string;
  /** All repairs that the program and the mode allow and that can be written into the text. */
  readonly items: readonly WrittenRepair[];
  /** The repairs that the claim chooses, as indices into `items`, ascending. */
  readonly chosen: readonly number[];
  readonly cost: number;
}

/**
 * Proves repairs sufficient and cheapest: every clause has a computation forbidden only by the
 * clause's items, no cheaper set of items meets all clauses, and the repaired program is as
 * claimed. The proof is for `@fencewright/verifier`, whose documentation says which parts are
 * trusted and why. `said` is the content that only this kind of certificate has: the clauses, and
 * the purpose of the repairs.
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
