/** The values that Z3's parameters take. */
export type SmtParameter = string | number | boolean;

/** A question to a solver: is the conjunction of the assertions satisfiable? */
export interface SmtQuery {
  /** Declarations and assertions in SMT-LIB 2, without `set-logic`, `check-sat` and the like. */
  readonly script: string;
  /**
   * Declarations and assertions that come before `script` and that many queries share: a solver that keeps its state between
   * queries reads them only once. Changes no answer.
   */
  readonly prelude?: string;
  /** For `set-logic`. With `HORN` the assertions are constrained Horn clauses, and a model is an inductive interpretation of their predicates. */
  readonly logic?: string;
  /** Z3's parameters by their full names, such as `fp.spacer.global`. */
  readonly parameters?: Readonly<Record<string, SmtParameter>>;
  /** Ask for a model; without it `sat` has none. */
  readonly wantsModel?: boolean;
  /** Milliseconds; unlimited where absent. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** What a solver says. `model` is SMT-LIB 2 text, a list of `define-fun`: see `parseModel`. */
export type SmtAnswer =
  | { readonly kind: 'sat'; readonly model?: string }
  | { readonly kind: 'unsat' }
  | {
      readonly kind: 'unknown';
      readonly reason: 'time' | 'memory' | 'cancelled' | 'incomplete';
      /** The solver's own words. */
      readonly detail: string;
    };

/**
 * Decides SMT-LIB 2 scripts. Queries are answered one at a time, in the order in which they were asked. A script that the solver
 * does not understand rejects with `InternalError`: scripts are made by us.
 */
export interface SmtSolver {
  readonly name: string;
  /** The program that it needs and that is not there; then every query is `unknown`. */
  readonly missing?: string;
  solve(query: SmtQuery): Promise<SmtAnswer>;
  /** Ends processes and threads; the solver starts anew if it is asked again. */
  close(): Promise<void>;
}
