import type { Budget, Exhaustion } from '../../base/budget.js';
import { InternalError } from '../../base/unreachable.js';
import type { SmtParameter, SmtQuery, SmtSolver } from '../../solvers/smt-solver.js';
import type { ReachabilityAnswer, ReachabilityEngine, ReachabilityQuery } from '../engine.js';
import { checkInvariant } from './check-invariant.js';
import { encodeReachability, type EncodingOptions } from './control-states.js';
import { eliminatePredicates } from './eliminate-predicates.js';
import { formatHornSystem, pruneHornSystem, type HornSystem } from './horn-system.js';

export interface HornEngineOptions {
  readonly solver: SmtSolver;
  /** Finds the runs to goals that the solver says can be reached. */
  readonly explicit: ReachabilityEngine;
  readonly encoding?: EncodingOptions;
}

/** Z3 4.8.12 was seen to return interpretations that do not satisfy the clauses when it had inlined predicates; 5.1 is lost without. */
const noInlining = { 'fp.xform.inline_eager': false, 'fp.xform.inline_linear': false };

/**
 * Ways to ask Spacer, tried one after the other, each for so long (milliseconds), until one settles the question. Predicates are
 * left out as long as that costs at most `growth` clauses more each; where absent, all stay.
 */
const attempts: readonly {
  readonly growth?: number;
  readonly parameters: Readonly<Record<string, SmtParameter>>;
  readonly time: number;
}[] = [
  { growth: 4, parameters: {}, time: 60_000 },
  { growth: 4, parameters: noInlining, time: 60_000 },
  { parameters: noInlining, time: 120_000 },
];

/** Milliseconds that the invariant may take to be checked again, for each query. */
const checkTime = 30_000;

/** States in which a run to a goal is looked for. */
const witnessSlice = 500_000;

/** What the clauses come to. */
type Finding =
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'reachable' }
  | { readonly kind: 'open'; readonly reason: Exhaustion | 'undecided' };

/** Lets the clock and the user in while a solver works; gives what `work` gives, or why it was ended. */
async function withBudget<T>(
  budget: Budget,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | Exhaustion> {
  const controller = new AbortController();
  let exhausted: Exhaustion | undefined;
  const timer = setInterval(() => {
    void budget.breathe(0, 0).then((why) => {
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

async function decide(
  system: HornSystem,
  solver: SmtSolver,
  signal: AbortSignal,
): Promise<Finding> {
  // Nothing to ask: control alone never gets there.
  if (system.clauses.every(({ head }) => head)) return { kind: 'unreachable' };
  let open: Finding = { kind: 'open', reason: 'undecided' };
  for (const { growth, parameters, time } of attempts) {
    if (signal.aborted) break;
    const { system: asked, eliminated } =
      growth === undefined ? { system, eliminated: [] } : eliminatePredicates(system, growth);
    const script = formatHornSystem(asked);
    const query: SmtQuery = { script, logic: 'HORN', wantsModel: true, signal };
    const answer = await solver.solve({ ...query, parameters, timeout: time });
    if (answer.kind === 'unsat') return { kind: 'reachable' };
    if (answer.kind === 'unknown') {
      open = { kind: 'open', reason: answer.reason === 'memory' ? 'memory' : 'undecided' };
      continue;
    }
    const limits = { timeout: checkTime, signal };
    const check = await checkInvariant(system, answer.model ?? '', solver, limits, eliminated);
    if (check.kind === 'unsat') return { kind: 'unreachable' };
  }
  return open;
}

/**
 * Decides reachability with data of any size: the query becomes constrained Horn clauses, and a solver finds an invariant, which is
 * checked again by itself, or says that a goal can be reached; then the explicit engine looks for the run. What neither settles
 * is `undecided`.
 */
export function createHornEngine({
  solver,
  explicit,
  encoding: options = {},
}: HornEngineOptions): ReachabilityEngine {
  return {
    name: 'chc',
    async explore(query: ReachabilityQuery, budget: Budget): Promise<ReachabilityAnswer> {
      const nothing = { goals: [], states: 0, faults: [] };
      if (solver.missing !== undefined)
        return { ...nothing, failure: { kind: 'missing', program: solver.missing } };
      const encoding = encodeReachability(query, options);
      if (encoding.kind === 'unsupported') return { ...nothing, incomplete: 'undecided' };
      const system = pruneHornSystem(encoding.system);
      const finding = await withBudget(budget, (signal) => decide(system, solver, signal));
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
