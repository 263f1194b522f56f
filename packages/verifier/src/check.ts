import type { Budget, VerifyLimits } from './budget.js';
import type { Expectation } from './expectation.js';
import type { KindReport } from './report.js';

export interface VerifyOptions extends VerifyLimits {
  /**
   * The repairs that the program's text has room for, with their costs, as the caller finds them:
   * `{ item, cost }` as in certificates. Without them, costs that the automata do not tell and
   * places that a certificate leaves out are not checked.
   */
  readonly repairs?: { readonly items: readonly unknown[]; readonly costModel: string };
  /** What the caller wants to be told. */
  readonly expect?: readonly Expectation[];
  /** Commands of the SMT solvers that every obligation of a proof is put to; all have to agree. */
  readonly solvers?: readonly string[];
}

/** What a certificate says beside its envelope: each kind reads its own. */
export type Body = Readonly<Record<string, unknown>>;

/** Checks what certificates of one kind say of a model. */
export type Check<Model> = (
  model: Model,
  body: Body,
  budget: Budget,
  options: VerifyOptions,
) => KindReport | Promise<KindReport>;
