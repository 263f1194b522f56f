/** The values of Z3's parameters. */
type SmtParameter = string | number | boolean;

/** Z3's parameters by their full names, such as `fp.spacer.global`. */
export type SmtParameters = Readonly<Record<string, SmtParameter>>;

/** A question to a solver: is the conjunction of the assertions satisfiable? */
export interface SmtQuery {
  /** Declarations and assertions in SMT-LIB 2, without `set-logic`, `check-sat` and the like. */
  readonly script: string;
  /**
   * Declarations and assertions before `script`, shared by many queries: a solver that keeps its
   * state between queries reads them only once. Does not change answers.
   */
  readonly prelude?: string;
  /**
   * For `set-logic`. With `HORN` the assertions are constrained Horn clauses, and a model is an
   * inductive interpretation of their predicates.
   */
  readonly logic?: string;
  readonly parameters?: SmtParameters;
  /** Ask for a model; otherwise `sat` has none. */
  readonly wantsModel?: boolean;
  /**
   * The maximum number of solver steps (Z3's `rlimit`), at least 1; independent of the machine.
   * Unlimited if absent.
   */
  readonly effort?: number;
  /** The user's remaining time in milliseconds; unlimited if absent. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** Why a solver has no answer; `effort`: the effort limit of the query was reached. */
export type SmtSilence = 'time' | 'memory' | 'cancelled' | 'incomplete' | 'effort';

/** A solver's answer. `model` is SMT-LIB 2 text, a list of `define-fun`: see `parseModel`. */
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
   * The solver's effort, in the unit of `SmtQuery.effort`; absent if the solver was stopped before
   * reporting its effort.
   */
  readonly effort?: number;
};

/** Whether a solver with the given effort was ended by the limit of the query. */
export function ranOut({ effort }: SmtQuery, done: number | undefined): boolean {
  return effort !== undefined && done !== undefined && done >= effort;
}

/**
 * Decides SMT-LIB 2 scripts. Queries are answered one at a time, in order. A script that the solver
 * does not understand rejects with `InternalError`, as scripts are generated internally.
 */
export interface SmtSolver {
  readonly name: string;
  /** The required program that is missing; then every query is `unknown`. */
  readonly missing?: string;
  solve(query: SmtQuery): Promise<SmtAnswer>;
  /** Ends processes and threads; the solver restarts on the next query. */
  close(): Promise<void>;
}
