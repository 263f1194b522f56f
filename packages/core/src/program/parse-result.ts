import type { Diagnostic } from '../source/diagnostic.js';
import type { Program } from './program.js';

/** What a front end returns: it never throws on bad input. `program` is present iff no diagnostic is an error. */
export interface ParseResult {
  readonly program?: Program;
  readonly diagnostics: readonly Diagnostic[];
}
