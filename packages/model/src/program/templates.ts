import type { ThreadId } from './ids.js';
import type { Program } from './program.js';

/**
 * A program of threads, some with any number of copies. Every model of threads can be converted to
 * this form (`templatesOf`), in which proofs and certificates treat all models alike.
 */
export interface Templates {
  /**
   * One thread for each template and each single thread. Code of templates may read `selfRegister`.
   */
  readonly templates: Program;
  /** The threads of `templates` with any number of copies, ascending; may be empty. */
  readonly unbounded: readonly ThreadId[];
}
