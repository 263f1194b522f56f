import { countOf, formatCount } from '@fencewright/ground/base/number-words.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { StateAnswer } from '@fencewright/model/verdict/state-answer.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import type { Subject } from './subject.js';
import { wayOn } from './way-on.js';

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
  return advice !== undefined && isLimit && statistics.engine === 'search'
    ? `${advice}; where numbers grow without end, bound them${orProof}`
    : advice;
}

/**
 * Whether to advise fences for a program that is not robust: not if TSO changes no state with empty
 * buffers (`stricter`), and not if claims fail under SC already. Without an answer, yes.
 */
export function advisesFences(answer: StateAnswer | undefined): boolean {
  return answer?.kind !== 'stricter' && answer?.kind !== 'wrong-under-sc';
}

/**
 * Returns advice on a check of robustness against C11; `undefined` if there is none. `isShown`: the
 * report is about C11 alone, and shows the execution. No orders are advised if an assertion fails
 * in an interleaving, or if the program `isWrong` under SC.
 */
export function hintOnC11(
  { file, advise }: Subject,
  { assertions, effect, model, verdict }: C11Result,
  isShown: boolean,
  isWrong = false,
): string | undefined {
  const shows = isShown ? undefined : advise?.({ kind: 'show-c11', file, model });
  if (verdict.kind === 'unknown') {
    const isLimit = verdict.limit === undefined && verdict.reason !== 'cancelled';
    return isLimit && shows !== undefined ? `${shows} looks further` : undefined;
  }
  const failsAnyway = assertions === 'fail' && effect?.kind !== 'assertion-fails';
  if (verdict.kind === 'robust' || effect?.kind === 'none' || failsAnyway || isWrong)
    return undefined;
  const orders = advise?.({ kind: 'find-orders', file, model });
  if (orders === undefined) return undefined;
  const finds = `${orders} finds the cheapest orders with which it is robust`;
  return shows === undefined ? finds : `${shows} shows the execution; ${finds}`;
}

/**
 * Returns the advice for the user after an answer, one line at most; `undefined` if there is none.
 */
export function hintOnCheck(subject: Subject, result: CheckResult): string | undefined {
  const { verdict, happensBefore, answer, scope, deadlocks, progressPrice: price } = result;
  const { file, advise } = subject;
  if (verdict.kind === 'robust' && answer?.kind === 'wrong-under-sc')
    return advise?.({ kind: 'fail-on-claims', what: 'violated' });
  if (verdict.kind === 'robust' && deadlocks?.kind === 'found' && deadlocks.waiting.length > 0)
    return advise?.({ kind: 'fail-on-claims', what: 'deadlocks' });
  const advice = adviceOn(subject, result);
  if (verdict.kind !== 'not-robust') return advice;
  if (!advisesFences(answer) || hasHeavyFences(subject.program)) return advice;
  const fences = advise?.({ kind: 'find-fences', file, happensBefore });
  switch (answer?.kind) {
    case 'hangs': {
      const progress = scope ? undefined : advise?.({ kind: 'find-progress', file });
      if (progress === undefined) break;
      const said = price
        ? `: ${countOf(price.progress, 'fence')}; robustness takes ${formatCount(price.robust)}`
        : '';
      return `${progress} finds the cheapest fences with which nobody waits for ever${said}`;
    }
    case 'breaks': {
      const failure = scope ? undefined : advise?.({ kind: 'show-failure', file });
      if (failure === undefined || fences === undefined) break;
      return `${failure} shows how it fails; ${fences} finds the cheapest fences that make it robust`;
    }
    case 'differs': {
      const states = scope ? undefined : advise?.({ kind: 'compare-states', file });
      if (states === undefined || fences === undefined) break;
      return `${fences} finds the cheapest fences that make it robust; ${states} lists all states`;
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
