import { countOf, formatCount } from '@fencewright/ground/base/number-words.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import { claimsOf } from '@fencewright/model/verdict/claims-of.js';
import { freedUseShown } from '@fencewright/model/verdict/freed-use-shown.js';
import type { C11Limit, C11Result } from '@fencewright/model/verdict/c11-result.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { hintOnPlainRace } from './hint-on-plain-race.js';
import type { Subject } from './subject.js';
import { wayOn } from './way-on.js';
import { isWrongAnyway } from './wrong-anyway.js';

/** Returns advice on an unknown verdict; `undefined` if there is none. */
function adviceOn(
  subject: Subject,
  { verdict, statistics, diagnostics }: CheckResult,
): string | undefined {
  if (verdict.kind !== 'unknown') return undefined;
  const proof = subject.advise?.({ kind: 'try-proof' });
  const orProof = proof === undefined ? '' : `, or ${proof}`;
  if (diagnostics.some(({ code }) => code === 'FW3001'))
    return `count modulo something, as code of fixed width does${orProof}`;
  const advice = wayOn(subject.advise, verdict.reason, diagnostics);
  const isLimit = ['states', 'memory', 'time'].includes(verdict.reason);
  if (advice === undefined || !isLimit) return advice;
  if (statistics.engine === 'search')
    return `${advice}; where numbers grow without end, bound them${orProof}`;
  // A search for any number of copies has no end where numbers grow, as in a ticket lock.
  const infer = subject.advise?.({ kind: 'infer', file: subject.file });
  return statistics.engine === 'cover' && infer !== undefined ? `${advice}; ${infer}` : advice;
}

/**
 * Whether to advise fences for a program that is not robust. Fences are advised if freed memory is
 * used only with store buffers, or if there is no answer. Otherwise, fences are not advised if TSO
 * changes no state with empty buffers (`stricter`), or if claims fail under SC already.
 */
export function advisesFences({ answer, races }: Pick<CheckResult, 'answer' | 'races'>): boolean {
  if (races?.freedUses[0]?.model === 'TSO') return true;
  return answer?.kind !== 'stricter' && answer?.kind !== 'wrong-under-sc';
}

/** The limits of the check against C11 that a smaller program does not exceed. */
const sizeLimits: readonly C11Limit[] = ['values', 'cells', 'threads'];

/**
 * Returns advice on a check of robustness against C11; `undefined` if there is none. `isShown`: the
 * report is about C11 alone, and shows the execution. No orders are advised if an assertion fails
 * in an interleaving, or if the program `isWrong` under SC.
 */
export function hintOnC11(
  { file, program, advise }: Subject,
  { assertions, effect, model, verdict, race }: C11Result,
  isShown: boolean,
  isWrong = false,
): string | undefined {
  const shows = isShown ? undefined : advise?.({ kind: 'show-c11', file, model });
  if (verdict.kind === 'unknown') {
    const { limit, reason } = verdict;
    if (shows === undefined || (limit === undefined && reason === 'cancelled')) return undefined;
    if (limit === undefined) return `${shows} looks further`;
    return sizeLimits.includes(limit) ? `${shows} says how to make the program smaller` : undefined;
  }
  const isRacy = typeof race === 'object';
  const plain = isRacy ? hintOnPlainRace(program, race) : undefined;
  if (plain !== undefined) return plain;
  const failsAnyway = assertions === 'fail' && effect?.kind !== 'assertion-fails';
  const isGood = verdict.kind === 'robust' || effect?.kind === 'none';
  if ((isGood && !isRacy) || failsAnyway || isWrong) return undefined;
  // A race is a fault of weak orders by itself; robustness asks for more than to mend the race.
  const forAssertions = isRacy && claimsOf(program).some(({ kind }) => kind === 'assertion');
  const orders = advise?.({
    ...{ kind: 'find-orders', file, model },
    ...(forAssertions && { forAssertions }),
  });
  if (orders === undefined) return undefined;
  const finds = isRacy
    ? `${orders} looks for orders without the race`
    : `${orders} finds the cheapest orders with which it is robust`;
  return shows === undefined ? finds : `${shows} shows the execution; ${finds}`;
}

/**
 * Returns the advice on a claim that fails without store buffers; `undefined` if no such claim
 * fails.
 */
function hintOnFailure({ file, advise }: Subject, result: CheckResult): string | undefined {
  const { answer, verdict, scope } = result;
  // If the execution is known, the report already shows the execution.
  const isShown = answer !== undefined && 'computation' in answer && answer.computation;
  const failure = scope || isShown ? undefined : advise?.({ kind: 'show-failure', file });
  const parts = [
    failure && `${failure} shows how it fails`,
    verdict.kind === 'robust' && advise?.({ kind: 'fail-on-claims', what: 'violated' }),
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? undefined : parts.join('; ');
}

/**
 * Returns the advice for the user after an answer, one line at most; `undefined` if there is none.
 */
export function hintOnCheck(subject: Subject, result: CheckResult): string | undefined {
  const { verdict, happensBefore, answer, scope, progressPrice: price } = result;
  const { file, advise } = subject;
  if (answer?.kind === 'wrong-under-sc') return hintOnFailure(subject, result);
  if (isWrongAnyway(result))
    return verdict.kind === 'robust'
      ? advise?.({ kind: 'fail-on-claims', what: 'deadlocks' })
      : undefined;
  const advice = adviceOn(subject, result);
  if (verdict.kind !== 'not-robust') return advice;
  // No fence keeps a thread from memory that is freed without store buffers as well.
  if (freedUseShown(result)?.model === 'SC') return undefined;
  if (!advisesFences(result) || hasHeavyFences(subject.program)) return advice;
  const fences = advise?.({ kind: 'find-fences', file, happensBefore });
  const claimsNothing = answer?.kind === 'hangs' && claimsOf(subject.program).length === 0;
  const failure = scope
    ? undefined
    : advise?.({ kind: 'show-failure', file, ...(claimsNothing && { claimsNothing }) });
  if (freedUseShown(result)) {
    const shows = failure === undefined ? '' : `${failure} shows the use; `;
    return fences && `${shows}${fences} finds the cheapest fences that make it robust`;
  }
  switch (answer?.kind) {
    case 'hangs': {
      const progress = scope ? undefined : advise?.({ kind: 'find-progress', file });
      if (!progress) break;
      const said = price
        ? `: ${countOf(price.progress, 'fence')}; robustness takes ${formatCount(price.robust)}`
        : '';
      const shows = failure === undefined ? '' : `${failure} shows how; `;
      return `${shows}${progress} finds the cheapest fences against it${said}`;
    }
    case 'breaks': {
      if (failure === undefined || fences === undefined) break;
      return `${failure} shows how it fails; ${fences} finds the cheapest fences that make it robust`;
    }
    case 'differs': {
      const states = scope ? undefined : advise?.({ kind: 'compare-states', file });
      if (states === undefined || fences === undefined) break;
      return `if such a state does harm, ${fences} finds the cheapest fences against all of them; ${states} lists them`;
    }
    case 'unknown':
    case undefined: {
      const states = scope ? undefined : advise?.({ kind: 'compare-states', file });
      if (states === undefined || fences === undefined) break;
      return `${fences} finds the cheapest fences that make it robust; ${states} tells whether final states and properties show it`;
    }
    default:
      break;
  }
  return fences && `${fences} finds the cheapest fences that make it robust`;
}
