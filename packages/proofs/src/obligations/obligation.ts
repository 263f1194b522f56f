import type { Meter } from '@fencewright/ground/base/budget.js';
import type {
  SmtAnswer,
  SmtQuery,
  SmtSilence,
  SmtSolver,
} from '@fencewright/ground/solvers/smt-solver.js';
import { formatTerm, isTrue, type Term } from '@fencewright/ground/smt/term.js';
import type { ProofProgram } from '../steps/proof-program.js';
import type { Role } from '../steps/roles.js';
import { arbitraryState, type SymbolicState } from '../steps/symbolic-state.js';
import { declare, operatorPrelude, symbol, type SmtDeclaration } from '../steps/terms.js';

/** A claim that holds iff the solver finds no model of `script`. */
export interface SolverQuestion {
  /** The statement whose proof the question is a part of, in words for the user. */
  readonly claim: string;
  /** The roles of the threads that the question contains. */
  readonly roles: readonly Role[];
  readonly script: string;
}

/**
 * The answer of the solver to a question. A model gives values to the variables of `arbitraryState`
 * and to the watched terms.
 */
export type ObligationAnswer =
  | { readonly kind: 'holds' }
  | { readonly kind: 'fails'; readonly model: string; readonly roles: readonly Role[] }
  | { readonly kind: 'unknown'; readonly reason: SmtSilence };

/**
 * Returns the question whether the conjunction of `assertions` is impossible; a model contains the
 * values of the `watched` terms of sort `Int`, by `symbol` of their keys.
 */
export function ask(
  program: ProofProgram,
  roles: readonly Role[],
  claim: string,
  assertions: readonly Term[],
  declarations: readonly SmtDeclaration[] = [],
  watched: Readonly<Record<string, Term>> = {},
): SolverQuestion {
  const { declarations: names } = arbitraryState(program, roles);
  const watches = Object.entries(watched).map(([key, term]) => [symbol(key), term] as const);
  const constants = watches.map(([name]): SmtDeclaration => ({ term: name, sort: 'Int' }));
  const lines = [
    ...declare([...names, ...declarations, ...constants]),
    ...watches.map(([name, term]) => `(assert (= ${formatTerm(name)} ${formatTerm(term)}))`),
    ...assertions.filter((term) => !isTrue(term)).map((term) => `(assert ${formatTerm(term)})`),
  ];
  return { claim, roles, script: lines.join('\n') };
}

/** Returns the arbitrary state that questions about `roles` start from. */
export function questionState(program: ProofProgram, roles: readonly Role[]): SymbolicState {
  return arbitraryState(program, roles).state;
}

/**
 * The maximum effort for a question about all cells of an array, unless the question has its own:
 * without a limit, the solver may look for a counterexample without end.
 */
const quantifiedEffort = 300_000;

function effortFor({ script }: SolverQuestion): number | undefined {
  return script.includes('(forall ') ? quantifiedEffort : undefined;
}

/** Asks the SMT solver questions in sequence, and collects the questions proved. */
export class Prover {
  readonly #solver: SmtSolver;
  readonly #timeout: () => number | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #meter: Meter | undefined;
  readonly #onQuestion: (asked: number) => void;
  #proved: SolverQuestion[] = [];
  #effort = 0;
  asked = 0;

  constructor(
    solver: SmtSolver,
    options: {
      /**
       * Returns the time allowed to the next question, in milliseconds; `undefined` without a
       * limit.
       */
      readonly timeout?: () => number | undefined;
      readonly signal?: AbortSignal;
      /** The meter of the work that is still allowed, in the solver's count. */
      readonly meter?: Meter;
      readonly onQuestion?: (asked: number) => void;
    } = {},
  ) {
    this.#solver = solver;
    this.#timeout = options.timeout ?? (() => undefined);
    this.#signal = options.signal;
    this.#meter = options.meter;
    this.#onQuestion = options.onQuestion ?? (() => undefined);
  }

  /** Removes the stored questions that were proved. */
  forget(): void {
    this.#proved = [];
  }

  /** The questions proved since the last call of `forget`, in the order of asking. */
  get proved(): readonly SolverQuestion[] {
    return this.#proved;
  }

  /** The time left for all further questions, in milliseconds; `undefined` without a limit. */
  get timeLeft(): number | undefined {
    return this.#timeout();
  }

  /** The solver's effort so far, in the solver's count (`SmtQuery.effort`). */
  get effort(): number {
    return this.#effort;
  }

  /**
   * Whether no time or work is left or the user has interrupted the proof: then every further
   * answer is `unknown`.
   */
  get isStopped(): boolean {
    const left = this.#timeout();
    return (
      this.#signal?.aborted === true ||
      (left !== undefined && left <= 1) ||
      (this.#meter !== undefined && this.#meter.left <= 0)
    );
  }

  /**
   * Returns the answer to a question without keeping the question, for questions whose failure is
   * expected. `effort` limits the solver for this question; by default only questions about all
   * cells of an array are limited.
   */
  async find(question: SolverQuestion, effort = effortFor(question)): Promise<ObligationAnswer> {
    const answer = await this.solve({
      prelude: operatorPrelude,
      script: question.script,
      wantsModel: true,
      ...(effort !== undefined && { effort }),
    });
    switch (answer.kind) {
      case 'unsat':
        return { kind: 'holds' };
      case 'sat':
        return { kind: 'fails', model: answer.model ?? '', roles: question.roles };
      case 'unknown':
        return { kind: 'unknown', reason: answer.reason };
    }
  }

  #stopped(): SmtAnswer {
    const reason = this.#signal?.aborted === true ? 'cancelled' : 'time';
    return { kind: 'unknown', reason, detail: 'the proof was stopped' };
  }

  /**
   * Returns the solver's answer to an arbitrary query, within the limits of the query and of the
   * proof.
   */
  async solve(query: SmtQuery): Promise<SmtAnswer> {
    this.asked += 1;
    this.#onQuestion(this.asked);
    // Stopping a native solver takes longer than answering many a question, so the stop is checked
    // first.
    if (this.isStopped) return this.#stopped();
    const timeout = this.#timeout();
    const answer = await this.#solver.solve({
      ...query,
      ...(timeout !== undefined && { timeout }),
      ...(this.#signal && { signal: this.#signal }),
    });
    this.#effort += answer.effort ?? 0;
    return answer;
  }

  /** Returns the answer to a question, and stores the question if its claim is proved. */
  async prove(question: SolverQuestion): Promise<ObligationAnswer> {
    const finding = await this.find(question);
    if (finding.kind === 'holds') this.#proved.push(question);
    return finding;
  }
}
