import type { Limits } from '@fencewright/ground/base/budget.js';
import type { ThreadModel } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import { decideRobustness } from './decide-robustness.js';
import type { Environment } from './environment.js';
import { fence } from './fence.js';
import type { BenchQuestion } from './question.js';
import type { Result } from './result.js';

/** Returns the number of fences in a smallest set that makes the program robust. */
async function countFences(
  program: Program,
  happensBefore: HappensBefore,
  limits: Limits,
): Promise<number | 'none' | 'unknown'> {
  const { verdict } = await fence(program, { happensBefore, limits });
  if (verdict.kind === 'found') return verdict.repairs.length;
  return verdict.kind === 'impossible' ? 'none' : 'unknown';
}

/**
 * Decides all attacks on a finite program, and counts the fences needed; both searches together
 * stay within the limits.
 */
export async function decideBench(
  model: ThreadModel,
  question: BenchQuestion,
  limits: Limits,
  environment: Environment,
): Promise<Result> {
  const all = { ...question, allAttacks: true };
  const found = await decideRobustness(model, all, limits, environment);
  if ('kind' in found) return found;
  const { about, result } = found;
  if (!question.countsFences || result.verdict.kind === 'error')
    return { kind: 'bench', about, result };
  const { timeout } = limits;
  const left = timeout !== undefined && {
    timeout: Math.max(1, timeout - result.statistics.milliseconds),
  };
  const fences = await countFences(about, result.happensBefore, { ...limits, ...left });
  return { kind: 'bench', about, result, fences };
}
