import { hasGuesses } from '@fencewright/model/analysis/guesses.js';
import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { inspectedProgram, type ThreadModel } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import { sealCertificate } from '@fencewright/model/program/seal-certificate.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { checkParameterized, type ParameterizedCheck } from './check-parameterized.js';
import { check, type CheckOptions } from './check.js';
import type { TurnOptions } from './decide-in-turns.js';
import { defaults } from './defaults.js';
import type { Environment } from './environment.js';
import { withHeavyFenceClaim } from './heavy-fence-claim.js';
import type { CheckQuestion, ExplainQuestion, RobustnessQuestion } from './question.js';
import type { ReductionName } from './reductions.js';
import { withRaces } from './race-findings.js';
import type { Refusal, ResultOf } from './result.js';

/** The result of a check, and the program that its ids refer to. */
export type Checked = Omit<ParameterizedCheck, 'program'> & { readonly about: Program };

/** The reductions that apply only to searches of programs with a fixed number of threads. */
const ofKnownNumbers: readonly ReductionName[] = ['local-first', 'freeze', 'symmetry'];

/**
 * Returns the options of a question that have no meaning for any number of copies: copies are
 * counted, not distinguished, and no engine can be chosen.
 */
function wishesWithoutMeaning(
  question: RobustnessQuestion &
    Pick<CheckQuestion, 'triesProof'> &
    Pick<ExplainQuestion, 'fewestDelays'>,
): Extract<Refusal, { kind: 'no-choice' }>['wishes'] {
  const { engine = defaults.engine, without = [], solver, triesProof = false } = question;
  return [
    ...(engine === defaults.engine ? [] : (['engine'] as const)),
    ...ofKnownNumbers.filter((name) => without.includes(name)),
    ...(solver === undefined || triesProof ? [] : (['solver'] as const)),
    ...(question.fewestDelays ? (['fewestDelays'] as const) : []),
  ];
}

/** Decides robustness by a search. `model` is finite, or has any number of copies of threads. */
export async function decideRobustness(
  model: ThreadModel,
  question: RobustnessQuestion &
    Pick<CheckQuestion, 'certify' | 'triesProof'> & { readonly kind?: string },
  limits: Limits,
  environment: Environment,
): Promise<Checked | ResultOf<'refused'>> {
  const about = inspectedProgram(model);
  const tell = (result: CheckResult, isFinal: boolean, of = about): void =>
    tellKnown(listed({ about: of, result }, question), isFinal, question, environment);
  const onKnown = (result: CheckResult): void => tell(result, false);
  const { happensBefore, allAttacks = false, replayAll = false, without = [] } = question;
  const asked = { ...(happensBefore && { happensBefore }), allAttacks, replayAll };
  const options = { ...asked, without, limits, onKnown };
  if (model.kind !== 'unbounded') {
    const budget = new Budget(limits);
    const checked = await checkWith(about, options, question, environment);
    tell(checked, true);
    const result = ['check', 'explain'].includes(question.kind ?? '')
      ? await withRaces(about, checked, budget.share(1), checked.verdict.kind === 'robust')
      : checked;
    if (result !== checked) tell(result, true);
    const proof = question.certify === true ? await certified(about, result, limits) : undefined;
    return listed({ about, result, ...proof }, question);
  }
  const wishes = wishesWithoutMeaning(question);
  if (wishes.length > 0) return { kind: 'refused', refusal: { kind: 'no-choice', wishes } };
  const { certify = false, kernel } = question;
  const engine = { name: 'search', ...(kernel && { kernel }) } as const;
  const { program, ...found } = await checkParameterized(model, { ...options, engine, certify });
  tell(found.result, true, program);
  return listed({ about: program, ...found }, question, true);
}

/**
 * Reports the known part of an answer about robustness, if there is a verdict. With `isFinal`, no
 * verdict can change any more.
 */
function tellKnown(
  { about, result }: Checked,
  isFinal: boolean,
  { kind }: { readonly kind?: string },
  { onKnown }: Environment,
): void {
  const isRobustness = kind === 'check' || kind === 'explain' || kind === 'bench';
  if (!onKnown || !isRobustness || result.verdict.kind === 'unknown') return;
  onKnown({
    result: { kind, about, result },
    isFinal: isFinal || result.verdict.kind === 'not-robust',
  });
}

/** Returns the certificate of a verdict `robust`, or the reason for a missing certificate. */
async function certified(
  program: Program,
  { verdict, happensBefore }: CheckResult,
  limits: Limits,
): Promise<Pick<Checked, 'certificate' | 'uncertified'>> {
  if (verdict.kind !== 'robust') return {};
  if (usesWideValues(program)) return { uncertified: 'unsupported' };
  // Invariants do not cover read abstractions.
  if (happensBefore === 'value' && hasGuesses(program)) return { uncertified: 'unsupported' };
  const { writeRobustnessProof } = await import('@fencewright/engines/closures/write-proof.js');
  const proof = await writeRobustnessProof(program, happensBefore, new Budget(limits));
  if (typeof proof === 'string') return { uncertified: proof };
  return { certificate: await sealCertificate('robust', program, proof) };
}

/**
 * Returns a result with the attacks that the question asks for, and with the assumptions of the
 * verdict. `isForAll`: the verdict is on any number of copies.
 */
function listed(
  checked: Checked,
  { listsAttacks = false }: RobustnessQuestion,
  isForAll = false,
): Checked {
  const { about, result } = checked;
  return {
    ...checked,
    about: result.verdict.kind === 'robust' ? withHeavyFenceClaim(about, { isForAll }) : about,
    result: listsAttacks ? result : { ...result, attacks: [] },
  };
}

/**
 * Returns the option with the function that tries a proof while a search goes on; no option unless
 * the question is a plain check and a solver is available.
 */
function proofBeside(
  question: RobustnessQuestion & { readonly kind?: string; readonly triesProof?: boolean },
  limits: Limits,
  environment: Environment,
): Pick<TurnOptions, 'triesProof'> {
  if (question.kind !== 'check' || question.triesProof) return {};
  return provingOf(question, limits, environment);
}

/** Returns the function that tries a proof; no option unless a solver is available. */
export function provingOf(
  question: RobustnessQuestion,
  limits: Limits,
  environment: Environment,
): Pick<TurnOptions, 'triesProof'> {
  if (!environment.createSmtSolver) return {};
  return {
    triesProof: async (about, timeLeft) => {
      // Loaded on demand: the code for proofs is large, and rarely needed.
      const { isProvedRobust } = await import('./proved-robust.js');
      const left = timeLeft < Infinity ? { ...limits, timeout: timeLeft } : limits;
      return isProvedRobust(about, question, left, environment);
    },
  };
}

/**
 * Checks robustness; makes the solver or model checker that the engine needs, and closes it
 * afterwards.
 */
export async function checkWith(
  program: Program,
  options: CheckOptions & { readonly limits: Limits },
  question: RobustnessQuestion,
  environment: Environment,
): Promise<CheckResult> {
  const { engine: name = defaults.engine, jobs = defaults.jobs, solver, kernel } = question;
  const { maxMemory } = options.limits;
  switch (name) {
    case 'spin': {
      const modelChecker = await environment.createModelChecker?.(maxMemory);
      const engine = { name, jobs, ...(modelChecker && { modelChecker }) };
      return check(program, { ...options, engine });
    }
    case 'chc': {
      const smtSolver = await environment.createSmtSolver?.(solver, maxMemory);
      try {
        const engine = { name, ...(smtSolver && { smtSolver }) };
        return await check(program, { ...options, engine });
      } finally {
        await smtSolver?.close();
      }
    }
    case 'search': {
      const { handOverAfter = defaults.handOverAfter } = question;
      const attackerPool =
        jobs > 1 ? environment.createAttackerPool?.(jobs, handOverAfter) : undefined;
      try {
        const engine = {
          name,
          ...(kernel && { kernel }),
          ...proofBeside(question, options.limits, environment),
          ...(attackerPool && { attackerPool }),
        };
        return await check(program, { ...options, engine });
      } finally {
        await attackerPool?.close();
      }
    }
    default:
      return check(program, { ...options, engine: name });
  }
}
