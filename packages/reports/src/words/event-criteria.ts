import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type {
  Criterion,
  CriterionVerdict,
  EventBoundHit,
  EventCheckResult,
  WhyEventsUnknown,
} from '@fencewright/model/verdict/event-check-result.js';
import { countOf, enumerate } from '@fencewright/ground/base/number-words.js';
import { reasonInWords } from './reason-in-words.js';

/** By criterion of robustness, its name, in the order of reports. */
export const criterionNames: Readonly<Record<Criterion, string>> = {
  determinism: 'deterministic inside of events',
  serialisability: 'serialisable event by event',
  concurrency: 'robust against concurrency',
  tso: 'robust against TSO',
  tsoSerial: 'serialisable under TSO',
};

/** Returns the questions of robustness that were asked, in the order of reports. */
export function askedCriteria(criteria: EventCheckResult['criteria']): readonly Criterion[] {
  return (Object.keys(criterionNames) as readonly Criterion[]).filter(
    (name) => criteria[name].kind !== 'not-asked',
  );
}

/** By criterion of robustness and answer, the meaning of the answer, to follow a colon. */
export const criterionMeanings: Readonly<
  Record<Criterion, Readonly<Record<'robust' | 'not-robust', string>>>
> = {
  determinism: {
    robust: 'tasks of one event conflict only in the order in which a single thread runs them',
    'not-robust': 'two tasks of one event conflict against the order of a single thread',
  },
  serialisability: {
    robust: 'the conflicts of every concurrent run leave an order of whole events',
    'not-robust': 'the conflicts of some concurrent run leave no order of whole events',
  },
  concurrency: {
    robust: 'every concurrent run equals a run of a single thread, one event after the other',
    'not-robust': 'some concurrent run equals no serial order of the events',
  },
  tso: {
    robust: 'store buffers add no run',
    'not-robust': 'store buffers allow a run that is not sequentially consistent',
  },
  tsoSerial: {
    robust:
      'every run with store buffers equals a run of a single thread, one event after the other',
    'not-robust': 'store buffers allow a run that equals no serial order of the events',
  },
};

function boundInWords(
  { bodies }: Pick<EventProgram, 'bodies'>,
  { kind, body, most }: EventBoundHit,
): string {
  const { name } = at(bodies, body);
  switch (kind) {
    case 'instances':
      return `no more than ${countOf(most, 'instance')} of ${name}`;
    case 'depth':
      return `no more than ${countOf(most, 'invocation')} of ${name} inside of each other`;
    case 'postings':
      return `no more than ${countOf(most, 'posting')} of ${name} by one instruction of a task`;
    case 'tasks':
      return `no more than ${countOf(most, 'task')} in all`;
  }
}

/**
 * By verdict of the two-thread construction, the words for the verdict, and the reason why it is no
 * answer.
 */
const twoThreadsSaid: Readonly<Record<'robust' | 'not-robust' | 'unknown', string>> = {
  robust:
    'the two-thread construction is robust, which proves nothing: violations may need more background tasks than its one, or tasks that never return',
  'not-robust':
    'the two-thread construction is not robust, but by a run that is no violation of the program: it puts tasks on the main thread that run on threads of their own',
  unknown: 'the two-thread construction was not decided, and would prove nothing if it were robust',
};

/** Returns the reason for an unknown answer, to follow a colon. */
export function whyEventsUnknown(
  program: Pick<EventProgram, 'bodies'>,
  why: WhyEventsUnknown,
): string {
  switch (why.kind) {
    case 'limit':
      return reasonInWords[why.reason];
    case 'depth':
      return `recursion cut at depth ${why.depth}`;
    case 'bounds':
      return `only a part was explored: ${enumerate(why.hit.map((hit) => boundInWords(program, hit)))}`;
    case 'unbounded-data':
      return 'a task has infinitely many states';
    case 'unconfirmed':
      return 'a possible violation was neither confirmed nor refuted';
    case 'needs-concurrency':
      return 'this question is asked only of programs that are robust against concurrency';
    case 'two-threads':
      return twoThreadsSaid[why.said];
    default:
      return unreachable(why);
  }
}

/** Returns the answer to a question of robustness in a word or two. */
export function criterionVerdictWord(
  program: Pick<EventProgram, 'bodies'>,
  verdict: CriterionVerdict,
): string {
  switch (verdict.kind) {
    case 'robust':
      return 'yes';
    case 'not-robust':
      return 'no';
    case 'unknown':
      return `unknown: ${whyEventsUnknown(program, verdict.why)}`;
    case 'error':
      return 'an execution of the program ends in a fault';
    case 'not-asked':
      return 'not asked';
    default:
      return unreachable(verdict);
  }
}
