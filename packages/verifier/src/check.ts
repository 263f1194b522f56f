import type { Budget, VerifyLimits } from './budget.js';
import type { Expectation } from './expectation.js';
import type { KindReport } from './report.js';

export interface VerifyOptions extends VerifyLimits {
  /**
   * The repairs that can be written into the program's text, with costs, as found by the caller: `{
   * item, cost }` as in certificates. Without this list, the verifier checks neither costs missing
   * from the automata nor whether a certificate leaves out places.
   */
  readonly repairs?: { readonly items: readonly unknown[]; readonly costModel: string };
  /** The statements that the caller expects the certificate to make. */
  readonly expect?: readonly Expectation[];
  /** The commands of the SMT solvers. Each solver has to confirm every obligation of a proof. */
  readonly solvers?: readonly string[];
}

/**
 * The members of a certificate without the envelope (the members that all kinds of certificates
 * have).
 */
export type CertificateBody = Readonly<Record<string, unknown>>;

/**
 * Checks the statements of a certificate about a model. There is one check for each kind of
 * certificate.
 */
export type Check<Model> = (
  model: Model,
  body: CertificateBody,
  budget: Budget,
  options: VerifyOptions,
) => KindReport | Promise<KindReport>;
