import { Budget, type Limits, metered } from '@fencewright/ground/base/budget.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import {
  inspectedProgram,
  type Model,
  templatesOf,
  type ThreadModel,
  type UnboundedModel,
} from '@fencewright/model/program/model.js';
import { frontEndOf } from '@fencewright/languages/read/front-ends.js';
import { openParts } from '@fencewright/model/program/open-parts.js';
import type { Program } from '@fencewright/model/program/program.js';
import { memoryModels } from '@fencewright/model/trace/memory-model.js';
import { ConditionFault } from '@fencewright/model/semantics/condition-fault.js';
import { withoutTimeouts } from '@fencewright/model/program/timeouts.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { ExplainedAttacks } from '@fencewright/model/verdict/explained-attacks.js';
import type { AnswerRun } from '@fencewright/model/verdict/replay.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import type { OtherWays } from './decide-fence.js';
import { defaults } from './defaults.js';
import type { Environment } from './environment.js';
import { claimsOf } from '@fencewright/model/verdict/claims-of.js';
import type {
  CheckQuestion,
  EventWishes,
  ExplainQuestion,
  FenceQuestion,
  Question,
  ReachQuestion,
  TrfQuestion,
} from './question.js';
import { optionsWithout } from './reductions.js';
import type { TsoAnswer } from './answered-check.js';
import type { Refusal, Result, ResultOf, Settlement } from './result.js';
import type { Checked } from './decide-robustness.js';
import type { Proved } from './search-or-prove.js';
import { mayProveUnasked } from './unasked-proof.js';

/** The questions answered for all instances at once. */
const aboutAllInstances: readonly Question['kind'][] = [
  'check',
  'explain',
  'fence',
  'prove',
  'reach',
];

/** The questions that support heavy fences. */
const knowHeavyFences: readonly Question['kind'][] = [
  'check',
  'explain',
  'fence',
  'bench',
  'reach',
  'trf',
  'convert',
];

/** Returns the names of the options for programs of events that the question sets. */
function eventWishes(wishes: EventWishes = {}): readonly (keyof EventWishes)[] {
  return (Object.keys(wishes) as (keyof EventWishes)[]).filter(
    (name) => wishes[name] !== undefined,
  );
}

/**
 * Whether a check continues with a proof if the search has no answer: because the user requests a
 * proof, or because no search supports the program.
 */
function needsProof(
  model: ThreadModel,
  question: CheckQuestion,
  environment: Environment,
): boolean {
  if (question.triesProof || model.kind !== 'open') return question.triesProof === true;
  return mayProveUnasked(question, environment);
}

/**
 * Returns the reason why a question about a model is refused; `undefined` if the question is
 * accepted.
 */
function refusalOf(
  model: ThreadModel,
  question: Question,
  environment: Environment,
): Refusal | undefined {
  const { kind } = question;
  if (hasHeavyFences(inspectedProgram(model))) {
    const wish = kind === 'check' && question.triesProof ? 'triesProof' : undefined;
    if (wish || !knowHeavyFences.includes(kind))
      return { kind: 'heavy-fences', ...(wish && { wish }) };
  }
  const wishes = 'events' in question ? eventWishes(question.events) : [];
  if (wishes.length > 0) return { kind: 'only-events', wishes };
  if (kind === 'prove' || kind === 'convert') return undefined;
  if (kind === 'check' && needsProof(model, question, environment)) return undefined;
  if (model.kind === 'open') return { kind: 'only-proofs', parts: openParts(model) };
  const isOther = kind === 'fence' && (question.engine ?? 'search') !== 'search';
  if (model.kind === 'unbounded' && (isOther || !aboutAllInstances.includes(kind)))
    return { kind: 'any-number' };
  return undefined;
}

/**
 * Returns the refusal of a question about memory orders if the text's format has no memory orders;
 * otherwise `undefined`.
 */
function refusalOfOrders(
  model: Model,
  question: Question,
  { compiled }: Environment,
): Refusal | undefined {
  switch (question.kind) {
    case 'c11': {
      const { outsideC11: outside } = model.kind === 'finite' ? model.program : {};
      if (outside) return { kind: 'no-orders', isRepair: false, outside };
      const { keepsOrders } = frontEndOf(question.format ?? 'native');
      return keepsOrders ? undefined : { kind: 'no-orders', isRepair: false };
    }
    case 'orders': {
      const isWritten = compiled !== undefined || (question.text?.format ?? 'native') === 'native';
      return isWritten ? undefined : { kind: 'no-orders', isRepair: true };
    }
    default:
      return undefined;
  }
}

/**
 * Answers a question about a model, within limits. `environment` has the solvers and threads to
 * use. Errors in question or program are reported in the result; throws for internal errors only.
 */
export async function decide(
  model: Model,
  question: Question,
  limits: Limits = {},
  environment: Environment = {},
): Promise<Result> {
  try {
    if (limits.effort === undefined)
      return await decideWithin(model, question, limits, environment);
    // Parallel searches are left out: the work that each of them does depends on its speed.
    const { createAttackerPool: _, ...alone } = environment;
    return await decideWithin(model, question, metered(limits), alone);
  } catch (error) {
    if (!(error instanceof ConditionFault)) throw error;
    const { conditionDiagnostic } = await import('./fault-diagnostics.js');
    return {
      kind: 'refused',
      refusal: { kind: 'condition', diagnostics: [conditionDiagnostic(error)] },
    };
  }
}

/** Returns the answer about claims and states, with the proof of claims of all instances. */
async function answersOf(
  model: ThreadModel,
  question: CheckQuestion,
  checked: CheckResult,
  budget: Budget,
  environment: Environment,
): Promise<{ readonly answered: TsoAnswer; readonly settlement?: Settlement }> {
  const { answeredCheck } = await import('./answered-check.js');
  const answered = await answeredCheck(model, question, checked, budget.share(1));
  if (model.kind !== 'unbounded' || checked.verdict.kind !== 'robust') return { answered };
  const { withProof } = await import('./claims-of-all.js');
  const limits = budget.share(1);
  const { answer, proof } = await withProof(model, question, answered, limits, environment);
  if (!proof) return { answered };
  return { answered: answer, settlement: { by: 'proof-of-claims', result: proof } };
}

/** Decides robustness; for any number of threads by a search or by a proof. */
async function decideCheck(
  model: ThreadModel,
  question: CheckQuestion,
  limits: Limits,
  environment: Environment,
): Promise<Checked | Proved | ResultOf<'refused'>> {
  if (model.kind === 'unbounded') {
    const { searchOrProve } = await import('./search-or-prove.js');
    return searchOrProve(model, question, limits, environment);
  }
  const { decideRobustness } = await import('./decide-robustness.js');
  return decideRobustness(model, question, limits, environment);
}

/** Decides robustness, the claims of the program, and what C11 lets a program in C do. */
async function checkWhole(
  model: ThreadModel,
  question: CheckQuestion,
  limits: Limits,
  environment: Environment,
): Promise<Result> {
  // Loaded on demand: the code for proofs is large, and rarely needed.
  if (needsProof(model, question, environment))
    return (await import('./decide-by-proof.js')).decideByProof(
      model,
      question,
      limits,
      environment,
    );
  const budget = new Budget(limits);
  const found = await decideCheck(model, question, limits, environment);
  if ('kind' in found) return found;
  if ('settlement' in found) {
    const { settledClaims } = await import('./claims-of-all.js');
    return {
      kind: 'check',
      ...(await settledClaims(model, question, found, budget.share(1), environment)),
    };
  }
  const { answered, settlement } = await answersOf(
    model,
    question,
    found.result,
    budget,
    environment,
  );
  const known = {
    kind: 'check' as const,
    ...found,
    result: { ...found.result, ...answered },
    ...(settlement && { settlement }),
  };
  tellOf(environment)(known);
  const { portableCheck } = await import('./portable-check.js');
  const portable = await portableCheck(model, question, budget.share(1));
  return { ...known, result: { ...known.result, ...portable } };
}

async function decideWithin(
  model: Model,
  question: Question,
  limits: Limits,
  environment: Environment,
): Promise<Result> {
  if (model.kind !== 'events' && 'timeouts' in question && question.timeouts === 'never') {
    const { timeouts: _settled, ...asked } = question;
    return decideWithin(withoutTimeouts(model), asked, limits, environment);
  }
  const withoutOrders = refusalOfOrders(model, question, environment);
  if (withoutOrders) return { kind: 'refused', refusal: withoutOrders };
  if (model.kind === 'events')
    return (await import('./decide-events.js')).decideEvents(
      model,
      question,
      limits,
      tellOf(environment),
    );
  const refusal = refusalOf(model, question, environment);
  if (refusal) return { kind: 'refused', refusal };
  switch (question.kind) {
    case 'check':
      return checkWhole(model, question, limits, environment);
    case 'explain':
      return explain(model, question, limits, environment);
    case 'bench':
      return (await import('./decide-bench.js')).decideBench(model, question, limits, environment);
    case 'reach':
      return decideReach(model, question, limits, tellOf(environment));
    case 'trf':
      return decideTrf(onlyProgram(model), question, limits);
    case 'c11':
      return (await import('./decide-c11.js')).decideC11(model, question, limits);
    case 'orders': {
      const { decideOrders } = await import('./decide-orders.js');
      return decideOrders(onlyProgram(model), question, limits, environment.compiled);
    }
    case 'fence': {
      const budget = new Budget(limits);
      const { decideFence } = await import('./decide-fence.js');
      const ways = await otherWays(question, limits, environment);
      const found = await decideFence(model, question, limits, environment.compiled, ways);
      if (model.kind === 'unbounded' || found.kind !== 'fence') return found;
      tellOf(environment)(found);
      const { becomesRobust, withRaces } = await import('./race-findings.js');
      const { result: fences } = found.fences;
      const rest = budget.share(1);
      const result = await withRaces(found.about, fences, rest, becomesRobust(fences));
      return { ...found, fences: { ...found.fences, result } };
    }
    case 'convert':
      return (await import('./decide-convert.js')).decideConvert(model, question, limits);
    case 'events':
      return { kind: 'refused', refusal: { kind: 'only-events', wishes: [] } };
    case 'prove':
      return (await import('./decide-proof.js')).decideProof(model, question, limits, environment);
  }
}

/**
 * Returns the ways to decide robustness beside the search for repairs: the requested engine, or a
 * proof.
 */
async function otherWays(
  { engine, happensBefore = defaults.happensBefore }: FenceQuestion,
  limits: Limits,
  environment: Environment,
): Promise<OtherWays> {
  const { checkWith, provingOf } = await import('./decide-robustness.js');
  if (engine === undefined || engine === 'search')
    return provingOf({ happensBefore }, limits, environment);
  return {
    judge: (program: Program, own: Limits) =>
      checkWith(program, { limits: own }, { engine }, environment),
  };
}

/** Looks for a triangular race and, with `repair`, for fences that remove all triangular races. */
async function decideTrf(
  about: Program,
  { repair = false }: TrfQuestion,
  limits: Limits,
): Promise<Result> {
  const { trf } = await import('./trf.js');
  const { certificate, uncertified, ...result } = await trf(about, { limits, repair });
  return {
    ...{ kind: 'trf', about, result },
    ...(certificate && { certificate }),
    ...(uncertified !== undefined && { uncertified }),
  };
}

/** Finds final states and claims under SC and under TSO, and the data races of programs in C. */
async function decideReach(
  model: ThreadModel,
  question: ReachQuestion,
  limits: Limits,
  tell: (result: Result) => void,
): Promise<Result> {
  const { reachOutcomes } = await import('./reach-outcomes.js');
  const { buffer, model: memory = 'TSO', certify = false } = question;
  if (model.kind === 'unbounded') return decideReachAll(model, question, limits);
  const finite = { kind: 'finite', program: onlyProgram(model) } as const;
  const options = { limits, model: memory, ...(buffer !== undefined && { buffer }) };
  const budget = new Budget(limits);
  const { about: asked, result: found } = await reachOutcomes(
    model.kind === 'finite' ? model : finite,
    options,
  );
  // Loaded late: the count of delays comes with the search.
  const { withHeavyFenceClaim } = await import('./heavy-fence-claim.js');
  const about = found.robustness === 'robust' ? withHeavyFenceClaim(asked) : asked;
  tell({ kind: 'reach', about, result: found });
  const { withRaces } = await import('./race-findings.js');
  const result = await withRaces(about, found, budget.share(1), found.robustness === 'robust');
  // Certificates prove what holds under TSO.
  if (!certify || !memoryModels[memory].isFifo) return { kind: 'reach', about, result };
  tell({ kind: 'reach', about, result });
  const { certifyReach } = await import('./certify-reach.js');
  // The proof is about the program without the parts seen only in final states.
  const proven = finite.program;
  const { result: ofProven } = proven === asked ? { result } : await reachOutcomes(finite, options);
  const proof = await certifyReach(proven, ofProven, new Budget(limits));
  return { kind: 'reach', about, result, ...proof };
}

/**
 * Returns a function that passes an answer to the caller's `onKnown` when its verdict is final but
 * other parts of the question are still open.
 */
function tellOf({ onKnown }: Environment): (result: Result) => void {
  return (result) => onKnown?.({ result, isFinal: true });
}

/** Decides the claims about all instances; other facts about all instances are not supported. */
async function decideReachAll(
  model: UnboundedModel,
  { buffer, model: memory = 'TSO', certify = false }: ReachQuestion,
  limits: Limits,
): Promise<Result> {
  const wishes = [
    ...(buffer === undefined ? [] : (['buffer'] as const)),
    ...(certify ? (['certify'] as const) : []),
    ...(memoryModels[memory].isFifo ? [] : (['model'] as const)),
  ];
  if (wishes.length > 0) return { kind: 'refused', refusal: { kind: 'no-choice', wishes } };
  if (claimsOf(model.templates).length === 0)
    return { kind: 'refused', refusal: { kind: 'any-number' } };
  const { reachAll } = await import('./reach-all.js');
  const { withHeavyFenceClaim } = await import('./heavy-fence-claim.js');
  const about = withHeavyFenceClaim(model.templates, { isForAll: true });
  return { kind: 'reach-all', about, result: await reachAll(model, { limits }) };
}

/**
 * Returns the attacks that the question asks to show, or the errors if no attack has the given
 * name.
 */
async function wantedAttacks(
  program: Program,
  { attack: name, showsAttacks = false }: ExplainQuestion,
): Promise<readonly Attack[] | 'all' | 'none' | Extract<Refusal, { kind: 'attack' }>> {
  if (name === undefined) return showsAttacks ? 'all' : 'none';
  const { attacksByName } = await import('./attack-by-name.js');
  const { attacks, diagnostics } = attacksByName(program, name);
  return attacks.length > 0 ? attacks : { kind: 'attack', diagnostics };
}

/** Checks robustness, and returns the witness and the attacks to show. */
async function explain(
  model: ThreadModel,
  question: ExplainQuestion,
  limits: Limits,
  environment: Environment,
): Promise<Result> {
  const budget = new Budget(limits);
  if (model.kind !== 'unbounded') {
    // A wrong name is reported before any search.
    const wanted = await wantedAttacks(inspectedProgram(model), question);
    if (typeof wanted === 'object' && 'kind' in wanted) return { kind: 'refused', refusal: wanted };
  }
  const { decideRobustness } = await import('./decide-robustness.js');
  const shows = question.attack !== undefined || question.showsAttacks === true;
  const asked = shows ? { ...question, listsAttacks: true } : question;
  const decided = await decideRobustness(model, asked, limits, environment);
  if ('kind' in decided) return decided;
  const { about } = decided;
  const found = question.fewestDelays
    ? { ...decided, result: await withFewestDelays(about, decided.result, budget) }
    : decided;
  const wanted = await wantedAttacks(about, question);
  if (typeof wanted === 'object' && 'kind' in wanted) return { kind: 'refused', refusal: wanted };
  const { answeredCheck } = await import('./answered-check.js');
  const answered = await answeredCheck(model, question, found.result, budget.share(1));
  const result = { ...found.result, ...answered };
  const { verdict } = result;
  if (verdict.kind !== 'unknown') tellOf(environment)({ kind: 'explain', about, result });
  const explained =
    wanted === 'none' ? undefined : await explainWanted(about, wanted, result, question, budget);
  const answerRun = wanted === 'none' ? await answerRunOf(about, result, budget) : undefined;
  const shown = {
    kind: 'explain' as const,
    about,
    result,
    ...(explained && { explained }),
    ...(answerRun && { answerRun }),
  };
  if (verdict.kind !== 'not-robust') return shown;
  const { listsFences = false, text } = question;
  const fences =
    model.kind === 'finite' && listsFences
      ? await (
          await import('./decide-fence.js')
        ).defaultFences(model, text, result.happensBefore, limits, environment.compiled)
      : undefined;
  const { replay } = await import('./replay.js');
  const replayed = replay(about, verdict.witness.computation);
  return { ...shown, replay: replayed, ...(fences && { fences }) };
}

/** Returns the result with a violation that has as few delays as the budget allows to find. */
async function withFewestDelays(
  about: Program,
  result: CheckResult,
  budget: Budget,
): Promise<CheckResult> {
  const { verdict } = result;
  if (verdict.kind !== 'not-robust') return result;
  const { minimalViolation } = await import('@fencewright/engines/search/minimal-violation.js');
  const rest = new Budget(budget.share(1));
  const witness = await minimalViolation(about, verdict.witness, rest);
  return { ...result, verdict: { ...verdict, witness } };
}

/**
 * Returns an execution that shows the answer about claims and states under TSO; `undefined` if
 * there is none.
 */
async function answerRunOf(
  about: Program,
  result: CheckResult,
  budget: Budget,
): Promise<AnswerRun | undefined> {
  if (!result.answer && !result.races?.freedUses[0]) return undefined;
  const { runOfAnswer } = await import('./run-of-answer.js');
  return runOfAnswer(about, result, budget.share(1));
}

async function explainWanted(
  about: Program,
  wanted: readonly Attack[] | 'all',
  result: CheckResult,
  { attack: name, without }: ExplainQuestion,
  budget: Budget,
): Promise<ExplainedAttacks> {
  const { explainAttacks } = await import('./explain-attacks.js');
  const rest = new Budget(budget.share(1));
  const found = await explainAttacks(about, wanted, result, rest, optionsWithout(without));
  return { ...(name !== undefined && { name }), ...found };
}

/** Returns the program of a finite model; `refusalOf` has refused the other models. */
function onlyProgram(model: ThreadModel): Program {
  return templatesOf(model).templates;
}
