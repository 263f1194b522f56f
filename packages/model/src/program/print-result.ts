import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';

/** A program as text. `text` is present iff no diagnostic is an error and no limit was reached. */
export interface PrintResult {
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The limit that was reached before the text was complete. */
  readonly reached?: 'time' | 'work' | 'memory';
}
