import type { Limits } from '../base/budget.js';
import type { NetOutputFormat } from '../parameterized/print-attack-net.js';
import type { FiniteModel, UnboundedModel } from '../program/model.js';
import type { PrintResult } from '../program/print-result.js';
import type { Attack } from '../verdict/attack.js';

export type { NetOutputFormat } from '../parameterized/print-attack-net.js';

/** See `printAttackNet`, which is loaded here, for few need it. */
export async function printAttacksAsNet(
  model: FiniteModel | UnboundedModel,
  format: NetOutputFormat,
  attacks?: readonly Attack[],
  limits?: Limits,
): Promise<PrintResult> {
  const { printAttackNet } = await import('../parameterized/print-attack-net.js');
  return printAttackNet(model, format, attacks, limits);
}
