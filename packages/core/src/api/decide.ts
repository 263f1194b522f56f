import { Budget, type Limits } from '../base/budget.js';
import {
  type Model,
  templatesOf,
  type ThreadModel,
  type UnboundedModel,
} from '../program/model.js';
import { openParts } from '../program/open-parts.js';
import type { Program } from '../program/program.js';
import type { Environment } from './environment.js';
import { claimsOf } from '../verdict/claims-of.js';
import type { EventWishes, ExplainQuestion, Question, ReachQuestion } from './question.js';
import type { Refusal, Result } from './result.js';

/** Questions that are answered for all instances at once. */
const aboutAllInstances: readonly Question['kind'][] = [
  'check',
  'explain',
  'fence',
  'prove',
  'reach',
];

/** What is wished for programs of events. */
function eventWishes(wishes: EventWishes = {}): readonly (keyof EventWishes)[] {
  return (Object.keys(wishes) as (keyof EventWishes)[]).filter(
    (name) => wishes[name] !== undefined,
  );
}

/** Why a question is none about such a model. */
function refusalOf(model: ThreadModel, question: Question): Refusal | undefined {
  const { kind } = question;
  const wishes = 'events' in question ? eventWishes(question.events) : [];
  if (wishes.length > 0) return { kind: 'only-events', wishes };
  if (kind === 'prove' || kind === 'convert') return undefined;
  if (kind === 'check' && question.triesProof) return undefined;
  if (model.kind === 'open') return { kind: 'only-proofs', parts: openParts(model) };
  if (model.kind === 'unbounded' && !aboutAllInstances.includes(kind))
    return { kind: 'any-number' };
  return undefined;
}

/**
 * The answer to a question about a model, within limits. `environment` has the solvers and threads
 * that it may use. What a question or a program does wrong is said in the result; throws for faults
 * of ours only.
 */
export async function decide(
  model: Model,
  question: Question,
  limits: Limits = {},
  environment: Environment = {},
): Promise<Result> {
  if (model.kind === 'events')
    return (await import('./decide-events.js')).decideEvents(model, question, limits);
  const refusal = refusalOf(model, question);
  if (refusal) return { kind: 'refused', refusal };
  switch (question.kind) {
    case 'check': {
      // Proofs are large, and few ask for them.
      if (question.triesProof)
        return (await import('./decide-by-proof.js')).decideByProof(
          model,
          question,
          limits,
          environment,
        );
      const budget = new Budget(limits);
      const { decideRobustness } = await import('./decide-robustness.js');
      const found = await decideRobustness(model, question, limits, environment);
      if ('kind' in found) return found;
      const { answeredCheck } = await import('./answered-check.js');
      const { result } = found;
      const answer = await answeredCheck(model, question, result, budget.share(1));
      return { kind: 'check', ...found, result: { ...result, ...(answer && { answer }) } };
    }
    case 'explain':
      return explain(model, question, limits, environment);
    case 'bench':
      return (await import('./decide-bench.js')).decideBench(model, question, limits, environment);
    case 'reach': {
      const { reach } = await import('./reach.js');
      const { buffer, certify = false } = question;
      if (model.kind === 'unbounded') return decideReachAll(model, question, limits);
      const about = onlyProgram(model);
      const options = { limits, ...(buffer !== undefined && { buffer }) };
      const result = await reach(about, options);
      if (!certify) return { kind: 'reach', about, result };
      const { certifyReach } = await import('./certify-reach.js');
      const proof = await certifyReach(about, result, new Budget(limits));
      return { kind: 'reach', about, result, ...proof };
    }
    case 'trf': {
      const { trf } = await import('./trf.js');
      const about = onlyProgram(model);
      const { repair = false } = question;
      const { certificate, ...result } = await trf(about, { limits, repair });
      return { kind: 'trf', about, result, ...(certificate && { certificate }) };
    }
    case 'fence':
      return (await import('./decide-fence.js')).decideFence(
        model,
        question,
        limits,
        environment.compiled,
      );
    case 'convert':
      return (await import('./decide-convert.js')).decideConvert(model, question, limits);
    case 'events':
      return { kind: 'refused', refusal: { kind: 'only-events', wishes: [] } };
    case 'prove':
      return (await import('./decide-proof.js')).decideProof(model, question, limits, environment);
  }
}

/** What is claimed of all instances; there is nothing else to be said of all of them. */
async function decideReachAll(
  model: UnboundedModel,
  { buffer, certify = false }: ReachQuestion,
  limits: Limits,
): Promise<Result> {
  const wishes = [
    ...(buffer === undefined ? [] : (['buffer'] as const)),
    ...(certify ? (['certify'] as const) : []),
  ];
  if (wishes.length > 0) return { kind: 'refused', refusal: { kind: 'no-choice', wishes } };
  if (claimsOf(model.templates).length === 0)
    return { kind: 'refused', refusal: { kind: 'any-number' } };
  const { reachAll } = await import('./reach-all.js');
  return { kind: 'reach-all', about: model.templates, result: await reachAll(model, { limits }) };
}

/** Robustness, and the witness replayed. */
async function explain(
  model: ThreadModel,
  question: ExplainQuestion,
  limits: Limits,
  environment: Environment,
): Promise<Result> {
  const budget = new Budget(limits);
  const { decideRobustness } = await import('./decide-robustness.js');
  const found = await decideRobustness(model, question, limits, environment);
  if ('kind' in found) return found;
  const { about } = found;
  const { answeredCheck } = await import('./answered-check.js');
  const answer = await answeredCheck(model, question, found.result, budget.share(1));
  const result = { ...found.result, ...(answer && { answer }) };
  const { verdict } = result;
  if (verdict.kind !== 'not-robust') return { kind: 'explain', about, result };
  const { listsFences = false, text } = question;
  const fences =
    model.kind === 'finite' && listsFences
      ? await (
          await import('./decide-fence.js')
        ).defaultFences(model, text, result.happensBefore, limits, environment.compiled)
      : undefined;
  const { replay } = await import('./replay.js');
  const replayed = replay(about, verdict.witness.computation);
  return { kind: 'explain', about, result, replay: replayed, ...(fences && { fences }) };
}

/** The program of a model of which `refusalOf` has made sure that it is finite. */
function onlyProgram(model: ThreadModel): Program {
  return templatesOf(model).templates;
}
