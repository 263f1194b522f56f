import { unreachable } from '../../base/unreachable.js';
import type {
  Criterion,
  CriterionVerdict,
  WhyEventsUnknown,
} from '../../verdict/event-check-result.js';
import { enumerate } from './number-words.js';
import { reasonInWords } from './reason-in-words.js';

/** The criteria in the order in which they are told, with what each is called. */
export const criterionNames: Readonly<Record<Criterion, string>> = {
  concurrency: 'robust against concurrency',
  tso: 'robust against TSO',
  tsoSerial: 'serialisable under TSO',
};

/** What the answer to a question about each criterion says, to stand behind a colon. */
export const criterionMeanings: Readonly<
  Record<Criterion, Readonly<Record<'robust' | 'not-robust', string>>>
> = {
  concurrency: {
    robust: 'what its threads do together, a single thread does, one event after the other',
    'not-robust': 'its threads do together what no serial order of its events explains',
  },
  tso: {
    robust: 'store buffers add nothing to what its threads do',
    'not-robust': 'store buffers let its threads do what they do in no sequentially consistent run',
  },
  tsoSerial: {
    robust: 'what its threads do, buffers and all, a single thread does, one event after the other',
    'not-robust': 'store buffers let its threads do what no serial order of its events explains',
  },
};

/** Why an answer is not known, to stand after a colon. */
export function whyEventsUnknown(why: WhyEventsUnknown): string {
  switch (why.kind) {
    case 'limit':
      return reasonInWords[why.reason];
    case 'depth':
      return `recursion cut at depth ${why.depth}`;
    case 'instances':
      return `no more than ${why.most} instances of ${enumerate(why.events)} were looked at`;
    case 'unconfirmed':
      return 'a run that might break it was neither confirmed nor refuted';
    case 'needs-concurrency':
      return 'it is asked only of programs that are robust against concurrency';
    default:
      return unreachable(why);
  }
}

/** The answer in a word or two. */
export function criterionVerdictWord(verdict: CriterionVerdict): string {
  switch (verdict.kind) {
    case 'robust':
      return 'yes';
    case 'not-robust':
      return 'no';
    case 'unknown':
      return `unknown: ${whyEventsUnknown(verdict.why)}`;
    case 'error':
      return 'one of its executions is at fault';
    case 'not-asked':
      return 'not asked';
    default:
      return unreachable(verdict);
  }
}
