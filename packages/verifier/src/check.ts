import type { Budget, VerifyLimits } from './budget.js';
import type { Expectation } from './expectation.js';
import type { KindReport } from './report.js';

export interface VerifyOptions extends VerifyLimits {
  /**
   * The repairs with room in the program's text, with costs, as found by the caller: `{ item, cost
   * }` as in certificates. Without this list, costs not told by the automata and places left out by
   * a certificate are not checked.
   */
  readonly repairs?: { readonly items: readonly unknown[]; readonly costModel: string };
  /** The caller's expectations of the certificate. */
  readonly expect?: readonly Expectation[];
  /**
   * Commands of the SMT solvers. Every obligation of a proof is put to all solvers; all have to
   * agree.
   */
  readonly solvers?: readonly string[];
}

/** The members of a certificate beside the envelope; each kind reads its own members. */
export type Body = Readonly<Record<string, unknown>>;

/** Checks the statements of certificates of one kind about a model. */
export type Check<Model> = (
  model: Model,
  body: Body,
  budget: Budget,
  options: VerifyOptions,
) => KindReport | Promise<KindReport>;
