import type { Claim } from './claim.js';

/** The claim of the checked certificate, and the program that the claim is about. */
interface About {
  readonly claim: Claim & { readonly kind: string };
  /** The assumptions of the claim: on executions, on the reading of the program, on data. */
  readonly assumes: readonly string[];
  /** The digest of the behaviour of the program that the claim is about; see `programDigest`. */
  readonly program: string;
}

/** The verdict on a certificate. */
export type Report =
  /**
   * The certificate proves the statements in `proves`, about the given program or about the
   * automata in the certificate.
   */
  | ({
      readonly kind: 'accepted';
      readonly about: 'the program' | 'these automata';
      readonly proves: readonly string[];
    } & About)
  /** The verifier could check only a part of the certificate, and found no error in this part. */
  | ({
      readonly kind: 'partly';
      readonly checked: readonly string[];
      readonly notChecked: readonly string[];
    } & About)
  | { readonly kind: 'rejected'; readonly findings: readonly string[] }
  /** The certificate has no error, but does not make the statements expected by the caller. */
  | { readonly kind: 'unexpected'; readonly findings: readonly string[] }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'not-a-certificate'; readonly reason: string };

/** The verdict of the check of a certificate's kind, without details of the program. */
export type KindReport =
  | {
      readonly kind: 'accepted';
      readonly claim: Claim;
      readonly proves: readonly string[];
      readonly assumes: readonly string[];
    }
  | {
      readonly kind: 'partly';
      readonly claim: Claim;
      readonly checked: readonly string[];
      readonly notChecked: readonly string[];
      readonly assumes: readonly string[];
    }
  | Extract<Report, { readonly kind: 'rejected' | 'unknown' }>;

/** Returns a report that a certificate has errors. */
export function rejected(...findings: readonly string[]): Extract<Report, { kind: 'rejected' }> {
  return { kind: 'rejected', findings };
}

/** Thrown at an error that makes a certificate invalid; the message describes the error. */
export class Flaw extends Error {
  override readonly name = 'Flaw';
}

/** The findings of the verifier about some part of a certificate. */
export interface Findings {
  readonly wrong?: readonly string[];
  readonly proved?: readonly string[];
  readonly open?: readonly string[];
  /** The assumptions on which the statements proved rest. */
  readonly assumes?: readonly string[];
}

/** Returns findings that consist of errors only. */
export function wrongly(...wrong: readonly string[]): Findings {
  return { wrong };
}

/** Returns a report on a claim: accepted if the findings have no errors and leave nothing open. */
export function reportOf(
  claim: Claim,
  { wrong = [], proved = [], open = [], assumes = [] }: Findings,
): KindReport {
  if (wrong.length > 0) return rejected(...wrong);
  return open.length > 0
    ? { kind: 'partly', claim, checked: proved, notChecked: open, assumes }
    : { kind: 'accepted', claim, proves: proved, assumes };
}
