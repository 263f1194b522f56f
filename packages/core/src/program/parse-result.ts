import type { Diagnostic } from '../source/diagnostic.js';
import type { OpenProgram } from './open-program.js';
import type { ParameterizedProgram } from './parameterized-program.js';
import type { Program } from './program.js';

/** What a front end returns: it never throws on bad input. Iff no diagnostic is an error, one of the three kinds of program is present. */
export interface ParseResult {
  readonly program?: Program;
  /** The text has threads in any number of copies. */
  readonly parameterized?: ParameterizedProgram;
  /** The text has what only proofs can treat, see `openParts`. */
  readonly open?: OpenProgram;
  readonly diagnostics: readonly Diagnostic[];
}
