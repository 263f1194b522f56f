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
import type { ExplainedAnswer } from './explained.js';
import type { AnswerPart, ResultPart } from './messages.js';
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

/** Returns the answer about claims and states. */
function answerOf(
  about: Program,
  answer: StateAnswer,
  { races, hangs }: Partial<Pick<ReachResult, 'races' | 'hangs'>> = {},
  answered?: AnsweredInstances,
): AnswerPart {
  const deadlocks = hangs && deadlocksIn(hangs);
  const headline = headlineInWords(about, answer, answered, races, { deadlocks });
  return {
    kind: 'answer',
    words: sentence(answerLine(about, answer, answered)),
    ...(headline && { headline, difference: differenceOf(about, answer, answered) }),
    advisesFences: advisesFences({ answer }),
  };
}

/** The findings about claims and final states; pages of states take longer than the answer. */
interface FoundStates {
  readonly answer?: AnswerPart;
  /** The answer about claims and states, in the form that `explain` accepts. */
  readonly known?: ExplainedAnswer;
  readonly draw: () => Promise<ResultPart>;
}

/**
 * Returns the answer about a model in the form for the page of `explain`, which is about the
 * program `about`.
 */
function knownIn(
  model: Model,
  about: Program,
  answer: StateAnswer,
  hangs: ReachResult['hangs'],
): ExplainedAnswer {
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
    const part = { kind: 'states', words, isCut: false, text: `${words}\n` } as const;
    return { draw: () => Promise.resolve(part) };
  }
  if (result.kind === 'event-reach') {
    const { about, result: found } = result;
    const subject = { file, source, program: about };
    const isCut = [found.single, found.sc, found.tso].some(isCutShort);
    return {
      draw: async () => {
        const { eventReachReport } = await import('@fencewright/core/events');
        const { eventReachHtml } = await import('@fencewright/core/page');
        const page = eventReachHtml(subject, found, { diagnostics, version });
        const text = eventReachReport(subject, found, plainPalette);
        return { kind: 'states', words: '', page, isCut, text };
      },
    };
  }
  if (result.kind === 'reach-all') {
    const { about, result: found } = result;
    const { answer, shown } = found;
    const answered = answeredInstances(about, found);
    const isCut =
      answer.kind === 'unknown' && 'reason' in answer.why && answer.why.reason === 'time';
    const part = answerOf(about, answer, {}, answered);
    return {
      answer: part,
      known: { answer, answered },
      draw: async () => ({
        ...{ kind: 'states', words: part.words, isCut },
        ...(shown && { page: await pageOf(program, shown.program, shown.result) }),
        text: reachAllReport({ file, source, program: about }, found, plainPalette),
      }),
    };
  }
  if (result.kind !== 'reach') throw new Error(`an answer of another kind: ${result.kind}`);
  const { about, result: found } = result;
  const isCut = found.answer.kind === 'unknown' && [found.sc, found.tso].some(isCutShort);
  return {
    answer: answerOf(about, found.answer, found),
    known: knownIn(model, about, found.answer, found.hangs),
    draw: async () => {
      const page = await pageOf(program, about, found);
      const text = reachReport({ file, source, program: about }, found, plainPalette);
      return { kind: 'states', words: '', page, isCut, text };
    },
  };
}
