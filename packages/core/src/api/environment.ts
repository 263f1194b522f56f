import type { TextEditor } from '@fencewright/model/program/front-end.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import type { AttackerPool } from '@fencewright/engines/search/attacker-part.js';
import type { ModelChecker } from '@fencewright/ground/solvers/model-checker.js';
import type { SmtSolver } from '@fencewright/ground/solvers/smt-solver.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import type { Known } from './known.js';
import type { SolverChoice } from './question.js';

/** A text that a compiler has to read before this library can. */
export interface CompiledText {
  /** The program of the text, with the places for fences as steps that do nothing. */
  readonly program: Program;
  /** Of the text that the model was read from. */
  readonly editor: TextEditor;
  /** What another text in its place is; or why that was not found out. */
  readonly read: (text: string) => Promise<ParseResult | UnknownReason>;
}

/** What decisions need from outside: this library starts no process and no thread. */
export interface Environment {
  /**
   * An SMT solver that is closed after use and takes at most so many bytes; Z3 in WebAssembly where
   * absent. A solver that is asked for and is not there is `missing`.
   */
  readonly createSmtSolver?: (choice?: SolverChoice, maxMemory?: number) => Promise<SmtSolver>;
  /** The text of the question, where it is one that a compiler has to read. */
  readonly compiled?: CompiledText;
  /** SPIN, for its engine, with at most so many bytes; that engine has no answer where absent. */
  readonly createModelChecker?: (maxMemory?: number) => Promise<ModelChecker>;
  /** Who takes over attackers of long searches, this search included in `jobs`. */
  readonly createAttackerPool?: (
    jobs: number,
    handOverAfter: number,
  ) => AttackerPool & { readonly close: () => Promise<void> };
  /**
   * Told what is known as soon as there is a verdict, and each time more is: whoever may end the
   * work from outside has that then (see `endedEarly`).
   */
  readonly onKnown?: (known: Known) => void;
}
