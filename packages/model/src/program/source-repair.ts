import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Repair } from './repair.js';

/**
 * A repair that can be made in the source text of a program; ids are those of the program parsed
 * from the text.
 */
export type SourceRepair = Repair<'xchg' | 'remove'>;

/** A repaired text; `text` is present iff no diagnostic is an error. */
export interface RepairedText {
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}
