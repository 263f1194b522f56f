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
  /** The program of the text, with places for fences as steps without effect. */
  readonly program: Program;
  /** The editor of the text behind the model. */
  readonly editor: TextEditor;
  /** Returns the model of a replacement text, or the reason for not knowing the model. */
  readonly read: (text: string) => Promise<ParseResult | UnknownReason>;
}

/** The external tools for decisions: this library starts no process and no thread. */
export interface Environment {
  /**
   * Makes an SMT solver, which is closed after use and takes at most `maxMemory` bytes; Z3 in
   * WebAssembly if absent. An unavailable solver is reported as `missing`.
   */
  readonly createSmtSolver?: (choice?: SolverChoice, maxMemory?: number) => Promise<SmtSolver>;
  /** The text of the question, if only a compiler can read the text. */
  readonly compiled?: CompiledText;
  /**
   * Makes SPIN for the engine `spin`, with at most `maxMemory` bytes; the engine gives no answer if
   * absent.
   */
  readonly createModelChecker?: (maxMemory?: number) => Promise<ModelChecker>;
  /**
   * Makes a pool of threads that take over attackers of long searches; `jobs` includes the search
   * itself.
   */
  readonly createAttackerPool?: (
    jobs: number,
    handOverAfter: number,
  ) => AttackerPool & { readonly close: () => Promise<void> };
  /**
   * Receives the known part of the result when the verdict is found and after each later finding. A
   * caller that ends the work early can use the last one (see `endedEarly`).
   */
  readonly onKnown?: (known: Known) => void;
}
