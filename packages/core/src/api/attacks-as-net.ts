import type { NetOutputFormat } from './output-formats.js';
import type { PrintNetOptions } from './print-attack-net.js';
import type { FiniteModel, UnboundedModel } from '@fencewright/model/program/model.js';
import type { PrintResult } from '@fencewright/model/program/print-result.js';

export type { NetOutputFormat } from './output-formats.js';
export type { PrintNetOptions } from './print-attack-net.js';

/**
 * Prints attacks as a net by `printAttackNet`, which is loaded on demand, as few callers need this
 * module.
 */
export async function printAttacksAsNet(
  model: FiniteModel | UnboundedModel,
  format: NetOutputFormat,
  options?: PrintNetOptions,
): Promise<PrintResult> {
  const { printAttackNet } = await import('./print-attack-net.js');
  return printAttackNet(model, format, options);
}
