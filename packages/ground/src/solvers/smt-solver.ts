/** The values that Z3's parameters take. */
type SmtParameter = string | number | boolean;

/** Z3's parameters by their full names, such as `fp.spacer.global`. */
export type SmtParameters = Readonly<Record<string, SmtParameter>>;

/** A question to a solver: is the conjunction of the assertions satisfiable? */
export interface SmtQuery {
  /** Declarations and assertions in SMT-LIB 2, without `set-logic`, `check-sat` and the like. */
  readonly script: string;
  /**
   * Declarations and assertions that come before `script` and that many queries share: a solver
   * that keeps its state between queries reads them only once. Changes no answer.
   */
  readonly prelude?: string;
  /**
   * For `set-logic`. With `HORN` the assertions are constrained Horn clauses, and a model is an
   * inductive interpretation of their predicates.
   */
  readonly logic?: string;
  readonly parameters?: SmtParameters;
  /** Ask for a model; without it `sat` has none. */
  readonly wantsModel?: boolean;
  /**
   * What the solver may do: its own count of steps (Z3's `rlimit`), the same on all machines;
   * unlimited where absent. At least 1.
   */
  readonly effort?: number;
  /** Milliseconds that the user has left; unlimited where absent. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** Why a solver has no answer; `effort`: the question was allowed no more. */
export type SmtSilence = 'time' | 'memory' | 'cancelled' | 'incomplete' | 'effort';

/** What a solver says. `model` is SMT-LIB 2 text, a list of `define-fun`: see `parseModel`. */
export type SmtAnswer = (
  | { readonly kind: 'sat'; readonly model?: string }
  | { readonly kind: 'unsat' }
  | {
      readonly kind: 'unknown';
      readonly reason: SmtSilence;
      /** The solver's own words. */
      readonly detail: string;
    }
) & {
  /**
   * What the solver did, in the unit of `SmtQuery.effort`; absent if it was ended before it told.
   */
  readonly effort?: number;
};

/** Whether a solver that did so much was ended by the limit of the query. */
export function ranOut({ effort }: SmtQuery, done: number | undefined): boolean {
  return effort !== undefined && done !== undefined && done >= effort;
}

/**
 * Decides SMT-LIB 2 scripts. Queries are answered one at a time, in the order in which they were
 * asked. A script that the solver does not understand rejects with `InternalError`: scripts are
 * made by us.
 */
export interface SmtSolver {
  readonly name: string;
  /** The program that it needs and that is not there; then every query is `unknown`. */
  readonly missing?: string;
  solve(query: SmtQuery): Promise<SmtAnswer>;
  /** Ends processes and threads; the solver starts anew if it is asked again. */
  close(): Promise<void>;
}
