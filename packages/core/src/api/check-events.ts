import { at } from '../base/at.js';
import { Budget, type Limits } from '../base/budget.js';
import { checkConcurrency, checkSerialisable } from '../events/serial/check-serial.js';
import type { SerialUnknown, SerialVerdict } from '../events/serial/serial-verdict.js';
import { checkEventTso } from '../events/threads/check-event-tso.js';
import type { FaultKind } from '../program/evaluate.js';
import type { EventProgram } from '../program/event-program.js';
import type { Diagnostic } from '../source/diagnostic.js';
import type { Site } from '../trace/event-run.js';
import type {
  Against,
  Criterion,
  CriterionVerdict,
  EventCheckResult,
  WhyEventsUnknown,
} from '../verdict/event-check-result.js';
import { faultDiagnostic, isProgramError } from './fault-diagnostics.js';
import { verifiedEventWitness } from './judge-witness.js';

export interface EventCheckOptions {
  /** One allowance for all searches. */
  readonly limits?: Limits;
  /** `both` where absent. */
  readonly against?: Against;
  /** Every posting waits for the store buffer of its thread. */
  readonly postingFenced?: boolean;
  /** Where stacks and waiting lists are cut. */
  readonly depth?: number;
  /** How many instances of an event in any number the search against TSO looks at. */
  readonly instances?: number;
}

/** An answer with the messages that go with it. */
interface Answer {
  readonly verdict: CriterionVerdict;
  readonly states: number;
  readonly diagnostics: readonly Diagnostic[];
}

interface FaultAt {
  readonly fault: FaultKind;
  readonly site: Site;
}

const unknown = (why: WhyEventsUnknown): CriterionVerdict => ({ kind: 'unknown', why });

function faultyAnswer(
  { bodies }: EventProgram,
  faults: readonly FaultAt[],
): Pick<Answer, 'verdict' | 'diagnostics'> {
  const isError = faults.some(({ fault }) => isProgramError(fault));
  return {
    verdict: isError ? { kind: 'error' } : unknown({ kind: 'limit', reason: 'unsupported' }),
    diagnostics: faults.map(({ fault, site: { body, transition } }) => {
      const { name, transitions } = at(bodies, body);
      return faultDiagnostic(
        fault,
        at(transitions, transition).origin.span,
        `when '${name}' executes it`,
      );
    }),
  };
}

function whyOf(reason: Exclude<SerialUnknown, { kind: 'fault' }>): WhyEventsUnknown {
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
): Answer {
  const { states } = found.figures;
  switch (found.verdict) {
    case 'robust':
      return { verdict: { kind: 'robust' }, states, diagnostics: [] };
    case 'not-robust': {
      const witness = verifiedEventWitness(program, found.witness, criterion, isPostingFenced);
      return { verdict: { kind: 'not-robust', witness }, states, diagnostics: [] };
    }
    case 'unknown': {
      const { reason } = found;
      return reason.kind === 'fault'
        ? { ...faultyAnswer(program, [reason]), states }
        : { verdict: unknown(whyOf(reason)), states, diagnostics: [] };
    }
  }
}

/** What the answer about concurrency leaves of the one about serialisability. */
function serialisableBeside(
  concurrency: CriterionVerdict,
  found: CriterionVerdict,
): CriterionVerdict {
  // A run that breaks it counts by itself; that there is none rests on concurrency.
  return found.kind === 'robust' && concurrency.kind !== 'robust'
    ? unknown({ kind: 'needs-concurrency' })
    : found;
}

/**
 * Decides what a program of events is robust against ([BEMR18]): concurrency by the search "late
 * action", serialisability under TSO by "late commit", TSO alone by attacks. Every witness is
 * replayed and judged by the definitions. Throws for faults of ours only.
 */
export async function checkEvents(
  program: EventProgram,
  { limits, against = 'both', postingFenced = false, depth, instances }: EventCheckOptions = {},
): Promise<EventCheckResult> {
  const budget = new Budget(limits);
  const options = { budget, ...(depth !== undefined && { depth }) };
  const answers: Answer[] = [];
  const criteria: Record<Criterion, CriterionVerdict> = {
    concurrency: { kind: 'not-asked' },
    tso: { kind: 'not-asked' },
    tsoSerial: { kind: 'not-asked' },
  };
  const note = (criterion: Criterion, answer: Answer): void => {
    answers.push(answer);
    criteria[criterion] = answer.verdict;
  };
  if (against === 'tso')
    note(
      'tso',
      await againstTso(
        program,
        { ...options, ...(instances !== undefined && { instances }) },
        postingFenced,
      ),
    );
  else {
    const found = await checkConcurrency(program, options);
    note('concurrency', answerOf(program, found, 'concurrency', postingFenced));
    const { concurrency } = criteria;
    // Executions under SC are executions under TSO.
    if (concurrency.kind === 'not-robust') criteria.tsoSerial = concurrency;
    else if (against === 'both' && concurrency.kind !== 'error') {
      const serial = await checkSerialisable(program, { ...options, postingFenced });
      const answer = answerOf(program, serial, 'tsoSerial', postingFenced);
      note('tsoSerial', { ...answer, verdict: serialisableBeside(concurrency, answer.verdict) });
    }
  }
  return {
    against,
    isPostingFenced: postingFenced,
    criteria,
    statistics: {
      states: answers.reduce((sum, { states }) => sum + states, 0),
      milliseconds: budget.milliseconds,
    },
    diagnostics: answers.flatMap(({ diagnostics }) => diagnostics),
  };
}

async function againstTso(
  program: EventProgram,
  {
    budget,
    depth,
    instances,
  }: { readonly budget: Budget; readonly depth?: number; readonly instances?: number },
  postingFenced: boolean,
): Promise<Answer> {
  const bounds = {
    ...(depth !== undefined && { depth }),
    ...(instances !== undefined && { instances }),
  };
  const { verdict, states } = await checkEventTso(program, { budget, bounds, postingFenced });
  const answer = (found: CriterionVerdict): Answer => ({ verdict: found, states, diagnostics: [] });
  switch (verdict.kind) {
    case 'robust':
      return answer({ kind: 'robust' });
    case 'not-robust': {
      const { run, end, store } = verdict.witness;
      const witness = verifiedEventWitness(program, run, 'tso', postingFenced);
      return answer({ kind: 'not-robust', witness: { ...witness, attack: { store, end } } });
    }
    case 'unknown':
      switch (verdict.why.kind) {
        case 'faults':
          return { ...faultyAnswer(program, verdict.why.faults), states };
        case 'bounds':
          return answer(unknown(verdict.why));
        case 'search':
          return answer(unknown({ kind: 'limit', reason: verdict.why.reason }));
      }
  }
}
