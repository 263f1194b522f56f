import type { TextEditor } from '@fencewright/model/program/front-end.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import type { AttackerPool } from '@fencewright/engines/search/attacker-part.js';
import type { ModelChecker } from '@fencewright/ground/solvers/model-checker.js';
import type { SmtSolver } from '@fencewright/ground/solvers/smt-solver.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import type { Known } from './known.js';
import type { SolverChoice } from './question.js';

/** A text that only a compiler can read. */
export interface CompiledText {
  /** The program of the text, with a step without effect at each place for a fence. */
  readonly program: Program;
  /** The editor that puts fences and other repairs into the text. */
  readonly editor: TextEditor;
  /**
   * Reads another text in place of the given one; returns the model, or the reason why the model is
   * unknown.
   */
  readonly read: (text: string) => Promise<ParseResult | UnknownReason>;
}

/** The external tools for decisions: the library itself starts no process and no thread. */
export interface Environment {
  /**
   * Makes an SMT solver, which is closed after use and takes at most `maxMemory` bytes; Z3 in
   * WebAssembly if absent. An unavailable solver is reported as `missing`.
   */
  readonly createSmtSolver?: (choice?: SolverChoice, maxMemory?: number) => Promise<SmtSolver>;
  /**
   * The compiled program of the question's text, with an editor and a reader; present if only a
   * compiler can read the text.
   */
  readonly compiled?: CompiledText;
  /**
   * Makes SPIN for the engine `spin`, with at most `maxMemory` bytes; if absent, the engine has no
   * answer.
   */
  readonly createModelChecker?: (maxMemory?: number) => Promise<ModelChecker>;
  /**
   * Makes a pool of threads that take over a part of a long search; `jobs` counts the search
   * itself, too.
   */
  readonly createAttackerPool?: (
    jobs: number,
    handOverAfter: number,
  ) => AttackerPool & { readonly close: () => Promise<void> };
  /**
   * Called with the known part of the result when the verdict is found, and after each later
   * finding. A caller that ends the work early can turn the last known part into an answer (see
   * `endedEarly`).
   */
  readonly onKnown?: (known: Known) => void;
}
