import { inspectedProgram, type Model } from '@fencewright/model/program/model.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import type { Program } from '@fencewright/model/program/program.js';
import { claimsOf } from '@fencewright/model/verdict/claims-of.js';
import type { EventCheckResult } from '@fencewright/model/verdict/event-check-result.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import type { CheckQuestion, Question } from './question.js';
import { replay } from './replay.js';
import type { WhyEnded } from './known.js';
import type { Result } from './result.js';

/** Returns the result of a question whose work was ended early, see `endedEarly`. */
export function endResult(
  model: Model,
  question: Question,
  result: Result,
  reason: WhyEnded,
): Result {
  const isUncertified = 'certify' in question && (question.certify ?? false);
  switch (result.kind) {
    case 'check': {
      const proof = isUncertified && !result.certificate && { uncertified: reason };
      if (!result.result || question.kind !== 'check') return result;
      const ended = endedCheck(model, result.about, question, result.result, reason);
      return { ...result, result: ended, ...(ended.verdict.kind === 'robust' && proof) };
    }
    case 'explain': {
      if (question.kind !== 'explain') return result;
      const { about } = result;
      const ended = endedCheck(model, about, question, result.result, reason);
      const { verdict } = ended;
      const replayed = verdict.kind === 'not-robust' && {
        replay: replay(about, verdict.witness.computation),
      };
      return { ...result, result: ended, ...replayed };
    }
    case 'bench': {
      const isAsked = question.kind === 'bench' && question.countsFences;
      return { ...result, ...(isAsked && { fences: 'unknown' as const }) };
    }
    case 'reach': {
      const ended = withoutRaces(result.about, result.result, reason);
      return { ...result, result: ended, ...(isUncertified && { uncertified: reason }) };
    }
    case 'fence': {
      const { fences, about } = result;
      return {
        ...result,
        fences: { ...fences, result: withoutRaces(about, fences.result, reason) },
      };
    }
    case 'event-check':
      return { ...result, result: endedEventCheck(result.result, reason) };
    default:
      return result;
  }
}

/**
 * Returns the result with data races and uses of freed memory marked as not searched for, if the
 * program is in C.
 */
function withoutRaces<R extends Pick<CheckResult, 'races'>>(
  about: Program,
  result: R,
  reason: WhyEnded,
): R {
  if (result.races || !isOfC(about)) return result;
  return {
    ...result,
    races: { races: [], incomplete: reason, freedUses: [], freedIncomplete: reason },
  };
}

/**
 * Returns the answer `unknown` about C11, as a field of the check's result, if the question asks
 * for such an answer and the work ended before `portableCheck` gave one; otherwise an empty object.
 */
function withoutPortable(
  model: Model,
  { answers }: Pick<CheckQuestion, 'answers'>,
  { portable }: CheckResult,
  reason: WhyEnded,
): Pick<CheckResult, 'portable'> {
  if (portable || answers !== 'full' || model.kind !== 'finite' || !isOfC(model.program)) return {};
  const nothing = { states: 0, milliseconds: 0, diagnostics: [] };
  const open = { race: 'not-looked-for', assertions: 'unknown' } as const;
  return {
    portable: { ...{ model: 'c11', verdict: { kind: 'unknown', reason } }, ...open, ...nothing },
  };
}

function endedCheck(
  model: Model,
  about: Program,
  question: Pick<CheckQuestion, 'answers'>,
  found: CheckResult,
  reason: WhyEnded,
): CheckResult {
  const { answers } = question;
  const result = {
    ...withoutRaces(about, found, reason),
    ...withoutPortable(model, question, found, reason),
    ...(reason !== 'unsupported' && { cutShort: reason }),
  };
  if (result.answer || answers === undefined || model.kind === 'open' || model.kind === 'events')
    return result;
  const claims = claimsOf(inspectedProgram(model));
  if (answers === 'brief' && claims.length === 0) return result;
  const why = { kind: 'limit', reason } as const;
  const open = claims.length > 0 ? 'claims' : 'states';
  return { ...result, answer: { kind: 'unknown', open, claims, why } };
}

/**
 * Returns the result with every criterion marked `unknown` that was asked for and is not yet
 * decided.
 */
function endedEventCheck(result: EventCheckResult, reason: WhyEnded): EventCheckResult {
  const { against, criteria } = result;
  if (against !== 'both' || criteria.tsoSerial.kind !== 'not-asked') return result;
  const tsoSerial = { kind: 'unknown', why: { kind: 'limit', reason } } as const;
  return { ...result, criteria: { ...criteria, tsoSerial } };
}
