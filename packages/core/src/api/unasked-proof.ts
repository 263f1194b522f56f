import { defaults } from './defaults.js';
import type { Environment } from './environment.js';
import type { CheckQuestion } from './question.js';

/**
 * Whether a proof may answer a check though the question does not ask for one: there is a solver,
 * and the question asks only for a verdict and the claims of the program, not for a certificate,
 * all attacks or states.
 */
export function mayProveUnasked(
  { certify, allAttacks, searchesOnly, answers, engine }: CheckQuestion,
  { createSmtSolver }: Environment,
): boolean {
  if (certify || allAttacks || searchesOnly || answers === 'full') return false;
  return (engine ?? defaults.engine) === defaults.engine && createSmtSolver !== undefined;
}
