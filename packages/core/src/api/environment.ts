import type { AttackerPool } from '../search/attacker-part.js';
import type { ModelChecker } from '../solvers/model-checker.js';
import type { SmtSolver } from '../solvers/smt-solver.js';

/** Where an SMT solver is to come from. */
export type SolverChoice = 'native' | 'wasm';

/** What decisions need from outside: this library starts no process and no thread. */
export interface Environment {
  /**
   * An SMT solver that is closed after use and takes at most so many bytes; Z3 in WebAssembly where
   * absent. A solver that is asked for and is not there is `missing`.
   */
  readonly createSmtSolver?: (choice?: SolverChoice, maxMemory?: number) => Promise<SmtSolver>;
  /** SPIN, for its engine, with at most so many bytes; that engine has no answer where absent. */
  readonly createModelChecker?: (maxMemory?: number) => Promise<ModelChecker>;
  /** Who takes over attackers of long searches, this search included in `jobs`. */
  readonly createAttackerPool?: (
    jobs: number,
    handOverAfter: number,
  ) => AttackerPool & { readonly close: () => Promise<void> };
}
