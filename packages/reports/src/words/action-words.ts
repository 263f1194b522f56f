import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { quoteSource } from '@fencewright/ground/source/quote-name.js';
import { lineInFile } from '@fencewright/ground/source/line-in-file.js';
import { formatAddress, formatCell } from '@fencewright/model/program/format.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { CallPlace, Program, Thread, Transition } from '@fencewright/model/program/program.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import { accessedValue, cellValueText } from './pointer-values.js';
import { threadCellNoun } from './thread-cell-words.js';
import { libraryNoun } from './library-steps.js';
import { foundCondition } from './found-condition.js';
import { pointedToInWords } from './pointed-to.js';

export function threadName(program: Program, thread: ThreadId): string {
  return program.threads[thread]?.name ?? `thread ${thread}`;
}

/** Returns the name of the text of a thread: for a copy, the name of the template. */
export function textName(program: Program, thread: ThreadId): string {
  return program.threads[thread]?.copy?.template ?? threadName(program, thread);
}

/**
 * Returns the transition with the given id, and the transition's thread; `undefined` for unknown
 * ids.
 */
export function findTransition(
  program: Program,
  thread: ThreadId,
  transition: TransitionId,
): { readonly owner: Thread; readonly transition: Transition } | undefined {
  const owner = program.threads[thread];
  const found = owner?.transitions[transition];
  return owner && found && { owner, transition: found };
}

/** Returns the label in front of an instruction; `undefined` if the source has none. */
export function labelOf(
  program: Program,
  thread: ThreadId,
  transition: TransitionId,
): string | undefined {
  const found = findTransition(program, thread, transition);
  const location = found?.owner.locations[found.transition.from];
  return location === undefined || location.hidden ? undefined : location.name;
}

/** Returns the line of an instruction, from 1; `undefined` if the program has no text. */
export function lineOf(
  program: Program,
  thread: ThreadId,
  transition: TransitionId,
): number | undefined {
  const span = findTransition(program, thread, transition)?.transition.origin.span;
  return span && span.start.line + 1;
}

/** Returns the file of an instruction if not the file that was read; `undefined` otherwise. */
export function otherFileOf(
  program: Program,
  thread: ThreadId,
  transition: TransitionId,
): string | undefined {
  return findTransition(program, thread, transition)?.transition.origin.span?.source?.name;
}

/**
 * Returns the place of an instruction for a column of lines: `15`, or `ring.h:12` for a file other
 * than the one read; empty if the program has no text.
 */
export function placeCell(program: Program, thread: ThreadId, transition: TransitionId): string {
  const line = lineOf(program, thread, transition);
  const file = otherFileOf(program, thread, transition);
  if (line === undefined) return '';
  return file === undefined ? String(line) : `${quoteSource(file)}:${line}`;
}

/**
 * Returns the lines of the calls around an instruction, innermost first, `, called at line 7`;
 * empty outside of calls.
 */
export function calledAt(program: Program, thread: ThreadId, transition: TransitionId): string {
  const lines = callPlaces(program, thread, transition).flatMap(({ span }) =>
    span ? [lineInFile(span)] : [],
  );
  return lines.length === 0 ? '' : `, called at ${lines.join(', from ')}`;
}

/**
 * Returns the place of an instruction in words: `line 4`, `line 12 of ring.h, called at line 7`;
 * `undefined` if the program has no text.
 */
export function placeInWords(
  program: Program,
  thread: ThreadId,
  transition: TransitionId,
): string | undefined {
  const span = findTransition(program, thread, transition)?.transition.origin.span;
  return span && lineInFile(span) + calledAt(program, thread, transition);
}

/** Returns the cell that a store or load accesses, as far as the text of the instruction tells. */
export function cellText(program: Program, thread: ThreadId, transition: TransitionId): string {
  const found = findTransition(program, thread, transition);
  if (!found || !('address' in found.transition.instruction)) return '';
  return (
    pointedToInWords(program, thread, transition) ??
    formatCell(program, found.owner, found.transition.instruction.address)
  );
}

/**
 * Returns the place of an action, ` at line 4`, with file and calls as in `placeInWords`; empty if
 * the line is not known.
 */
export function atLine(
  program: Program,
  { thread, transition }: Pick<Action, 'thread' | 'transition'>,
): string {
  const span = findTransition(program, thread, transition)?.transition.origin.span;
  const called = calledAt(program, thread, transition).replace(/^, (.*)$/, ' ($1)');
  return span ? ` at ${lineInFile(span)}${called}` : '';
}

function rmwNoun(instruction: Instruction | undefined): string {
  if (instruction?.kind !== 'rmw') return 'atomic update';
  const { name } = instruction.operation;
  switch (name) {
    case 'xchg':
      return 'exchange';
    case 'cas':
      return 'compare-and-swap';
    default:
      return name.replace(/[0-9]+$/, '');
  }
}

/** Returns an action as a noun: `store of x`, `load of y`, `compare-and-swap on lock`, `fence`. */
export function actionNoun(program: Program, action: Action): string {
  const address = 'address' in action ? action.address : undefined;
  const own = threadCellNoun(program, address, action.kind !== 'load');
  if (own !== undefined) return own;
  const ofLibrary = address === undefined ? undefined : libraryNoun(program, action);
  if (address !== undefined && ofLibrary !== undefined)
    return `${ofLibrary} ${formatAddress(program, address)}`;
  switch (action.kind) {
    case 'issue':
    case 'store':
      return `store of ${formatAddress(program, action.address)}`;
    case 'load':
      return `load of ${formatAddress(program, action.address)}`;
    case 'rmw': {
      const found = findTransition(program, action.thread, action.transition);
      return `${rmwNoun(found?.transition.instruction)} on ${formatAddress(program, action.address)}`;
    }
    case 'local':
      return 'local step';
    case 'fence':
      return 'fence';
    case 'heavy-fence':
      return 'heavy fence';
    case 'lock':
    case 'unlock':
      return action.kind;
    default:
      return unreachable(action);
  }
}

/** Returns the calls that contain an instruction, the innermost first. */
export function callPlaces(
  program: Program,
  thread: ThreadId,
  transition: TransitionId,
): readonly CallPlace[] {
  return findTransition(program, thread, transition)?.transition.origin.calls ?? [];
}

/**
 * Returns a step and its calls as a sentence: `t issues x = 1, in set(), called at line 7`. `text`
 * is the instruction.
 */
export function stepSentence(program: Program, action: Action, text: string): string {
  const by = threadName(program, action.thread);
  return `${by} ${actionSentence(program, action, text)}${callsInWords(program, action)}`;
}

/** Returns the calls around an action: `, in set(), called at line 7`; empty outside of calls. */
export function callsInWords(program: Program, { thread, transition }: Action): string {
  const calls = callPlaces(program, thread, transition);
  const places = calls.map(({ function: called, span }) => {
    const line = span ? `, called at ${lineInFile(span)}` : '';
    return `, in ${called}()${line}`;
  });
  return places.join('');
}

/** Returns an action without its thread, in words: `issues x = 1`, `loads y from memory: 0`. */
function actionSentence(program: Program, action: Action, text: string): string {
  switch (action.kind) {
    case 'issue':
      return `issues ${formatAddress(program, action.address)} = ${accessedValue(program, action)}`;
    case 'store':
      return `stores ${formatAddress(program, action.address)} = ${accessedValue(program, action)} to memory`;
    case 'load': {
      const from = action.early ? 'its own buffer' : 'memory';
      return `loads ${formatAddress(program, action.address)} from ${from}: ${accessedValue(program, action)}`;
    }
    case 'rmw': {
      const cell = formatAddress(program, action.address);
      const found = findTransition(program, action.thread, action.transition);
      const noun = rmwNoun(found?.transition.instruction);
      return action.written === undefined
        ? `fails its ${noun} on ${cell}: reads ${accessedValue(program, action)}`
        : `does its ${noun} on ${cell}: ${accessedValue(program, action)} becomes ${cellValueText(program, action.address, action.written)}`;
    }
    case 'fence':
      return 'passes a fence';
    case 'heavy-fence':
      return 'begins a heavy fence';
    case 'lock':
      return 'takes the bus lock';
    case 'unlock':
      return 'releases the bus lock';
    case 'local':
      return localSentence(program, action, text);
    default:
      return unreachable(action);
  }
}

function localSentence(program: Program, action: Action, text: string): string {
  const found = findTransition(program, action.thread, action.transition);
  const kind = found?.transition.instruction.kind;
  if (kind === 'assume') return `finds ${foundCondition(text)}`;
  if (kind === 'assert') return `checks ${text.slice('assert('.length, -1)}`;
  if (kind === 'skip') return 'goes on';
  return kind === 'havoc' ? `chooses: ${text}` : `computes ${text}`;
}
