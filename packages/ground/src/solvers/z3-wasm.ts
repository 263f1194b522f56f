import type * as Z3Module from 'z3-solver';
import { startTimer } from '../base/timer.js';
import { InternalError } from '../base/unreachable.js';
import { ranOut, type SmtAnswer, type SmtQuery, type SmtSolver } from './smt-solver.js';

type Api = typeof Z3Module;
type Z3Instance = Awaited<ReturnType<Api['init']>>;

/**
 * The maximum time in milliseconds in which Z3 has to react to an interruption; afterwards its
 * threads are ended.
 */
const patience = 2_000;

/**
 * The end of a check by Z3: Z3's own answer, or `stuck` if Z3 does not react to an interruption.
 */
type CheckEnd = { readonly kind: 'answer'; readonly answer: number } | { readonly kind: 'stuck' };

/**
 * Waits for a check by Z3, and interrupts Z3 when the time is up or the signal aborts; returns how
 * the check ended, and what caused an interruption; `undefined` if there was none.
 */
async function supervise(
  check: Promise<number>,
  interrupt: () => void,
  { timeout, signal }: SmtQuery,
): Promise<{ outcome: CheckEnd; ended: 'time' | 'cancelled' | undefined }> {
  let ended: 'time' | 'cancelled' | undefined;
  const timers: ReturnType<typeof setTimeout>[] = [];
  let giveUp = (): void => undefined;
  const stuck = new Promise<CheckEnd>((resolve) => (giveUp = () => resolve({ kind: 'stuck' })));
  const end = (why: 'time' | 'cancelled'): void => {
    if (ended) return;
    ended = why;
    interrupt();
    timers.push(setTimeout(giveUp, patience));
  };
  const cancel = (): void => end('cancelled');
  const callOff = timeout === undefined ? undefined : startTimer(() => end('time'), timeout);
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted) cancel();
  try {
    const answered = check.then((answer): CheckEnd => ({ kind: 'answer', answer }));
    return { outcome: await Promise.race([answered, stuck]), ended };
  } finally {
    callOff?.();
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

/** The members of Z3's worker threads that this file uses. */
interface Z3Thread {
  onmessage: () => void;
}

/**
 * Ends the threads of an instance of Z3. Their pending messages are discarded, as they would cause
 * complaints on standard error; the caller does not learn of threads that end slowly.
 */
async function endThreads(api: Api, instance: Z3Instance): Promise<void> {
  const { PThread } = instance.em as {
    readonly PThread: Readonly<Record<'runningWorkers' | 'unusedWorkers', readonly Z3Thread[]>>;
  };
  const threads = [...PThread.runningWorkers, ...PThread.unusedWorkers];
  const ended = api.killThreads(instance.em).catch(() => undefined);
  for (const thread of threads) thread.onmessage = () => undefined;
  await ended;
}

/**
 * The solver Z3 in WebAssembly, loaded by the first query: some 35 MB, and 0.3 to 1 s. Needs
 * threads, so a page in a browser must be cross-origin isolated. Scripts are passed by
 * `solver_from_string`, which copies them before returning; `eval_smtlib2_string` does not copy
 * scripts, and was seen to corrupt them.
 */
class WasmZ3 implements SmtSolver {
  readonly name = 'z3 (wasm)';
  readonly #load: () => Promise<Api>;
  readonly #megabytes: number | undefined;
  #api: Promise<{ api: Api; instance: Z3Instance }> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(load: () => Promise<Api>, megabytes: number | undefined) {
    this.#load = load;
    this.#megabytes = megabytes;
  }

  solve(query: SmtQuery): Promise<SmtAnswer> {
    const answer = this.#last.then(() => this.#solveNow(query));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    await this.#last;
    const loaded = this.#api;
    this.#api = undefined;
    if (!loaded) return;
    const { api, instance } = await loaded;
    await endThreads(api, instance);
  }

  async #loaded(): Promise<{ api: Api; instance: Z3Instance }> {
    const api = await this.#load();
    return { api, instance: await api.init() };
  }

  async #solveNow(query: SmtQuery): Promise<SmtAnswer> {
    if (query.signal?.aborted) return { kind: 'unknown', reason: 'cancelled', detail: 'cancelled' };
    const { api, instance } = await (this.#api ??= this.#loaded());
    const { Z3 } = instance;
    if (this.#megabytes !== undefined)
      Z3.global_param_set('memory_max_size', String(this.#megabytes));
    for (const [name, value] of Object.entries(query.parameters ?? {}))
      Z3.global_param_set(name, String(value));
    if (query.effort !== undefined) Z3.global_param_set('rlimit', String(query.effort));
    const context = Z3.mk_context(Z3.mk_config());
    let isStuck = false;
    try {
      Z3.set_ast_print_mode(context, api.Z3_ast_print_mode.Z3_PRINT_SMTLIB2_COMPLIANT);
      const solver =
        query.logic === undefined
          ? Z3.mk_solver(context)
          : Z3.mk_solver_for_logic(context, Z3.mk_string_symbol(context, query.logic));
      Z3.solver_inc_ref(context, solver);
      Z3.solver_from_string(context, solver, `${query.prelude ?? ''}\n${query.script}`);
      // The wrapper does not check for errors: an unreadable assertion would just be missing.
      const error = Z3.get_error_code(context);
      if (error !== api.Z3_error_code.Z3_OK) {
        const message = Z3.get_error_msg(context, error);
        if (message.includes('canceled') && query.effort !== undefined)
          return { kind: 'unknown', reason: 'effort', detail: message };
        throw new InternalError(`z3 does not understand a script: ${message}`);
      }
      const check = Z3.solver_check(context, solver);
      const { outcome, ended } = await supervise(
        check,
        () => Z3.solver_interrupt(context, solver),
        query,
      );
      if (outcome.kind === 'stuck') {
        isStuck = true;
        check.catch(() => undefined);
        return await this.#abandon(api, instance, ended ?? 'time');
      }
      const effort = effortOf(Z3, context, solver);
      if (outcome.answer === -1) return { kind: 'unsat', effort };
      if (outcome.answer === 1) {
        if (query.wantsModel !== true) return { kind: 'sat', effort };
        const model = Z3.solver_get_model(context, solver);
        return { kind: 'sat', model: Z3.model_to_string(context, model), effort };
      }
      const detail = Z3.solver_get_reason_unknown(context, solver);
      const own = detail.includes('memory') ? 'memory' : 'incomplete';
      const reason = ended ?? (ranOut(query, effort) ? 'effort' : own);
      return { kind: 'unknown', reason, detail, effort };
    } finally {
      if (!isStuck) {
        Z3.del_context(context);
        Z3.global_param_reset_all();
      }
    }
  }

  /**
   * Ends the threads of an instance of Z3 that does not react; the next query starts a new
   * instance.
   */
  async #abandon(api: Api, instance: Z3Instance, reason: 'time' | 'cancelled'): Promise<SmtAnswer> {
    this.#api = undefined;
    await endThreads(api, instance);
    return { kind: 'unknown', reason, detail: 'z3 did not react to an interruption' };
  }
}

type Z3Functions = Z3Instance['Z3'];

/** Returns the effort that Z3 has spent in a context. */
function effortOf(
  Z3: Z3Functions,
  context: Parameters<Z3Functions['solver_get_statistics']>[0],
  solver: Parameters<Z3Functions['solver_get_statistics']>[1],
): number {
  const statistics = Z3.solver_get_statistics(context, solver);
  for (let i = 0; i < Z3.stats_size(context, statistics); i++)
    if (Z3.stats_get_key(context, statistics, i) === 'rlimit count')
      return Z3.stats_get_uint_value(context, statistics, i);
  throw new InternalError('z3 does not count what it does');
}

/**
 * Creates a solver with Z3 in WebAssembly. `load` returns the module `z3-solver`; a page with its
 * own bundling passes its own module. A query that would allocate more than `megabytes` is
 * `unknown`.
 */
export function createWasmZ3(
  load: () => Promise<Api> = () => import('z3-solver'),
  { megabytes }: { readonly megabytes?: number } = {},
): SmtSolver {
  return new WasmZ3(load, megabytes);
}
