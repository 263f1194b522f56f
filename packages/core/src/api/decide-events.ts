import type { Limits } from '@fencewright/ground/base/budget.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventModel } from '@fencewright/model/program/model.js';
import { memoryModels } from '@fencewright/model/trace/memory-model.js';
import type { EventCheckResult } from '@fencewright/model/verdict/event-check-result.js';
import { defaults } from './defaults.js';
import { printEventProgram } from './print-model.js';
import type { CheckQuestion, EventWishes, ExplainQuestion, Question } from './question.js';
import type { Result, ThreadWish } from './result.js';

/** Returns the options of a question that have no meaning for programs of events. */
function wishesWithoutMeaning(question: Question): readonly ThreadWish[] {
  switch (question.kind) {
    case 'check':
    case 'explain': {
      const { engine, happensBefore, without = [], ...others } = question;
      const names = ['replayAll', 'kernel', 'handOverAfter', 'solver'] as const;
      const { certify = false, triesProof = false } = question.kind === 'check' ? question : {};
      return [
        ...(engine === undefined || engine === defaults.engine ? [] : (['engine'] as const)),
        ...(happensBefore === 'value' ? (['happensBefore'] as const) : []),
        ...(without.length > 0 ? (['without'] as const) : []),
        ...(question.kind === 'explain' && question.allAttacks ? (['allAttacks'] as const) : []),
        ...(question.kind === 'explain' && question.fewestDelays
          ? (['fewestDelays'] as const)
          : []),
        ...names.filter((name) => others[name] !== undefined && others[name] !== false),
        ...(certify ? (['certify'] as const) : []),
        ...(triesProof ? (['triesProof'] as const) : []),
      ];
    }
    case 'fence': {
      const { engine, happensBefore, mode = defaults.mode, costs, properties } = question;
      return [
        ...(engine === undefined || engine === defaults.engine ? [] : (['engine'] as const)),
        ...(happensBefore === 'value' ? (['happensBefore'] as const) : []),
        ...(mode === defaults.mode ? [] : (['mode'] as const)),
        ...(costs?.kind === 'profile' ? (['costs'] as const) : []),
        ...(properties ? (['properties'] as const) : []),
      ];
    }
    case 'reach': {
      const { certify, model = 'TSO' } = question;
      return [
        ...(certify === true ? (['certify'] as const) : []),
        ...(memoryModels[model].isFifo ? [] : (['model'] as const)),
      ];
    }
    default:
      return [];
  }
}

function checkOptions({ against, posting, depth }: EventWishes = {}) {
  return {
    ...(against && { against }),
    postingFenced: posting === 'fenced',
    ...(depth !== undefined && { depth }),
  };
}

/** Answers a question about a program of events; calls `tell` with intermediate results. */
export async function decideEvents(
  { program: about }: EventModel,
  question: Question,
  limits: Limits,
  tell: (result: Result) => void,
): Promise<Result> {
  const wishes = wishesWithoutMeaning(question);
  if (wishes.length > 0) return { kind: 'refused', refusal: { kind: 'not-of-events', wishes } };
  switch (question.kind) {
    case 'check':
    case 'explain':
      return decideCheck(about, question, limits, tell);
    case 'reach': {
      const { reachEvents } = await import('@fencewright/model/events/reach-events.js');
      const { posting, depth, semantics } = question.events ?? {};
      const result = await reachEvents(about, {
        limits,
        postingFenced: posting === 'fenced',
        ...(depth !== undefined && { depth }),
        ...(semantics && { semantics }),
        ...(question.buffer !== undefined && { buffer: question.buffer }),
      });
      return { kind: 'event-reach', about, result };
    }
    case 'events': {
      const { reachEvents } = await import('@fencewright/model/events/reach-events.js');
      const { checkAllEvents } = await import('./check-all-events.js');
      const { postingFenced, depth } = checkOptions(question.events);
      const options = { postingFenced, ...(depth !== undefined && { depth }) };
      const { criteria } = question;
      const { check, left } = await checkAllEvents(about, {
        ...options,
        limits,
        ...(criteria && { criteria }),
      });
      const reach = await reachEvents(about, { ...options, limits: left });
      return { kind: 'events', about, check, reach };
    }
    case 'fence': {
      const { decideEventFence } = await import('./decide-event-fence.js');
      return decideEventFence(about, question, checkOptions(question.events), limits);
    }
    case 'convert': {
      if (question.attack !== undefined) return refusedForEvents;
      const printed = await printEventProgram(about, question.to);
      return printed ? { kind: 'convert', printed } : refusedForEvents;
    }
    default:
      return refusedForEvents;
  }
}

/** Decides robustness; attack by attack, if the question asks for attacks. */
async function decideCheck(
  about: EventProgram,
  question: CheckQuestion | ExplainQuestion,
  limits: Limits,
  tell: (result: Result) => void,
): Promise<Result> {
  const { events = {}, allAttacks: all = false } = question;
  const { engine } = events;
  const { attack } = question.kind === 'explain' ? question : events;
  const wish = attack !== undefined ? 'attack' : all ? 'allAttacks' : undefined;
  if (wish && (events.against !== 'tso' || engine))
    return { kind: 'refused', refusal: { kind: 'only-against-tso', wish } };
  if (engine) return decideByTwoThreads(about, events, limits);
  const { checkEvents } = await import('./check-events.js');
  const onKnown = (result: EventCheckResult): void => tell({ kind: 'event-check', about, result });
  const options = { ...checkOptions(events), allAttacks: wish !== undefined, limits, onKnown };
  if (attack === undefined)
    return { kind: 'event-check', about, result: await checkEvents(about, options) };
  const { eventAttacksByName } = await import('./event-attack-by-name.js');
  const named = eventAttacksByName(about, attack);
  if (named.diagnostics.length > 0)
    return { kind: 'refused', refusal: { kind: 'attack', diagnostics: named.diagnostics } };
  const result = await checkEvents(about, { ...options, shows: named.isMeant });
  const attacks = result.attacks?.filter(named.isMeant) ?? [];
  return { kind: 'event-check', about, result: { ...result, attacks } };
}

async function decideByTwoThreads(
  about: EventProgram,
  wishes: EventWishes,
  limits: Limits,
): Promise<Result> {
  const { against = 'tso', posting, depth } = wishes;
  if (against !== 'tso')
    return { kind: 'refused', refusal: { kind: 'only-against-tso', wish: 'engine' } };
  const { checkTwoThreads } = await import('./check-two-threads.js');
  const result = await checkTwoThreads(about, {
    limits,
    postingFenced: posting === 'fenced',
    ...(depth !== undefined && { depth }),
  });
  return { kind: 'event-check', about, result };
}

const refusedForEvents: Result = { kind: 'refused', refusal: { kind: 'events' } };
