import type { Limits } from '@fencewright/ground/base/budget.js';
import type { PrintNetOptions } from './print-attack-net.js';
import {
  finiteProgram,
  inspectedProgram,
  type ThreadModel,
} from '@fencewright/model/program/model.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import { openParts } from '@fencewright/model/program/open-parts.js';
import type { PrintResult } from '@fencewright/model/program/print-result.js';
import type { Program } from '@fencewright/model/program/program.js';
import { attacksByName } from './attack-by-name.js';
import { printAttacksAsNet } from './attacks-as-net.js';
import {
  isEventFormat,
  isNetFormat,
  type NetOutputFormat,
  type ProgramFormat,
} from './output-formats.js';
import {
  holdsPrograms,
  printInstrumentedTemplates,
  printProgram,
  printTemplates,
} from './print-model.js';
import type { ConvertQuestion } from './question.js';
import type { Refusal, Result } from './result.js';

const refused = (refusal: Refusal): Result => ({ kind: 'refused', refusal });
const converted = (printed: PrintResult): Result => ({ kind: 'convert', printed });

/**
 * Converts a model to another format; if the question names an attack, the model instrumented for
 * the attack.
 */
export async function decideConvert(
  model: ThreadModel,
  { to, attack, net }: ConvertQuestion,
  limits: Limits,
): Promise<Result> {
  if (isEventFormat(to)) return refused({ kind: 'only-events', wishes: [] });
  if (isNetFormat(to)) return netOf(model, to, attack, { limits, ...(net && { kind: net }) });
  const program = finiteProgram(model);
  if (program) return textOf(program, to, attack);
  if (attack === undefined || model.kind === 'finite') {
    const printed = await printTemplates(model, to);
    return printed ? converted(printed) : refused({ kind: 'any-number', part: 'format' });
  }
  if (model.kind === 'open') return refused({ kind: 'only-proofs', parts: openParts(model) });
  const { attacks, diagnostics } = attacksByName(model.templates, attack);
  if (attacks.length === 0) return refused({ kind: 'attack', diagnostics });
  const printed = await printInstrumentedTemplates(model, to, attacks);
  return printed
    ? converted({ ...printed, diagnostics: [...diagnostics, ...printed.diagnostics] })
    : refused({ kind: 'any-number', part: 'format' });
}

async function textOf(
  program: Program,
  to: ProgramFormat,
  attack: string | undefined,
): Promise<Result> {
  if (attack === undefined)
    return holdsPrograms(to)
      ? converted(await printProgram(program, to))
      : refused({ kind: 'attack-needed', format: to });
  const { attacks, diagnostics } = attacksByName(program, attack);
  if (attacks.length === 0) return refused({ kind: 'attack', diagnostics });
  const printed = await printProgram(program, to, attacks);
  return converted({ ...printed, diagnostics: [...diagnostics, ...printed.diagnostics] });
}

/** Returns all attacks on a program, or one attack, as a net. */
async function netOf(
  model: ThreadModel,
  to: NetOutputFormat,
  attack: string | undefined,
  options: PrintNetOptions,
): Promise<Result> {
  if (model.kind === 'open') return refused({ kind: 'only-proofs', parts: openParts(model) });
  if (hasHeavyFences(inspectedProgram(model))) return refused({ kind: 'heavy-fences' });
  if (attack === undefined) return refused({ kind: 'attack-needed', format: to });
  if (attack === 'any') return converted(await printAttacksAsNet(model, to, options));
  const { attacks, diagnostics } = attacksByName(inspectedProgram(model), attack);
  return attacks.length > 0
    ? converted(await printAttacksAsNet(model, to, { ...options, attacks }))
    : refused({ kind: 'attack', diagnostics });
}
