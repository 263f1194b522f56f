import { lineInFile } from '@fencewright/ground/source/line-in-file.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { ExecutionGraph, GraphEvent } from '@fencewright/model/c11/execution-graph.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { GraphArrow } from '@fencewright/model/c11/graph-arrows.js';
import { type Assumption, seqCstStoreAsWritten } from '@fencewright/model/program/assumption.js';
import type {
  C11Limit,
  C11Refusal,
  C11Result,
  EndlessWait,
  FailingAssertion,
} from '@fencewright/model/verdict/c11-result.js';
import { findTransition, placeCell, placeInWords, threadName } from './action-words.js';
import { claimInWords } from './answer-in-words.js';
import { threadCellNoun } from './thread-cell-words.js';
import { cellValueText } from './pointer-values.js';
import type { Subject } from './subject.js';
import type { UnknownReason } from '@fencewright/model/verdict/unknown-reason.js';

/** Returns the assumptions on which an answer about C11 rests, and an answer about x86 does not. */
export function assumptionsAboutC11(
  { assumptionsOfC11 = [] }: Program,
  { assumptions = [] }: Pick<C11Result, 'assumptions'>,
): readonly Assumption[] {
  return [...assumptionsOfC11, ...assumptions];
}

/** Returns all assumptions on which an answer about C11 rests. */
export function allAssumptionsAboutC11(
  program: Program,
  found: Pick<C11Result, 'assumptions'>,
): readonly Assumption[] {
  const common = (program.assumptions ?? []).filter(
    ({ name }) => name !== seqCstStoreAsWritten.name,
  );
  return [...common, ...assumptionsAboutC11(program, found)];
}

/** By feature that the C11 check does not support, or limit of the check, words. */
const limitsInWords: Readonly<Record<C11Limit, string>> = {
  'heavy-fences': 'heavy fences have no meaning in C11',
  'lock-blocks':
    'several accesses in one step (an atomic section, or a system call such as futex) have no meaning in C11',
  'weak-rmws': 'weak read-modify-writes are not supported',
  volatile: 'an access of a shared variable is `volatile`, which is not atomic in C11',
  assembly: 'inline assembly has no memory orders',
  'excluded-executions': 'conditions that exclude executions are not supported',
  'wide-values': 'numbers of 64 bits are not supported',
  'rmws-on-plain': 'a read-modify-write accesses a plain variable',
  'rmws-behind-loads':
    'hardware may execute a load behind a read-modify-write of its thread, or behind a store that its thread has read, and the check does not follow what then happens',
  'forwarded-to-seq-cst':
    'a thread loads by seq_cst what it has stored with a weaker order, and hardware orders such a load less than the text of C++20 does (LWG 3941); make the stores seq_cst',
  cells: 'there are more than 31 cells that several threads access',
  values: 'has more than 31 values that steps tell apart',
  threads: 'races of more than 15 threads are not supported',
  addresses: 'an execution accesses a cell without a variable',
  faults: 'an execution ends in a fault',
};

/**
 * Returns a feature that the C11 check does not support, or a limit of the check, in words that can
 * follow a colon; with the place in the text, or the cell.
 */
export function limitInWords(
  program: Program,
  limit: C11Limit,
  { at, address }: C11Refusal,
): string {
  const words = limitsInWords[limit];
  const cell = address === undefined ? 'a cell' : formatAddress(program, address);
  const all = limit === 'values' ? `${cell} ${words}` : words;
  return at ? `${all} (${lineInFile(at)})` : all;
}

/**
 * By feature that the C11 check does not support, the change of the text by which the check
 * supports the program.
 */
const changeForC11: Readonly<Partial<Record<C11Limit, string>>> = {
  'lock-blocks':
    'write an atomic section as one read-modify-write, or between a lock and an unlock',
  'weak-rmws': 'use read-modify-writes with memory orders',
  volatile: 'make the variable atomic',
  assembly: 'use atomic operations of the language',
  'excluded-executions': 'end the thread by a branch instead',
  'wide-values': 'use numbers of 32 bits',
  'rmws-on-plain': 'make the variable atomic',
  'rmws-behind-loads': 'let the load acquire, or the store release',
  cells: 'use shorter arrays, or fewer threads',
  values:
    'bound the turns of the loops that count, to two or three for each thread, or use smaller numbers; do not let a counter come round: an old value would then end a wait',
  threads: 'use fewer threads',
  addresses: 'keep indices inside of their arrays',
};

/**
 * Returns advice on an unknown answer about C11, and on a limit; `undefined` if no words fit. Other
 * engines have no answer about C11.
 */
export function wayOnC11(
  { advise, file }: Subject,
  reason: UnknownReason,
  limit: C11Limit | undefined,
): string | undefined {
  if (limit === 'faults' || limit === 'heavy-fences') {
    const x86 = advise?.({ kind: 'check-x86', file });
    return x86 && `${x86} ${limit === 'faults' ? 'shows the fault' : 'answers for x86'}`;
  }
  if (limit) return changeForC11[limit];
  switch (reason) {
    case 'states':
    case 'memory':
    case 'time':
      return advise?.({ kind: 'go-on', reason });
    default:
      return undefined;
  }
}

/** Returns the assertion that fails in an execution of C11: `the assertion of t1 at line 7`. */
export function failingClaim(program: Program, { thread, assertion }: FailingAssertion): string {
  const claim = claimInWords(program, { kind: 'assertion', thread, transition: assertion });
  return claim.includes(',') ? `${claim},` : claim;
}

/**
 * Returns the words on uses of freed memory, which are looked for under SC and TSO only. Empty for
 * a program whose threads free no memory.
 */
export function notLookedAtInC11({ freedBlocks = [] }: Program): string {
  return freedBlocks.length > 0 ? '; uses of freed memory are not looked for there' : '';
}

/** Returns a wait for ever: `t1 can wait for ever for x, line 7`. */
export function waitInWords(
  program: Program,
  { thread, transition }: Pick<EndlessWait, 'thread' | 'transition'>,
): string {
  const { instruction } = findTransition(program, thread, transition)!.transition;
  const where = placeInWords(program, thread, transition);
  const place = where === undefined ? '' : ` at ${where}`;
  const what = instruction.kind === 'rmw' ? 'the update' : 'the load';
  return `${threadName(program, thread)} can wait for ever: ${what}${place}${place.includes(',') ? ',' : ''} never gets what it waits for`;
}

/** Returns the place of an event, ` at line 4`; empty if the line is not known. */
export function eventLine(program: Program, { thread, transition }: GraphEvent): string {
  if (thread === undefined || transition === undefined) return '';
  const span = findTransition(program, thread, transition)?.transition.origin.span;
  return span ? ` at ${lineInFile(span)}` : '';
}

/** Returns the line of an event, from 1; `undefined` if it is not known. */
export function lineOfEvent(
  program: Program,
  { thread, transition }: GraphEvent,
): number | undefined {
  if (thread === undefined || transition === undefined) return undefined;
  const span = findTransition(program, thread, transition)?.transition.origin.span;
  return span && span.start.line + 1;
}

/** Returns the name of the event's cell; empty for fences. */
export function cellOfEvent(program: Program, { address }: GraphEvent): string {
  return address === undefined ? '' : formatAddress(program, address);
}

/** Returns the place of an event for a column of lines: `15`, `ring.h:12`; empty if not known. */
export function placeOfEvent(program: Program, { thread, transition }: GraphEvent): string {
  return thread === undefined || transition === undefined
    ? ''
    : placeCell(program, thread, transition);
}

/** Returns a value of the event's cell: `1`, `&node`. */
export function valueOfEvent(
  program: Program,
  { address }: GraphEvent,
  value: number | undefined,
): string {
  return address === undefined || value === undefined ? '' : cellValueText(program, address, value);
}

/** Returns the event with its thread and line: `the load of x by t0 at line 4`. */
export function eventOfThread(program: Program, event: GraphEvent): string {
  return `the ${eventNoun(program, event)} by ${threadName(program, event.thread!)}${eventLine(program, event)}`;
}

/** Returns the meaning of an arrow in a drawn execution, as a clause. */
export function arrowInWords(
  program: Program,
  { events }: ExecutionGraph,
  { from, to, relation }: GraphArrow,
): string {
  const [one, other] = [from, to].map((index) => eventOfThread(program, events[index]!));
  switch (relation) {
    case 'po':
      return `${one} comes before ${other} in the program`;
    case 'rf':
    case 'sw':
      return `${other} sees ${one}`;
    case 'mo':
      return `${other} replaces ${one}`;
    case 'fr':
      return `${one} sees a value that ${other} replaces`;
  }
}

/**
 * Returns the start, end or join of a thread that the event is, as a noun; `undefined` for accesses
 * of the text.
 */
export function threadEventNoun(
  program: Program,
  { address, kind }: GraphEvent,
): string | undefined {
  return threadCellNoun(program, address, kind !== 'read');
}

/** Returns the event as a noun: `load of x`, `store of y`, `update of z`, `fence`. */
export function eventNoun(program: Program, event: GraphEvent): string {
  const own = threadEventNoun(program, event);
  if (own !== undefined) return own;
  const cell = cellOfEvent(program, event);
  switch (event.kind) {
    case 'read':
      return `load of ${cell}`;
    case 'write':
      return `store of ${cell}`;
    case 'update':
      return `update of ${cell}`;
    case 'fence':
      return 'fence';
    default:
      return unreachable(event.kind);
  }
}

/** Returns the event with its values and order: `load of x: 1 (acquire)`. */
export function eventInWords(program: Program, event: GraphEvent): string {
  const { kind, read, written, order } = event;
  const own = threadEventNoun(program, event);
  if (own !== undefined) return own;
  const value = (one: number | undefined): string => valueOfEvent(program, event, one);
  const values = {
    read: `: ${value(read)}`,
    write: `: ${value(written)}`,
    update: `: ${value(read)}${written === undefined ? '' : ` to ${value(written)}`}`,
    fence: '',
  }[kind];
  return `${eventNoun(program, event)}${values} (${order})`;
}

/** Returns a store with its value and thread: `the store of 1 by sender at line 8`. */
export function storeInWords(program: Program, { events }: ExecutionGraph, index: number): string {
  const event = events[index]!;
  if (event.thread === undefined) return 'the initial value';
  const own = threadEventNoun(program, event);
  if (own !== undefined) return `the ${own}${eventLine(program, event)}`;
  const noun = event.kind === 'update' ? 'update to' : 'store of';
  return `the ${noun} ${valueOfEvent(program, event, event.written)} by ${threadName(program, event.thread)}${eventLine(program, event)}`;
}

/**
 * Returns the indices of newer stores to the event's cell: newer than the event, if it is a store,
 * or else than the store from which the event reads.
 */
export function newerStores({ events, modification }: ExecutionGraph, index: number): number[] {
  const order = modification.find((stores) =>
    stores.some((store) => store === index || store === events[index]!.from),
  );
  const place = order?.indexOf(events[index]!.kind === 'read' ? events[index]!.from! : index) ?? -1;
  return order && place >= 0 ? order.slice(place + 1) : [];
}
