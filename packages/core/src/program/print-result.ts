import type { Diagnostic } from '../source/diagnostic.js';

/** A program as text. `text` is present iff no diagnostic is an error. */
export interface PrintResult {
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}
