import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Model } from './model.js';

/** What a front end returns: it never throws on bad input. */
export interface ParseResult {
  /** Present iff no diagnostic is an error. */
  readonly model?: Model;
  readonly diagnostics: readonly Diagnostic[];
}
