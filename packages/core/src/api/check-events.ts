import { eventsMayFault } from '@fencewright/model/analysis/possible-faults.js';
import { at } from '@fencewright/ground/base/at.js';
import { checkOrder, type OrderCriterion } from '@fencewright/engines/events/orders/check-order.js';
import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import {
  checkConcurrency,
  checkSerialisable,
} from '@fencewright/engines/events/serial/check-serial.js';
import type {
  SerialUnknown,
  SerialVerdict,
} from '@fencewright/engines/events/serial/serial-verdict.js';
import type { FaultySite } from '@fencewright/model/events/look-for-faults.js';
import {
  checkEventTso,
  type EventTsoOptions,
  type EventTsoUnknown,
} from '@fencewright/engines/events/threads/check-event-tso.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import {
  type Against,
  type Criterion,
  type CriterionVerdict,
  type EventAttack,
  type EventCheckResult,
  nothingAsked,
  type WhyEventsUnknown,
} from '@fencewright/model/verdict/event-check-result.js';
import type { FaultFindings } from '@fencewright/model/verdict/verdict.js';
import { faultDiagnostic, isProgramError } from './fault-diagnostics.js';
import { eventWitnessOf, verifiedEventWitness } from './judge-witness.js';

export interface EventCheckOptions {
  /** The limits of all searches of the check together. */
  readonly limits?: Limits;
  /** The criteria of robustness to decide; `both` if absent. */
  readonly against?: Against;
  /** Whether the posting of a task waits until the store buffer of the posting thread is empty. */
  readonly postingFenced?: boolean;
  /** The maximum number of frames on the stack of a thread, and of posted tasks that wait. */
  readonly depth?: number;
  /**
   * Whether every attack is decided, and not only until one is feasible; for `against: 'tso'` only.
   */
  readonly allAttacks?: boolean;
  /**
   * With `allAttacks`: selects the attacks to show. The witness is a run of a selected attack, if
   * one is feasible.
   */
  readonly shows?: (attack: EventAttack) => boolean;
  /**
   * Called with the result if the program is robust against concurrency, before the search for a
   * violation of serialisability begins; in this result serialisability is `not-asked`.
   */
  readonly onKnown?: (result: EventCheckResult) => void;
}

/** The verdict on one criterion, and the states and faults found by its search. */
export interface CriterionAnswer {
  readonly verdict: CriterionVerdict;
  readonly states: number;
  /** The findings about faults; absent if the search did not look for faults. */
  readonly faults?: FaultFindings;
  readonly attacks?: EventCheckResult['attacks'];
  readonly diagnostics?: readonly Diagnostic[];
}

const unknown = (why: WhyEventsUnknown): CriterionVerdict => ({ kind: 'unknown', why });

function faultyAnswer(
  { bodies }: EventProgram,
  faults: readonly FaultySite[],
  states: number,
): CriterionAnswer {
  const isError = faults.some(({ fault }) => isProgramError(fault));
  return {
    verdict: isError ? { kind: 'error' } : unknown({ kind: 'limit', reason: 'unsupported' }),
    states,
    faults: { kind: 'found' },
    diagnostics: faults.map(({ fault, site: { body, transition } }) => {
      const { name, transitions } = at(bodies, body);
      const { origin } = at(transitions, transition);
      return faultDiagnostic(fault, origin, `when '${name}' executes it`);
    }),
  };
}

function whyOf(reason: Exclude<SerialUnknown, { kind: 'faults' }>): WhyEventsUnknown {
  switch (reason.kind) {
    case 'budget':
      return { kind: 'limit', reason: reason.exhausted };
    case 'candidate':
      return { kind: 'unconfirmed' };
    case 'depth':
    case 'unbounded-data':
      return reason;
  }
}

function answerOf(
  program: EventProgram,
  found: SerialVerdict,
  criterion: Criterion,
  isPostingFenced: boolean,
): CriterionAnswer {
  const { states } = found.figures;
  switch (found.verdict) {
    case 'robust':
      // All runs have a serial explanation, and the serial runs were searched to their end.
      return { verdict: { kind: 'robust' }, states, faults: { kind: 'none', shownBy: 'search' } };
    case 'not-robust': {
      const witness = verifiedEventWitness(program, found.witness, criterion, isPostingFenced);
      return { verdict: { kind: 'not-robust', witness }, states };
    }
    case 'unknown': {
      const { reason } = found;
      return reason.kind === 'faults'
        ? faultyAnswer(program, reason.faults, states)
        : { verdict: unknown(whyOf(reason)), states };
    }
  }
}

/**
 * Returns whether executions fault. They do if any search has found a fault. They do not if no
 * instruction can fault. Otherwise, the answer is that of the last search, which covers the most
 * executions.
 */
function faultsOf(program: EventProgram, answers: readonly CriterionAnswer[]): FaultFindings {
  if (answers.some(({ faults }) => faults?.kind === 'found')) return { kind: 'found' };
  if (!eventsMayFault(program)) return { kind: 'none', shownBy: 'instructions' };
  return answers.at(-1)?.faults ?? { kind: 'not-looked-for' };
}

/**
 * Returns the verdict on serialisability; `robust` becomes `unknown` if robustness against
 * concurrency is not proved.
 */
function serialisableBeside(
  concurrency: CriterionVerdict,
  found: CriterionVerdict,
): CriterionVerdict {
  // A violating run decides by itself. `robust` is shown only together with robustness against
  // concurrency.
  return found.kind === 'robust' && concurrency.kind !== 'robust'
    ? unknown({ kind: 'needs-concurrency' })
    : found;
}

/**
 * Decides the robustness of a program of events ([BEMR18]): concurrency by the search "late
 * action", serialisability under TSO by "late commit", TSO alone by attacks. Every witness is
 * replayed and judged by the definitions. Throws for internal errors only.
 */
export async function checkEvents(
  program: EventProgram,
  {
    limits,
    against = 'both',
    postingFenced = false,
    depth,
    allAttacks = false,
    shows,
    onKnown,
  }: EventCheckOptions = {},
): Promise<EventCheckResult> {
  const budget = new Budget(limits);
  const options = { budget, ...(depth !== undefined && { depth }) };
  const answers: CriterionAnswer[] = [];
  const criteria: Record<Criterion, CriterionVerdict> = { ...nothingAsked };
  const note = (criterion: Criterion, answer: CriterionAnswer): void => {
    answers.push(answer);
    criteria[criterion] = answer.verdict;
  };
  const result = (): EventCheckResult => {
    const attacks = answers.find((answer) => answer.attacks)?.attacks;
    return {
      against,
      isPostingFenced: postingFenced,
      criteria: { ...criteria },
      statistics: {
        states: answers.reduce((sum, { states }) => sum + states, 0),
        milliseconds: budget.milliseconds,
      },
      faults: faultsOf(program, answers),
      ...(attacks && { attacks }),
      diagnostics: answers.flatMap(({ diagnostics = [] }) => diagnostics),
    };
  };
  if (against === 'tso')
    note(
      'tso',
      await againstTso(program, { ...options, postingFenced, allAttacks, ...(shows && { shows }) }),
    );
  else {
    const found = await checkConcurrency(program, options);
    note('concurrency', answerOf(program, found, 'concurrency', postingFenced));
    const { concurrency } = criteria;
    // Executions under SC are executions under TSO.
    if (concurrency.kind === 'not-robust') criteria.tsoSerial = concurrency;
    else if (against === 'both' && concurrency.kind !== 'error') {
      if (concurrency.kind === 'robust') onKnown?.(result());
      const serial = await checkSerialisable(program, { ...options, postingFenced });
      const answer = answerOf(program, serial, 'tsoSerial', postingFenced);
      note('tsoSerial', { ...answer, verdict: serialisableBeside(concurrency, answer.verdict) });
    }
  }
  return result();
}

/**
 * Decides `determinism` or `serialisability`, the two criteria that together are robustness against
 * concurrency. `concurrency` is the verdict on both together, which may decide the question at
 * once.
 */
export async function checkEventOrder(
  program: EventProgram,
  criterion: OrderCriterion,
  concurrency: CriterionVerdict,
  { limits, depth }: Pick<EventCheckOptions, 'limits' | 'depth'>,
): Promise<CriterionAnswer> {
  if (concurrency.kind === 'robust' || concurrency.kind === 'error')
    return { verdict: concurrency, states: 0 };
  if (concurrency.kind === 'not-robust') {
    const witness = eventWitnessOf(program, concurrency.witness.run, criterion, false);
    if (witness) return { verdict: { kind: 'not-robust', witness }, states: 0 };
  }
  const budget = new Budget(limits);
  const found = await checkOrder(program, criterion, {
    budget,
    ...(depth !== undefined && { depth }),
  });
  const { states } = found;
  switch (found.verdict) {
    case 'robust':
      return { verdict: { kind: 'robust' }, states };
    case 'not-robust': {
      const witness = verifiedEventWitness(program, found.witness, criterion, false);
      return { verdict: { kind: 'not-robust', witness }, states };
    }
    case 'unknown': {
      const { reason } = found;
      if (reason.kind === 'faults') return faultyAnswer(program, reason.faults, states);
      const why: WhyEventsUnknown =
        reason.kind === 'budget' ? { kind: 'limit', reason: reason.exhausted } : reason;
      return { verdict: unknown(why), states };
    }
  }
}

async function againstTso(
  program: EventProgram,
  { depth, ...options }: Omit<EventTsoOptions, 'bounds'> & { readonly depth?: number },
): Promise<CriterionAnswer> {
  const bounds = depth === undefined ? {} : { depth };
  const { postingFenced = false } = options;
  const { verdict, states, attacks } = await checkEventTso(program, { ...options, bounds });
  const listed = attacks && { attacks };
  switch (verdict.kind) {
    case 'robust':
      return { verdict: { kind: 'robust' }, states, faults: verdict.faults, ...listed };
    case 'not-robust': {
      const { run, end, store } = verdict.witness;
      const witness = verifiedEventWitness(program, run, 'tso', postingFenced);
      const found = { ...witness, attack: { store, end } };
      return { verdict: { kind: 'not-robust', witness: found }, states, ...listed };
    }
    case 'unknown':
      return { ...answerWithout(program, verdict.why, states), ...listed };
  }
}

function answerWithout(
  program: EventProgram,
  why: EventTsoUnknown,
  states: number,
): CriterionAnswer {
  switch (why.kind) {
    case 'faults':
      return faultyAnswer(program, why.faults, states);
    case 'bounds':
      return { verdict: unknown(why), states };
    case 'unconfirmed':
      return { verdict: unknown(why), states };
    case 'search':
      return { verdict: unknown({ kind: 'limit', reason: why.reason }), states };
  }
}
