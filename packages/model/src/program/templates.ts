import type { ThreadId } from './ids.js';
import type { Program } from './program.js';

/**
 * Threads of which some may stand for any number of copies. Each kind of model can be seen so
 * (`templatesOf`); proofs and certificates make no other difference between them.
 */
export interface Templates {
  /**
   * One thread for each template and each thread of its own. Code of templates may read
   * `selfRegister`.
   */
  readonly templates: Program;
  /**
   * The threads of `templates` of which there are any number of copies, ascending; may be empty.
   */
  readonly unbounded: readonly ThreadId[];
}
