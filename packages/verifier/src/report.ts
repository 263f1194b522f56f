import type { Claim } from './claim.js';

/** What was checked of whom. */
interface About {
  readonly claim: Claim & { readonly kind: string };
  /** What is supposed: of executions, of the program as it was read, of data. */
  readonly assumes: readonly string[];
  /** The digest of what the program does, see `programDigest`. */
  readonly program: string;
}

/** What is said of a certificate. */
export type Report =
  /**
   * It proves what `proves` says, of the program that was given, or of the automata that it
   * carries.
   */
  | ({
      readonly kind: 'accepted';
      readonly about: 'the program' | 'these automata';
      readonly proves: readonly string[];
    } & About)
  /** Nothing is wrong as far as it was checked. */
  | ({
      readonly kind: 'partly';
      readonly checked: readonly string[];
      readonly notChecked: readonly string[];
    } & About)
  | { readonly kind: 'rejected'; readonly findings: readonly string[] }
  /** Nothing is wrong that was checked, and it says something else than the caller expects. */
  | { readonly kind: 'unexpected'; readonly findings: readonly string[] }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'not-a-certificate'; readonly reason: string };

/** What the check of a kind of certificate says; whom it is about is not its business. */
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

/** A report that something is wrong. */
export function rejected(...findings: readonly string[]): Extract<Report, { kind: 'rejected' }> {
  return { kind: 'rejected', findings };
}
