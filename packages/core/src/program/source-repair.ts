import type { Diagnostic } from '../source/diagnostic.js';
import type { LocationId, ThreadId, TransitionId } from './ids.js';

/**
 * A change of a program that can be made in its source text; ids are those of the program that the text parses to.
 *
 * - `fence`: a fence before every instruction that leaves the location ([BDM13] Sect. 7).
 * - `xchg`: a plain store becomes a locked exchange whose result is dropped.
 * - `remove`: a fence goes, or an exchange whose result is dropped becomes a plain store.
 */
export type SourceRepair =
  | { readonly kind: 'fence'; readonly thread: ThreadId; readonly location: LocationId }
  | {
      readonly kind: 'xchg' | 'remove';
      readonly thread: ThreadId;
      readonly transition: TransitionId;
    };

/** A text after its repair; `text` is present iff no diagnostic is an error. */
export interface RepairedText {
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}
