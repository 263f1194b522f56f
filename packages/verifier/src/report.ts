/** What is said of a certificate. */
export type Report =
  /**
   * It proves what `proves` says, of the program that was given, or of the automata that it
   * carries.
   */
  | {
      readonly kind: 'accepted';
      readonly about: 'the program' | 'these automata';
      readonly proves: readonly string[];
    }
  /** Nothing is wrong as far as it was checked. */
  | {
      readonly kind: 'partly';
      readonly checked: readonly string[];
      readonly notChecked: readonly string[];
    }
  | { readonly kind: 'rejected'; readonly findings: readonly string[] }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'not-a-certificate'; readonly reason: string };

/** What the check of a kind of certificate says; whom it is about is not its business. */
export type KindReport =
  | { readonly kind: 'accepted'; readonly proves: readonly string[] }
  | Exclude<Report, { readonly kind: 'accepted' | 'not-a-certificate' }>;

/** A report that something is wrong. */
export function rejected(...findings: readonly string[]): KindReport {
  return { kind: 'rejected', findings };
}
