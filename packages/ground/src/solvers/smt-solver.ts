/** A value of one of Z3's parameters. */
type SmtParameter = string | number | boolean;

/** Values of Z3's parameters, by full name, such as `fp.spacer.global`. */
export type SmtParameters = Readonly<Record<string, SmtParameter>>;

/** A question to a solver: is the conjunction of the assertions satisfiable? */
export interface SmtQuery {
  /** Declarations and assertions in SMT-LIB 2, without `set-logic`, `check-sat` and the like. */
  readonly script: string;
  /**
   * Declarations and assertions before `script` that many queries share: a solver that keeps its
   * state between queries reads them only once. Does not change answers.
   */
  readonly prelude?: string;
  /**
   * The logic for `set-logic`. With `HORN` the assertions are constrained Horn clauses, and a model
   * is an inductive interpretation of their predicates.
   */
  readonly logic?: string;
  readonly parameters?: SmtParameters;
  /** Whether the answer `sat` has to come with a model. */
  readonly wantsModel?: boolean;
  /**
   * The maximum number of solver steps (Z3's `rlimit`), at least 1; independent of the machine.
   * Unlimited if absent.
   */
  readonly effort?: number;
  /** The time for the query in milliseconds, left until the user's limit; unlimited if absent. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/**
 * Why a solver has no answer. `incomplete`: the solver's methods do not suffice; `effort`: the
 * effort limit of the query was reached.
 */
export type SmtSilence = 'time' | 'memory' | 'cancelled' | 'incomplete' | 'effort';

/** A solver's answer. `model` is SMT-LIB 2 text, a list of `define-fun`: see `parseSmtModel`. */
export type SmtAnswer = (
  | { readonly kind: 'sat'; readonly model?: string }
  | { readonly kind: 'unsat' }
  | {
      readonly kind: 'unknown';
      readonly reason: SmtSilence;
      /** The solver's explanation of a missing answer, verbatim. */
      readonly detail: string;
    }
) & {
  /**
   * The effort that the solver spent, in the unit of `SmtQuery.effort`; absent if the solver was
   * stopped before reporting it.
   */
  readonly effort?: number;
};

/** Whether a solver that spent the effort `done` was ended by the effort limit of the query. */
export function ranOut({ effort }: SmtQuery, done: number | undefined): boolean {
  return effort !== undefined && done !== undefined && done >= effort;
}

/**
 * A solver that decides SMT-LIB 2 scripts. Queries are answered one at a time, in order. The
 * promise of an answer is rejected with `InternalError` if the solver does not understand the
 * script, as scripts are generated internally.
 */
export interface SmtSolver {
  readonly name: string;
  /**
   * The name of a program that the solver needs and that is missing; then every answer is
   * `unknown`.
   */
  readonly missing?: string;
  solve(query: SmtQuery): Promise<SmtAnswer>;
  /** Ends the processes and threads of the solver; the next query starts them again. */
  close(): Promise<void>;
}
