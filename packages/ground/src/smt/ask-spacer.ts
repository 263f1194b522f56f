import type { SmtParameters, SmtQuery, SmtSilence, SmtSolver } from '../solvers/smt-solver.js';
import { formatHornSystem, type HornSystem } from './horn-system.js';

/**
 * The answer of Spacer, Z3's solver for Horn clauses, about a system. Answers must be checked
 * before they are trusted.
 */
type HornAnswer =
  /**
   * There is an interpretation of the predicates that satisfies the clauses, given as SMT-LIB 2:
   * see `parseSmtModel`.
   */
  | { readonly kind: 'interpretation'; readonly model: string }
  /** No interpretation exists: the solver derives the goal of some clause of the system. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly reason: SmtSilence };

/**
 * Parameters that keep Spacer from inlining predicates. Z3 4.8.12 was seen to return
 * interpretations that violate the clauses after inlining; 5.1 fails without inlining.
 */
export const withoutInlining: SmtParameters = {
  'fp.xform.inline_eager': false,
  'fp.xform.inline_linear': false,
};

/**
 * Asks Spacer for an interpretation of the predicates of Horn clauses; `prelude` defines the
 * functions used in the clauses.
 */
export async function askSpacer(
  system: HornSystem,
  query: Pick<SmtQuery, 'parameters' | 'effort' | 'signal'>,
  solver: Pick<SmtSolver, 'solve'>,
  prelude = '',
): Promise<HornAnswer> {
  const answer = await solver.solve({
    ...query,
    script: `${prelude}${formatHornSystem(system)}`,
    logic: 'HORN',
    wantsModel: true,
  });
  switch (answer.kind) {
    case 'unsat':
      return { kind: 'none' };
    case 'sat':
      return { kind: 'interpretation', model: answer.model ?? '' };
    case 'unknown':
      return { kind: 'unknown', reason: answer.reason };
  }
}
