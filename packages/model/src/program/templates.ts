import type { ThreadId } from './ids.js';
import type { Program } from './program.js';

/**
 * Threads, some with any number of copies. Every model of threads has this form (`templatesOf`),
 * and proofs and certificates do not distinguish between models otherwise.
 */
export interface Templates {
  /**
   * One thread for each template and each single thread. Code of templates may read `selfRegister`.
   */
  readonly templates: Program;
  /** The threads of `templates` with any number of copies, ascending; may be empty. */
  readonly unbounded: readonly ThreadId[];
}
