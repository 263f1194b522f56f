import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type {
  SmtParameters,
  SmtSilence,
  SmtSolver,
} from '@fencewright/ground/solvers/smt-solver.js';
import { withinEffort, withinMeter } from '@fencewright/ground/solvers/within-effort.js';
import type {
  ReachabilityAnswer,
  ReachabilityEngine,
  ReachabilityQuery,
} from '@fencewright/model/reach/engine.js';
import { encodeReachability, type EncodingOptions } from './control-states.js';
import { askSpacer, withoutInlining } from '@fencewright/ground/smt/ask-spacer.js';
import { checkInvariant } from '@fencewright/ground/smt/check-invariant.js';
import { eliminatePredicates } from '@fencewright/ground/smt/eliminate-predicates.js';
import { pruneHornSystem, type HornSystem } from '@fencewright/ground/smt/horn-system.js';

interface HornEngineOptions {
  readonly solver: SmtSolver;
  /** The engine that looks for a run to a goal when the solver says that the goal is reachable. */
  readonly explicit: ReachabilityEngine;
  readonly encoding?: EncodingOptions;
  /**
   * The maximum effort of the solver for all queries together, in the solver's count
   * (`SmtQuery.effort`).
   */
  readonly effort?: number;
}

/**
 * The methods by which Spacer, a solver of Horn clauses, is asked, tried one after the other until
 * one settles the question, each with its limit of effort. Before a method is tried, predicates are
 * eliminated as long as each elimination adds at most `growth` clauses; without `growth`, no
 * predicate is eliminated.
 */
const attempts: readonly {
  readonly growth?: number;
  readonly parameters: SmtParameters;
  readonly effort: number;
}[] = [
  { growth: 4, parameters: {}, effort: 20_000_000 },
  { growth: 4, parameters: withoutInlining, effort: 20_000_000 },
  { parameters: withoutInlining, effort: 40_000_000 },
];

/**
 * The maximum effort of the solver for each query by which an invariant is checked again after the
 * solver has found the invariant.
 */
const checkEffort = 30_000_000;

/** The number of states that the explicit engine searches for a run to a goal. */
const witnessSlice = 500_000;

/**
 * The answer of the solver of Horn clauses: whether a goal is reachable, or why the question is
 * open.
 */
type ClausesAnswer =
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'reachable' }
  | { readonly kind: 'open'; readonly reason: 'memory' | 'undecided' | 'effort' };

/**
 * Checks the clock and the user's signal while a solver works; returns the result of `work`, or the
 * reason why `work` was ended.
 */
async function withBudget<T>(
  budget: Budget,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | Exhaustion> {
  const controller = new AbortController();
  let exhausted: Exhaustion | undefined;
  const timer = setInterval(() => {
    void budget.checkTime(0, 0).then((why) => {
      if (!why) return;
      exhausted = why;
      controller.abort();
    });
  }, 100);
  try {
    const result = await work(controller.signal);
    return exhausted ?? result;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Returns the reason why the solver gave no answer, as far as useful to the user: `memory`,
 * `effort`, or else `undecided`.
 */
function reasonOf({ reason }: { readonly reason: SmtSilence }) {
  return reason === 'memory' || reason === 'effort' ? reason : 'undecided';
}

async function decide(
  system: HornSystem,
  solver: SmtSolver,
  signal: AbortSignal,
): Promise<ClausesAnswer> {
  // The solver need not be asked: control flow alone never reaches a goal.
  if (system.clauses.every(({ head }) => head)) return { kind: 'unreachable' };
  let open: ClausesAnswer = { kind: 'open', reason: 'undecided' };
  for (const { growth, parameters, effort } of attempts) {
    if (signal.aborted) break;
    const { system: asked, eliminated } =
      growth === undefined ? { system, eliminated: [] } : eliminatePredicates(system, growth);
    const answer = await askSpacer(asked, { parameters, effort, signal }, solver);
    if (answer.kind === 'none') return { kind: 'reachable' };
    if (answer.kind === 'unknown') {
      open = { kind: 'open', reason: reasonOf(answer) };
      continue;
    }
    const limits = { effort: checkEffort, signal };
    const check = await checkInvariant(system, answer.model, solver, limits, eliminated);
    if (check.kind === 'unsat') return { kind: 'unreachable' };
    if (check.kind === 'unknown') open = { kind: 'open', reason: reasonOf(check) };
  }
  return open;
}

/**
 * Decides reachability with data of any size: the query becomes constrained Horn clauses. A solver
 * either finds an invariant, checked again independently, or says that a goal is reachable; then
 * the explicit engine looks for the run. A question that neither settles is `undecided`.
 */
export function createHornEngine({
  solver,
  explicit,
  encoding: options = {},
  effort,
}: HornEngineOptions): ReachabilityEngine {
  const limited = withinEffort(solver, effort);
  return {
    name: 'chc',
    async explore(query: ReachabilityQuery, budget: Budget): Promise<ReachabilityAnswer> {
      const nothing = { goals: [], states: 0, faults: [] };
      if (solver.missing !== undefined)
        return { ...nothing, failure: { kind: 'missing', program: solver.missing } };
      const encoding = encodeReachability(query, options);
      if (encoding.kind === 'unsupported') return { ...nothing, incomplete: 'undecided' };
      const system = pruneHornSystem(encoding.system);
      const { meter } = budget.share(1);
      const own = meter ? withinMeter(limited, meter) : limited;
      const finding = await withBudget(budget, (signal) => decide(system, own, signal));
      if (meter && meter.left <= 0) return { ...nothing, incomplete: 'work' };
      if (typeof finding === 'string') return { ...nothing, incomplete: finding };
      if (finding.kind === 'unreachable') return nothing;
      if (finding.kind === 'open') return { ...nothing, incomplete: finding.reason };
      const answer = await explicit.explore({ ...query, slice: witnessSlice }, budget);
      if (answer.incomplete === 'slice') return { ...answer, incomplete: 'undecided' };
      const isRefuted = !answer.incomplete && answer.goals.length + answer.faults.length === 0;
      if (isRefuted && encoding.isExact)
        throw new InternalError('z3 reaches a goal that cannot be reached');
      return answer;
    },
  };
}
