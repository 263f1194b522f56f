import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { finiteProgram, type ThreadModel, templatesOf } from '@fencewright/model/program/model.js';
import type { SmtSolver } from '@fencewright/ground/solvers/smt-solver.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import { check } from './check.js';
import { withSolver } from './decide-proof.js';
import { decideRobustness } from './decide-robustness.js';
import { settledClaims } from './claims-of-all.js';
import { defaults } from './defaults.js';
import type { Environment } from './environment.js';
import { prove } from './prove.js';
import { withinEffort } from '@fencewright/ground/solvers/within-effort.js';
import { provesRobust } from './proved-robust.js';
import type { CheckQuestion } from './question.js';
import type { Result, ResultOf, Settlement } from './result.js';

/**
 * The limit of work for the solver of Horn clauses, in the solver's own unit, if the user has set
 * no time limit.
 */
const hornEffort = 5_000_000;

/**
 * The maximum number of states of the search for an execution that confirms an attack found by Horn
 * clauses, if the user has set no limit.
 */
const hornStates = 500_000;

/**
 * Decides robustness by a search. If the search has no answer or does not support the program,
 * tries a proof with inferred abstractions, and then Horn clauses.
 */
export async function decideByProof(
  model: ThreadModel,
  question: CheckQuestion,
  limits: Limits,
  environment: Environment,
): Promise<Result> {
  const searched =
    model.kind === 'open'
      ? undefined
      : await decideRobustness(model, question, limits, environment);
  if (searched && 'kind' in searched) return searched;
  const found: ResultOf<'check'> = searched
    ? { kind: 'check', ...searched }
    : { kind: 'check', about: templatesOf(model).templates };
  const isOpen = found.result === undefined || found.result.verdict.kind === 'unknown';
  if (!isOpen || limits.signal?.aborted) return found;
  const budget = new Budget(limits);
  const settled = await withSolver(question.solver, limits, environment, async (solver) => {
    const { happensBefore = defaults.happensBefore } = question;
    return { ...found, settlement: await settle(model, solver, happensBefore, limits) };
  });
  if ('refusal' in settled) return settled;
  return settledClaims(model, question, settled, budget.share(1), environment);
}

/**
 * The solver's limit of work, in the solver's own unit, for a proof that the user has not asked
 * for. The five ticket locks of `corpus/inference` are proved within this limit.
 */
const besideEffort = 20_000_000;

/**
 * Tries a proof, with inference, within a limit of work. Returns the proof if it shows robustness;
 * `undefined` otherwise, or without a solver.
 */
export async function proofBesideSearch(
  model: ThreadModel,
  { solver: choice, happensBefore = defaults.happensBefore }: CheckQuestion,
  { maxStates: _, ...limits }: Limits,
  environment: Environment,
): Promise<Settlement | undefined> {
  const found = await withSolver(choice, limits, environment, async (solver) => {
    const own = withinEffort(solver, besideEffort);
    const options = { solver: own, limits, searchInstances: false, infer: true };
    return prove(templatesOf(model), options);
  });
  if ('kind' in found || !provesRobust(found.result, happensBefore)) return undefined;
  return { by: 'proof', result: found.result, isRobust: true };
}

async function settle(
  model: ThreadModel,
  solver: SmtSolver,
  happensBefore: HappensBefore,
  limits: Limits,
): Promise<Settlement> {
  const options = { solver, limits, searchInstances: false, infer: true };
  const { result } = await prove(templatesOf(model), options);
  const program = finiteProgram(model);
  const isRobust = provesRobust(result, happensBefore);
  if (isRobust || !program) return { by: 'proof', result, isRobust };
  const { timeout, maxStates = hornStates } = limits;
  const horn = await check(program, {
    engine: {
      name: 'chc',
      smtSolver: solver,
      ...(timeout === undefined && { smtEffort: hornEffort }),
    },
    limits: { ...limits, maxStates },
  });
  // Robust in the standard notion is robust by values, too.
  if (horn.verdict.kind === 'robust') return { by: 'horn-clauses' };
  return { by: 'proof', result, isRobust };
}
