import {
  advisesFences,
  type AnsweredInstances,
  answeredInstances,
  answerLine,
  decide,
  differenceOf,
  deadlocksIn,
  headlineInWords,
  inspectedProgram,
  type Limits,
  type Model,
  plainPalette,
  type Program,
  reachAllReport,
  reachReport,
  type ReachResult,
  replay,
  sentence,
  type StateAnswer,
  threadModel,
} from '@fencewright/core';
import type { KnownAnswer } from './explained.js';
import type { ResultPart } from './messages.js';
import { type Read, refusalMessage } from './read.js';
import { version } from './version.js';

const isCutShort = ({ incomplete }: { readonly incomplete?: string }): boolean =>
  incomplete === 'time';

/** Returns the page with the reachable states of a program with given numbers of copies. */
async function pageOf(
  { file, text: source, diagnostics }: Read,
  program: Program,
  found: ReachResult,
): Promise<string> {
  const { reachHtml } = await import('@fencewright/core/page');
  return reachHtml({ file, source, program }, found, {
    replay: (computation) => replay(program, computation),
    ...{ diagnostics, version },
  });
}

/** Returns the answer in words, and the sentence that decides what a reader does next. */
function answerIn(
  about: Program,
  answer: StateAnswer,
  { races, hangs }: Partial<Pick<ReachResult, 'races' | 'hangs'>> = {},
  answered?: AnsweredInstances,
) {
  const deadlocks = hangs && deadlocksIn(hangs);
  const headline = headlineInWords(about, answer, answered, races, { deadlocks });
  return {
    words: sentence(answerLine(about, answer, answered)),
    ...(headline && { headline, difference: differenceOf(about, answer, answered) }),
    advisesFences: advisesFences({ answer }),
  };
}

/** The findings about final states, with the answer, if one is known. */
interface FoundStates {
  readonly part: ResultPart;
  readonly known?: KnownAnswer;
}

/** Returns the answer to a model that `explain` has read as `about`, as `explain` takes it. */
function knownIn(
  model: Model,
  about: Program,
  answer: StateAnswer,
  hangs: ReachResult['hangs'],
): KnownAnswer {
  const threads = threadModel(model);
  const isOther = threads === undefined || inspectedProgram(threads) !== about;
  const answered = isOther && { answered: { templates: about, names: [] } };
  return { answer, deadlocks: deadlocksIn(hangs), ...answered };
}

/**
 * Returns the final states under SC and TSO; for any number of copies, the states of the instance
 * that shows the answer.
 */
export async function statesOf(program: Read, limits: Limits): Promise<FoundStates> {
  const { file, text: source, model, diagnostics } = program;
  const result = await decide(model, { kind: 'reach' }, limits);
  if (result.kind === 'refused') {
    const words = refusalMessage(result.refusal);
    return { part: { kind: 'states', words, isCut: false, text: `${words}\n` } };
  }
  if (result.kind === 'event-reach') {
    const { eventReachReport } = await import('@fencewright/core/events');
    const { eventReachHtml } = await import('@fencewright/core/page');
    const { about, result: found } = result;
    const subject = { file, source, program: about };
    const page = eventReachHtml(subject, found, { diagnostics, version });
    return {
      part: {
        ...{ kind: 'states', words: '', page },
        isCut: [found.single, found.sc, found.tso].some(isCutShort),
        text: eventReachReport(subject, found, plainPalette),
      },
    };
  }
  if (result.kind === 'reach-all') {
    const { about, result: found } = result;
    const { answer, shown } = found;
    const answered = answeredInstances(about, found);
    return {
      part: {
        ...{ kind: 'states', ...answerIn(about, answer, {}, answered) },
        ...(shown && { page: await pageOf(program, shown.program, shown.result) }),
        isCut: answer.kind === 'unknown' && 'reason' in answer.why && answer.why.reason === 'time',
        text: reachAllReport({ file, source, program: about }, found, plainPalette),
      },
      known: { answer, answered },
    };
  }
  if (result.kind !== 'reach') throw new Error(`an answer of another kind: ${result.kind}`);
  const { about, result: found } = result;
  const page = await pageOf(program, about, found);
  const isCut = found.answer.kind === 'unknown' && [found.sc, found.tso].some(isCutShort);
  const text = reachReport({ file, source, program: about }, found, plainPalette);
  return {
    part: { kind: 'states', ...answerIn(about, found.answer, found), page, isCut, text },
    known: knownIn(model, about, found.answer, found.hangs),
  };
}
