import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { checkC11 } from '@fencewright/engines/c11/check-c11.js';
import { writeCover } from '@fencewright/engines/c11/write-cover.js';
import {
  observedProgram,
  templatesOf,
  type ThreadModel,
} from '@fencewright/model/program/model.js';
import { noFreedUse } from '@fencewright/model/program/assumption.js';
import type { Program } from '@fencewright/model/program/program.js';
import { sealOrdersCertificate } from '@fencewright/model/program/seal-certificate.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import type { Question } from './question.js';
import { freedUsesUnderSC } from './race-findings.js';
import type { ResultOf } from './result.js';

/**
 * Returns the result with a use of freed memory, and with warnings, if the program uses freed
 * memory under SC.
 */
async function withFreedUse(
  program: Program,
  result: C11Result,
  limits: Limits,
): Promise<C11Result> {
  const { uses, diagnostics } = await freedUsesUnderSC(program, limits);
  const [freedUse] = uses;
  if (!freedUse) return result;
  const { assumptions = [] } = result;
  return {
    ...{ ...result, freedUse, diagnostics: [...result.diagnostics, ...diagnostics] },
    assumptions: assumptions.filter(({ name }) => name !== noFreedUse.name),
    ...(result.assertions === 'hold' && { assertions: 'unknown' as const }),
  };
}

/** Decides robustness against C11, and certifies it if the question asks for a certificate. */
export async function decideC11(
  threads: ThreadModel,
  { model, certify = false }: Extract<Question, { kind: 'c11' }>,
  limits: Limits,
): Promise<ResultOf<'c11'>> {
  const budget = new Budget(limits);
  const about = templatesOf(threads).templates;
  const observed = threads.kind === 'finite' ? observedProgram(threads) : about;
  const checked = await checkC11(about, model, budget, 'effects', observed);
  const result = await withFreedUse(about, checked, budget.share(1));
  const found = { kind: 'c11', about, result } as const;
  if (!certify || result.verdict.kind !== 'robust') return found;
  const cover = await writeCover(about, model, new Budget(limits));
  if (typeof cover === 'string') return { ...found, uncertified: cover };
  return { ...found, certificate: await sealOrdersCertificate('c11-robust', about, cover) };
}
