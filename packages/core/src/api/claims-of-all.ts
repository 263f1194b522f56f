import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { at } from '@fencewright/ground/base/at.js';
import {
  type OpenModel,
  templatesOf,
  type ThreadModel,
  type UnboundedModel,
} from '@fencewright/model/program/model.js';
import type { ProveResult } from '@fencewright/model/verdict/prove-result.js';
import { claimsOf } from '@fencewright/model/verdict/claims-of.js';
import { answeredCheck, type TsoAnswer } from './answered-check.js';
import { claimsByProof } from './claims-by-proof.js';
import { defaults } from './defaults.js';
import type { Environment } from './environment.js';
import type { CheckQuestion } from './question.js';
import type { Settlement } from './result.js';

/**
 * The solver's limit of work, in its own unit, for a proof of claims that the user has not asked
 * for.
 */
const claimsEffort = 20_000_000;

/** An answer about claims, and the proof that it rests on, if any. */
interface ClaimsOfAll {
  readonly answer: TsoAnswer;
  readonly proof?: ProveResult;
}

/**
 * Returns the answer about the claims of a program all of whose instances are robust: first by
 * searches, where a search supports the program, then by a proof of the claims left open. The
 * answer is empty if the question asks for no claims, or the program has none.
 */
async function claimsOfAll(
  model: UnboundedModel | OpenModel,
  question: CheckQuestion,
  limits: Limits,
  environment: Environment,
): Promise<ClaimsOfAll> {
  const budget = new Budget(limits);
  const known = await searchedClaims(model, question, budget.share(1));
  return withProof(model, question, known, budget.share(1), environment);
}

/** Returns the answer that searches give; all claims are open if no search supports the program. */
async function searchedClaims(
  model: UnboundedModel | OpenModel,
  question: CheckQuestion,
  limits: Limits,
): Promise<TsoAnswer> {
  const { happensBefore = defaults.happensBefore, answers } = question;
  const robust = { verdict: { kind: 'robust' }, happensBefore } as const;
  if (model.kind === 'unbounded') return answeredCheck(model, question, robust, limits);
  const { templates, unbounded } = model;
  const claims = claimsOf(templates);
  if (answers === undefined || claims.length === 0) return {};
  const names = unbounded.map((thread) => at(templates.threads, thread).name);
  const why = { kind: 'no-proof' } as const;
  return {
    answer: { kind: 'unknown', open: 'claims', claims, why },
    answered: { templates, names },
  };
}

/**
 * Returns the answer about claims of a program all of whose instances are robust, completed by a
 * proof of claims that `known` leaves open. No proof is tried if only searches may answer.
 */
export async function withProof(
  model: UnboundedModel | OpenModel,
  question: CheckQuestion,
  known: TsoAnswer,
  limits: Limits,
  environment: Environment,
): Promise<ClaimsOfAll> {
  const { happensBefore = defaults.happensBefore, searchesOnly = false, solver } = question;
  const { answer } = known;
  if (answer?.kind !== 'unknown' || answer.open !== 'claims' || limits.signal?.aborted)
    return { answer: known };
  const mayProve = !searchesOnly && environment.createSmtSolver !== undefined;
  if (!mayProve || happensBefore !== 'standard') return { answer: known };
  const options = { effort: claimsEffort, ...(solver && { solver }) };
  const open = templatesOf(model);
  const found = await claimsByProof(open, answer.claims, options, limits, environment);
  if (!found) return { answer: known };
  const left = answer.claims.filter((claim) => !found.claims.includes(claim));
  const completed = left.length === 0 ? ({ kind: 'robust' } as const) : { ...answer, claims: left };
  return { answer: { ...known, answer: completed }, proof: found.result };
}

/**
 * Returns an answer that rests on a proof of robustness, completed by the answer about claims. A
 * proof of claims also shows robustness, and replaces the proof of robustness in the answer.
 */
export async function settledClaims<T extends { readonly settlement?: Settlement }>(
  model: ThreadModel,
  question: CheckQuestion,
  found: T,
  limits: Limits,
  environment: Environment,
): Promise<T> {
  const { settlement } = found;
  if (model.kind === 'finite' || settlement?.by !== 'proof' || !settlement.isRobust) return found;
  const { answer: claims, proof } = await claimsOfAll(model, question, limits, environment);
  if (!claims.answer) return found;
  const completed = { ...settlement, claims, ...(proof && { result: proof }) };
  return { ...found, settlement: completed };
}
