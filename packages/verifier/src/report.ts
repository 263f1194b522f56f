import type { Claim } from './claim.js';

/** The claim checked, and the program that the claim is about. */
interface About {
  readonly claim: Claim & { readonly kind: string };
  /** The assumptions: on executions, on the program as read, on data. */
  readonly assumes: readonly string[];
  /** The digest of the program's behaviour, see `programDigest`. */
  readonly program: string;
}

/** The verdict on a certificate. */
export type Report =
  /**
   * The certificate proves the statements `proves`, of the program given or of the automata in the
   * certificate.
   */
  | ({
      readonly kind: 'accepted';
      readonly about: 'the program' | 'these automata';
      readonly proves: readonly string[];
    } & About)
  /** Nothing is wrong as far as the certificate was checked. */
  | ({
      readonly kind: 'partly';
      readonly checked: readonly string[];
      readonly notChecked: readonly string[];
    } & About)
  | { readonly kind: 'rejected'; readonly findings: readonly string[] }
  /** No error was found, but the certificate does not say what the caller expects. */
  | { readonly kind: 'unexpected'; readonly findings: readonly string[] }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'not-a-certificate'; readonly reason: string };

/**
 * The verdict of the check of one kind of certificate, without the program that the certificate is
 * about.
 */
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

/** A report of errors. */
export function rejected(...findings: readonly string[]): Extract<Report, { kind: 'rejected' }> {
  return { kind: 'rejected', findings };
}
