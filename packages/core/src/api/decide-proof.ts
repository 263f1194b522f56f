import type { Limits } from '@fencewright/ground/base/budget.js';
import { type ThreadModel, templatesOf } from '@fencewright/model/program/model.js';
import { sealCertificate } from '@fencewright/model/program/seal-certificate.js';
import { withinMeter } from '@fencewright/ground/solvers/within-effort.js';
import type { SmtSolver } from '@fencewright/ground/solvers/smt-solver.js';
import type { Environment } from './environment.js';
import { provedProblems } from './property-problems.js';
import { prove } from './prove.js';
import type { ProveQuestion, SolverChoice } from './question.js';
import type { Result, ResultOf } from './result.js';

/**
 * Makes an SMT solver, calls `use` with the solver, and closes the solver. Returns a refusal if the
 * requested solver is not available.
 */
export async function withSolver<T>(
  choice: SolverChoice | undefined,
  { maxMemory, meter }: Limits,
  environment: Environment,
  use: (solver: SmtSolver) => Promise<T>,
): Promise<T | ResultOf<'refused'>> {
  const solver = environment.createSmtSolver
    ? await environment.createSmtSolver(choice, maxMemory)
    : (await import('@fencewright/ground/solvers/z3-wasm.js')).createWasmZ3();
  const { missing } = solver;
  if (missing !== undefined)
    return { kind: 'refused', refusal: { kind: 'missing', program: missing } };
  try {
    return await use(meter ? withinMeter(solver, meter) : solver);
  } finally {
    await solver.close();
  }
}

/** Tries to prove robustness; reports the solver's queries as progress. */
export async function decideProof(
  model: ThreadModel,
  question: ProveQuestion,
  limits: Limits,
  environment: Environment,
): Promise<Result> {
  const { properties, infer = false, movers = false, certify, keepsQuestions } = question;
  const about = templatesOf(model);
  const problems = provedProblems(about, properties ?? []);
  if (problems.length > 0) return { kind: 'refused', refusal: { kind: 'properties', problems } };
  return withSolver(question.solver, limits, environment, async (solver) => {
    const started = performance.now();
    const { result, questions, claims } = await prove(about, {
      solver,
      limits,
      ...(properties && { properties }),
      ...(infer && { infer }),
      ...(movers && { movers }),
      onQuestion: (asked) =>
        limits.onProgress?.({
          states: asked,
          memory: 0,
          milliseconds: performance.now() - started,
        }),
    });
    const certificate =
      certify && claims ? await sealCertificate('proof', about, claims) : undefined;
    return {
      kind: 'prove',
      about,
      result,
      ...(certificate && { certificate }),
      ...(keepsQuestions && claims && { questions }),
    } satisfies ResultOf<'prove'>;
  });
}
