import { formatAddress } from '@fencewright/model/program/format.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { RelaxedModel } from '@fencewright/model/trace/memory-model.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import { asksForState } from '@fencewright/model/verdict/answer-over-all.js';
import type { OpenReason } from '@fencewright/model/verdict/open-reason.js';
import type {
  AnsweredInstances,
  Claim,
  StateAnswer,
} from '@fencewright/model/verdict/state-answer.js';
import { placeInWords, threadName } from './action-words.js';
import { enumerate } from '@fencewright/ground/base/number-words.js';
import { hangInWords } from './hang-in-words.js';
import { reasonInWords } from './reason-in-words.js';
import { anyNumberInWords, scopeInWords } from './scope-in-words.js';
import {
  hasHiddenRegisters,
  hiddenDifference,
  haveAllEnded,
  placesInWords,
  valuesInWords,
} from './state-in-words.js';

/** By kind of answer, the first word of the answer. */
export const answerWord: Readonly<Record<StateAnswer['kind'], string>> = {
  breaks: 'breaks',
  'wrong-under-sc': 'wrong already under SC',
  hangs: 'hangs',
  differs: 'differs',
  stricter: 'robustness is stricter than needed',
  robust: 'robust',
  unknown: 'undecided',
};

/** Returns a claim in words: `mutex`, or `the assertion of t1 at line 7`. */
export function claimInWords(program: Program, claim: Claim): string {
  if (claim.kind === 'property') return program.properties[claim.property]?.name ?? '';
  const { thread, transition } = claim;
  const line = placeInWords(program, thread, transition);
  return `the assertion of ${threadName(program, thread)}${line === undefined ? '' : ` at ${line}`}`;
}

/** Returns each claim in words; an assertion of several threads once, with all their names. */
function claimNames(program: Program, claims: readonly Claim[]): readonly string[] {
  const threadsAt = new Map<string, Set<string>>();
  for (const claim of claims) {
    if (claim.kind !== 'assertion') continue;
    const place = placeInWords(program, claim.thread, claim.transition);
    if (place === undefined) continue;
    const threads = threadsAt.get(place) ?? new Set();
    threadsAt.set(place, threads.add(threadName(program, claim.thread)));
  }
  const names = claims.map((claim) => {
    if (claim.kind !== 'assertion') return claimInWords(program, claim);
    const place = placeInWords(program, claim.thread, claim.transition);
    const threads = place === undefined ? undefined : threadsAt.get(place);
    return threads && threads.size > 1
      ? `the assertion of ${enumerate([...threads])} at ${place!}`
      : claimInWords(program, claim);
  });
  return [...new Set(names)];
}

/** Returns claims in words, each once. */
export function claimsInWords(program: Program, claims: readonly Claim[]): string {
  return enumerate(claimNames(program, claims));
}

/**
 * Returns the state that SC does not reach, in words: as an end of all threads, or as an
 * intermediate state.
 */
function differenceInWords(program: Program, state: MachineState): string {
  const values = valuesInWords(program, state);
  if (haveAllEnded(program, state)) return `ends in ${values}`;
  const beside = hasHiddenRegisters(program) ? ` (${hiddenDifference(program)})` : '';
  return `gets, with empty buffers, to where ${[placesInWords(program, state), values].filter((part) => part !== '').join(', ')}${beside}`;
}

/** Returns the reason why a question is open, in words. */
export function whyInWords(program: Program, why: OpenReason, model: RelaxedModel = 'TSO'): string {
  switch (why.kind) {
    case 'limit':
      return reasonInWords[why.reason];
    case 'buffer':
      return 'buffers were bounded';
    case 'faults':
      return 'executions or conditions end in faults';
    case 'values':
      return `the values of ${formatAddress(program, why.address)} may not end; ${isOfC(program) ? 'where it is counted up, mask it: x = (x + 1) & 7' : 'count modulo something, or give it a domain'}`;
    case 'thread-states':
      return `thread ${threadName(program, why.thread)} has too many states of its own`;
    case 'ends':
      return 'properties about ended or stuck threads need given numbers of copies';
    case 'alone':
      return `final registers that only one thread reads have too many values; the shared final states under ${model} are those under SC`;
    case 'instances':
      return 'states are compared for given numbers of copies only';
    case 'no-proof':
      return 'no search supports the program, and no proof was found';
  }
}

/** Returns the failing claims in words: `p holds under SC and not under TSO`. */
export function failuresInWords(
  program: Program,
  claims: readonly Claim[],
  model: RelaxedModel = 'TSO',
): string {
  const failing = claims.filter((claim) => !asksForState(program, claim));
  const reached = claims.filter((claim) => asksForState(program, claim));
  const [fail, reach] = [claimNames(program, failing), claimNames(program, reached)];
  return [
    ...(fail.length > 0
      ? [
          `${enumerate(fail)} ${fail.length === 1 ? 'holds' : 'hold'} under SC and not under ${model}`,
        ]
      : []),
    ...(reach.length > 0
      ? [`${enumerate(reach)} ${reach.length === 1 ? 'is' : 'are'} reached under ${model} only`]
      : []),
  ].join('; ');
}

/**
 * Returns the text of an answer about a memory model, to follow the answer's word and a colon;
 * `answered` is given if the answer is about all numbers of copies.
 */
export function answerInWords(
  program: Program,
  answer: StateAnswer,
  answered?: AnsweredInstances,
  model: RelaxedModel = 'TSO',
): string {
  const { templates = program, names, shown } = answered ?? {};
  const where = shown && scopeInWords({ kind: 'instance', copies: shown.copies });
  const asThere = where === undefined ? '' : `, as ${where}`;
  switch (answer.kind) {
    case 'breaks':
      return `${failuresInWords(templates, answer.claims, model)}${asThere}`;
    case 'wrong-under-sc': {
      const failing = claimNames(templates, answer.claims);
      return `${enumerate(failing)} ${failing.length === 1 ? 'fails' : 'fail'} without store buffers${asThere}, so that no fence helps`;
    }
    case 'hangs': {
      const hangs = answer.hangs.map((hang) =>
        hangInWords(shown?.program ?? templates, hang, model),
      );
      return `${hangs.join('; ')}${asThere}`;
    }
    case 'differs': {
      const state = differenceInWords(shown?.program ?? templates, answer.state);
      const openHangs = answer.openHangs
        ? `; whether a thread waits for ever is open: ${whyInWords(templates, answer.openHangs, model)}`
        : '';
      return `nothing that it claims fails, yet ${where === undefined ? '' : `${where} `}${model} alone ${state}${openHangs}`;
    }
    case 'stricter':
      return `it is not robust, yet nothing that it claims fails, and with empty buffers ${model} reaches what SC reaches: memory, where threads stand, and registers that are still read or shown at the end`;
    case 'robust':
      return `${model} adds nothing, and nothing that it claims fails${names && names.length > 0 ? `, for ${anyNumberInWords(names)}` : ''}`;
    case 'unknown': {
      const open = claimNames(templates, answer.claims);
      const what = {
        claims: `whether ${model} breaks ${open.length > 0 ? enumerate(open) : 'it'}`,
        states: `nothing that it claims fails, but whether ${model} reaches more with empty buffers`,
        traces: `with empty buffers ${model} reaches what SC reaches, and nothing that it claims fails, but whether it is robust`,
      }[answer.open];
      return `${what} is open: ${whyInWords(templates, answer.why, model)}`;
    }
  }
}

/** Returns an answer in one line: `differs: nothing that it claims fails, yet ...`. */
export function answerLine(
  program: Program,
  answer: StateAnswer,
  answered?: AnsweredInstances,
  model: RelaxedModel = 'TSO',
): string {
  return `${answerWord[answer.kind]}: ${answerInWords(program, answer, answered, model)}`;
}
