import type { Limits } from '@fencewright/ground/base/budget.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import {
  nothingAsked,
  type Criterion,
  type CriterionVerdict,
  type EventCheckResult,
} from '@fencewright/model/verdict/event-check-result.js';
import {
  checkEventOrder,
  checkEvents,
  type CriterionAnswer,
  type EventCheckOptions,
} from './check-events.js';

/** All criteria of robustness, in the order of reports. */
const allCriteria = Object.keys(nothingAsked) as readonly Criterion[];

interface AllEventsOptions extends Pick<EventCheckOptions, 'limits' | 'postingFenced' | 'depth'> {
  /** The criteria of robustness to decide; all if absent. */
  readonly criteria?: readonly Criterion[];
}

/** Returns the limits with the number of states and the time divided by `parts`. */
function share({ maxStates, timeout, ...others }: Limits, parts: number): Limits {
  return {
    ...others,
    ...(maxStates !== undefined && { maxStates: Math.ceil(maxStates / parts) }),
    ...(timeout !== undefined && { timeout: timeout / parts }),
  };
}

/** Returns the verdicts on the criteria in `asked`; all other criteria are `not-asked`. */
function askedOnly(
  known: EventCheckResult['criteria'],
  asked: readonly Criterion[],
): EventCheckResult['criteria'] {
  const verdicts = asked.map((name): [Criterion, CriterionVerdict] => [name, known[name]]);
  return { ...nothingAsked, ...Object.fromEntries(verdicts) };
}

/**
 * Decides each criterion of robustness by itself, with its share of the limits. If the program has
 * an error, the error is the verdict on all criteria. Also returns the share of the limits that
 * remains for one more search.
 */
export async function checkAllEvents(
  program: EventProgram,
  { criteria: named, limits = {}, ...options }: AllEventsOptions,
): Promise<{ readonly check: EventCheckResult; readonly left: Limits }> {
  const asked = named ?? allCriteria;
  const orders = (['determinism', 'serialisability'] as const).filter((one) => asked.includes(one));
  const needsConcurrency = asked.some((one) => one !== 'tso');
  const asksTso = asked.includes('tso');
  const parts = 1 + (needsConcurrency ? 1 : 0) + (asksTso ? 1 : 0) + orders.length;
  const left = share(limits, parts);
  const first = await checkEvents(program, {
    ...options,
    limits: left,
    against: needsConcurrency ? (asked.includes('tsoSerial') ? 'both' : 'concurrency') : 'tso',
  });
  const question = named ? { asked: named } : {};
  const faulty = Object.values(first.criteria).find(({ kind }) => kind === 'error');
  if (faulty) {
    const all = asked.map((name): [Criterion, CriterionVerdict] => [name, faulty]);
    const criteria = { ...nothingAsked, ...Object.fromEntries(all) };
    return { check: { ...first, ...question, criteria }, left };
  }
  const known = { ...first.criteria };
  let { states, milliseconds } = first.statistics;
  let { faults } = first;
  const diagnostics = [...first.diagnostics];
  const note = (name: Criterion, answer: CriterionAnswer): void => {
    known[name] = answer.verdict;
    states += answer.states;
    if (answer.faults?.kind === 'found') ({ faults } = answer);
    diagnostics.push(...(answer.diagnostics ?? []));
  };
  for (const name of orders)
    note(
      name,
      await checkEventOrder(program, name, known.concurrency, { ...options, limits: left }),
    );
  if (asksTso && needsConcurrency) {
    const tso = await checkEvents(program, { ...options, limits: left, against: 'tso' });
    note('tso', { ...tso, verdict: tso.criteria.tso, states: tso.statistics.states });
    milliseconds += tso.statistics.milliseconds;
  }
  const check: EventCheckResult = {
    ...first,
    ...question,
    criteria: askedOnly(known, asked),
    statistics: { states, milliseconds },
    faults,
    diagnostics,
  };
  return { check, left };
}
