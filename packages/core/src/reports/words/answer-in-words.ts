import { formatAddress } from '../../program/format.js';
import { claimsExistence } from '../../program/property.js';
import type { Program } from '../../program/program.js';
import type { MachineState } from '../../trace/machine-state.js';
import type {
  AnsweredInstances,
  Claim,
  OpenReason,
  StateAnswer,
} from '../../verdict/state-answer.js';
import { lineOf, threadName } from './action-words.js';
import { enumerate } from '../../base/number-words.js';
import { cellValueText, registerValueText } from './pointer-values.js';
import { reasonInWords } from './reason-in-words.js';
import { anyNumberOf, scopeInWords } from './scope-in-words.js';

/** Each answer in a word or two. */
export const answerWord: Readonly<Record<StateAnswer['kind'], string>> = {
  breaks: 'breaks',
  'wrong-under-sc': 'wrong already under SC',
  differs: 'differs',
  stricter: 'stricter than needed',
  robust: 'robust',
  unknown: 'undecided',
};

const mostShown = 12;

/** `mutex`, or `the assertion of t1, line 7`. */
export function claimInWords(program: Program, claim: Claim): string {
  if (claim.kind === 'property') return program.properties[claim.property]?.name ?? '';
  const { thread, transition } = claim;
  const line = lineOf(program, thread, transition);
  return `the assertion of ${threadName(program, thread)}${line === undefined ? '' : `, line ${line}`}`;
}

function isQuestion(program: Program, claim: Claim): boolean {
  const property = claim.kind === 'property' ? program.properties[claim.property] : undefined;
  return property !== undefined && claimsExistence(property);
}

/** Memory and registers, by name. */
function stateInWords(program: Program, { memory, registers, locations }: MachineState): string {
  const cells = program.symbols.flatMap(({ base, length }) =>
    Array.from({ length }, (_, offset) => {
      const address = base + offset;
      const value = cellValueText(program, address, memory.get(address) ?? 0);
      return `${formatAddress(program, address)} = ${value}`;
    }),
  );
  const own = program.threads.flatMap((thread, t) =>
    thread.registers.flatMap(({ name, hidden }, r) =>
      hidden
        ? []
        : [`${thread.name}.${name} = ${registerValueText(program, t, r, registers[t]?.[r] ?? 0)}`],
    ),
  );
  const places = program.threads.flatMap((thread, t) => {
    const location = thread.locations[locations[t] ?? -1];
    return location && !location.hidden ? [`${thread.name} at ${location.name}`] : [];
  });
  const all = [...cells, ...own, ...places];
  return all.length > mostShown ? `${all.slice(0, mostShown).join(', ')}, ...` : all.join(', ');
}

/** Why a question is open. */
export function whyInWords(program: Program, why: OpenReason): string {
  switch (why.kind) {
    case 'limit':
      return reasonInWords[why.reason];
    case 'buffer':
      return 'buffers were bounded';
    case 'faults':
      return 'executions end in faults';
    case 'values':
      return `the values of ${formatAddress(program, why.address)} do not end; count modulo something, or give it a domain`;
    case 'thread-states':
      return `thread ${threadName(program, why.thread)} has too many states of its own`;
    case 'ends':
      return 'it looks at where all threads have ended, or are stuck, which is asked of given numbers of copies only';
    case 'instances':
      return 'states are compared for given numbers of copies only';
  }
}

/** `p holds under SC and not under TSO`. */
export function failuresInWords(program: Program, claims: readonly Claim[]): string {
  const failing = claims.filter((claim) => !isQuestion(program, claim));
  const reached = claims.filter((claim) => isQuestion(program, claim));
  const names = (some: readonly Claim[]): string =>
    enumerate(some.map((claim) => claimInWords(program, claim)));
  return [
    ...(failing.length > 0
      ? [`${names(failing)} ${failing.length === 1 ? 'holds' : 'hold'} under SC and not under TSO`]
      : []),
    ...(reached.length > 0
      ? [`${names(reached)} ${reached.length === 1 ? 'is' : 'are'} reached under TSO only`]
      : []),
  ].join('; ');
}

/**
 * What an answer says, to stand behind its word and a colon; `answered` of all instances of a
 * program.
 */
export function answerInWords(
  program: Program,
  answer: StateAnswer,
  answered?: AnsweredInstances,
): string {
  const { templates = program, names, shown } = answered ?? {};
  const where = shown && scopeInWords({ kind: 'instance', copies: shown.copies });
  const asThere = where === undefined ? '' : `, as ${where}`;
  switch (answer.kind) {
    case 'breaks':
      return `${failuresInWords(templates, answer.claims)}${asThere}`;
    case 'wrong-under-sc': {
      const failing = answer.claims.map((claim) => claimInWords(templates, claim));
      return `${enumerate(failing)} ${failing.length === 1 ? 'fails' : 'fail'} without store buffers${asThere}, so that no fence helps`;
    }
    case 'differs': {
      const state = stateInWords(shown?.program ?? program, answer.state);
      return `nothing that it claims fails, yet ${where === undefined ? '' : `${where} `}TSO alone reaches ${state}`;
    }
    case 'stricter':
      return 'it is not robust, yet TSO reaches no state with empty buffers that SC does not, and nothing that it claims fails';
    case 'robust':
      return `TSO adds nothing, and nothing that it claims fails${names ? `, for ${anyNumberOf(names)}` : ''}`;
    case 'unknown': {
      const open = answer.claims.map((claim) => claimInWords(templates, claim));
      const what = {
        claims: open.length > 0 ? `whether TSO breaks ${enumerate(open)}` : 'whether TSO breaks it',
        states: 'nothing that it claims fails, but whether states differ',
        traces: 'no state differs, but whether it is robust',
      }[answer.open];
      return `${what} is open: ${whyInWords(templates, answer.why)}`;
    }
  }
}

/** `differs: nothing that it claims fails, yet ...` */
export function answerLine(
  program: Program,
  answer: StateAnswer,
  answered?: AnsweredInstances,
): string {
  return `${answerWord[answer.kind]}: ${answerInWords(program, answer, answered)}`;
}
