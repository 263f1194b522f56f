import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Model } from './model.js';

/** The result of a front end, which never throws on bad input. */
export interface ParseResult {
  /** The model that was read; present iff no diagnostic is an error. */
  readonly model?: Model;
  readonly diagnostics: readonly Diagnostic[];
}
