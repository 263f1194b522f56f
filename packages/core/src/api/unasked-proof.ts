import type { Program } from '@fencewright/model/program/program.js';
import { claimsOf } from '@fencewright/model/verdict/claims-of.js';
import { defaults } from './defaults.js';
import type { Environment } from './environment.js';
import type { CheckQuestion } from './question.js';

/**
 * Whether a proof may answer a check though the question does not ask for one: there is a solver,
 * and the question asks only for a verdict, not for a certificate, all attacks or claims.
 */
export function mayProveUnasked(
  templates: Program,
  { certify, allAttacks, searchesOnly, answers, engine }: CheckQuestion,
  { createSmtSolver }: Environment,
): boolean {
  if (certify || allAttacks || searchesOnly || answers === 'full') return false;
  if ((engine ?? defaults.engine) !== defaults.engine || createSmtSolver === undefined)
    return false;
  return claimsOf(templates).length === 0;
}
