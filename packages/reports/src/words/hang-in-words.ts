import { at } from '@fencewright/ground/base/at.js';
import { enumerate } from '@fencewright/ground/base/number-words.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { RelaxedModel } from '@fencewright/model/trace/memory-model.js';
import { lineInFile } from '@fencewright/ground/source/line-in-file.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import {
  type Hang,
  type LeftThread,
  type WaitingThread,
  withoutJoiners,
} from '@fencewright/model/verdict/hang.js';
import { calledAt, findTransition, placeInWords, threadName } from './action-words.js';
import { stepNumbers } from './step-numbers.js';
import { cellValueText } from './pointer-values.js';

/** Returns the index of the thread's first instruction at a location; -1 if there is none. */
function nextAt({ threads }: Program, thread: ThreadId, place: LocationId): number {
  return threads[thread]?.transitions.findIndex(({ from }) => from === place) ?? -1;
}

/** Returns the span of the instruction at which a thread waits; `undefined` without a text. */
export function spanOfWaiting(program: Program, waiting: WaitingThread): Span | undefined {
  const { thread, places } = waiting;
  const spans = places.flatMap((place) => {
    const next = nextAt(program, thread, place);
    return program.threads[thread]?.transitions[next]?.origin.span ?? [];
  });
  return spans.find(({ source }) => !source) ?? spans[0];
}

/** A place at which a thread waits: a line or a label, and the calls around it. */
interface WaitingPlace {
  readonly at: string;
  /** The calls around the place, such as `, called at line 7`; empty outside of calls. */
  readonly called: string;
}

function waitingPlaces(
  program: Program,
  { thread, places }: WaitingThread,
): readonly WaitingPlace[] {
  return places.flatMap((place) => {
    const { name, hidden } = program.threads[thread]?.locations[place] ?? {};
    const next = nextAt(program, thread, place);
    const line = placeInWords(program, thread, next);
    if (line === undefined) return hidden || name === undefined ? [] : [{ at: name, called: '' }];
    const called = calledAt(program, thread, next);
    return [{ at: line.slice(0, line.length - called.length), called }];
  });
}

/** Returns the lines at which a thread waits, in words, each once. */
export function placesOfWaiting(program: Program, waiting: WaitingThread): readonly string[] {
  return [...new Set(waitingPlaces(program, waiting).map(({ at, called }) => at + called))];
}

/**
 * Returns the lines at which a thread waits as a list in words; calls that all the lines share are
 * named once: `line 22 and line 24, called at line 62`.
 */
function placesInList(program: Program, waiting: WaitingThread): string {
  const places = waitingPlaces(program, waiting);
  const [first] = places;
  if (!first) return '';
  const areTogether = places.every(({ called }) => called === first.called);
  const lines = places.map(({ at, called }) =>
    areTogether || called === '' ? at : `${at} (${called.replace(/^, /, '')})`,
  );
  return enumerate([...new Set(lines)]) + (areTogether ? first.called : '');
}

/** Returns the library function in which a thread waits; `undefined` unless exactly one. */
export function functionOfWaiting(
  program: Program,
  { thread, places }: WaitingThread,
): string | undefined {
  const called = places.map((place) => {
    const next = nextAt(program, thread, place);
    return program.threads[thread]?.transitions[next]?.origin.libraryCall;
  });
  return called.every((name) => name === called[0]) ? called[0] : undefined;
}

/** Returns the values that a waiting thread reads, in words: `kick = 0`. */
function valuesRead(
  program: Program,
  { reads }: WaitingThread,
  { memory }: MachineState,
): readonly string[] {
  return reads.map((address) => {
    const value = cellValueText(program, address, memory.get(address) ?? 0);
    return `${formatAddress(program, address)} = ${value}`;
  });
}

/**
 * Matches library functions in which a thread sleeps until woken. The functions read variables of
 * Fencewright's own about sleeping threads.
 */
const sleeps = /^(?:cnd_|pthread_cond_|syscall$|schedule)|condition_variable|::wait(?:_|$)/;

/**
 * Returns a clause saying that a thread waits, `sleeper waits for ever at line 9, in sem_wait`;
 * with the values that the thread reads if `state` is given.
 */
export function waitingInWords(
  program: Program,
  waiting: WaitingThread,
  state?: MachineState,
): string {
  const places = placesInList(program, waiting);
  const called = functionOfWaiting(program, waiting);
  const where = places === '' ? '' : ` at ${places}${called === undefined ? '' : `, in ${called}`}`;
  const what = {
    waits: `waits for ever${where}`,
    busy: `runs for ever by itself${where}`,
    endless: `never ends${places === '' ? '' : `: it goes round${where}`}`,
  }[waiting.kind];
  const isReadable = waiting.kind === 'waits' && !sleeps.test(called ?? '');
  const values = state && isReadable ? valuesRead(program, waiting, state) : [];
  const reading = values.length === 0 ? '' : `, where ${enumerate(values)}`;
  return `${threadName(program, waiting.thread)} ${what}${reading}`;
}

/**
 * A thread that waits for the end of another thread (joins it): its name, and the place of the
 * join.
 */
interface Joiner {
  readonly name: string;
  readonly span?: Span;
}

/**
 * Returns the threads that wait for the end of a thread (join it): waiting threads, and threads
 * whose end ends the process.
 */
export function joinersOf(
  program: Program,
  thread: ThreadId,
  waiting: readonly WaitingThread[],
): readonly Joiner[] {
  const { done } = program.threads[thread] ?? {};
  const beside = waiting.flatMap((one): readonly Joiner[] => {
    if (done === undefined || !one.reads.includes(done)) return [];
    const span = spanOfWaiting(program, one);
    return [{ name: threadName(program, one.thread), ...(span && { span }) }];
  });
  const last = (program.processEnds ?? []).flatMap(({ at, awaits }) =>
    awaits.flatMap(({ thread: awaited, span }): readonly Joiner[] => {
      if (awaited !== thread) return [];
      return [{ name: at ? threadName(program, at.thread) : 'main', ...(span && { span }) }];
    }),
  );
  const byText = new Map([...beside, ...last].map((one) => [joinerText(one), one]));
  return [...byText.values()];
}

function joinerText({ name, span }: Joiner): string {
  return `${name} waits for it${span ? ` at ${lineInFile(span)}` : ''}`;
}

/**
 * Returns the threads of a hang (a state from which threads wait for ever): `threads`, or all
 * waiting threads if `threads` is empty. Threads that only join other threads of the hang are left
 * out, unless all do.
 */
function hangingOf(program: Program, { threads, waiting }: Hang): readonly WaitingThread[] {
  const all =
    threads.length === 0 ? waiting : waiting.filter(({ thread }) => threads.includes(thread));
  return withoutJoiners(program, all);
}

/**
 * Returns the title of the report on a hang (a state from which threads wait for ever):
 * `sleeper waits for ever`.
 */
export function hangTitle(program: Program, hang: Hang): string {
  const names = hangingOf(program, hang).map(({ thread }) => threadName(program, thread));
  const together = hang.threads.length === 0 && names.length > 1 ? ' together' : '';
  return `${enumerate(names)} ${names.length === 1 ? 'waits' : 'wait'} for ever${together}`;
}

/** Returns the waiting threads of a hang in words, each with its place and the values it reads. */
export function hangPlaces(program: Program, hang: Hang): string {
  return hangingOf(program, hang)
    .map((one) => waitingInWords(program, one, hang.state))
    .join('; ');
}

/**
 * Returns the threads waiting for ever and their places, and the difference to executions without
 * store buffers, in words.
 */
export function hangInWords(program: Program, hang: Hang, model: RelaxedModel = 'TSO'): string {
  const those = hangingOf(program, hang).map((one) => waitingInWords(program, one, hang.state));
  if (hang.threads.length > 0)
    return `${those.join('; ')}: ${model} lets ${those.length === 1 ? 'it' : 'them'}, no execution without store buffers does`;
  const only = those.length === 1 ? 'at such a place' : 'like this, together';
  return `${those.join('; ')}: without store buffers ${those.length === 1 ? 'it never waits' : 'they never wait'} for ever ${only}`;
}

/** Returns a sentence for each thread that joins a thread of the hang. */
export function joinersInWords(program: Program, hang: Hang): readonly string[] {
  const lines = hang.waiting.flatMap(({ thread }) =>
    joinersOf(program, thread, hang.waiting).map((joiner) => joinerText(joiner)),
  );
  return [...new Set(lines)];
}

/** Returns a sentence saying that a thread still waits when the process ends. */
export function leftInWords(
  program: Program,
  { waiting, isSequential }: LeftThread,
  model: RelaxedModel = 'TSO',
): string {
  const places = placesOfWaiting(program, waiting);
  const where = places.length === 0 ? '' : ` at ${enumerate(places)}`;
  const models = isSequential ? 'without store buffers, too' : `under ${model} alone`;
  return `${threadName(program, waiting.thread)} waits${where} when the process ends, ${models}: no thread joins it`;
}

/** A store that reaches memory late: the steps, from 0, of the store and of a load before it. */
interface LateStore {
  readonly step: number;
  readonly passing: number;
}

/** Returns the stores overtaken by later loads of the thread. */
function lateStores(program: Program, computation: Computation): readonly LateStore[] {
  const waiting = program.threads.map((): number[] => []);
  return computation.flatMap((action, step): LateStore[] => {
    const own = waiting[action.thread];
    if (action.kind === 'issue') own?.push(step);
    const issued = action.kind === 'store' ? own?.shift() : undefined;
    if (issued === undefined) return [];
    const passing = computation.findIndex(
      ({ thread, kind }, i) =>
        i > issued && i < step && thread === action.thread && kind === 'load',
    );
    return passing < 0 ? [] : [{ step, passing }];
  });
}

/** A state from which threads wait for ever (a hang), in words, with its places in the text. */
export interface PlacedHang {
  readonly text: string;
  /** The place in the text at which the first of the waiting threads waits. */
  readonly span?: Span;
  readonly lateStores: readonly { readonly text: string; readonly span?: Span }[];
}

/**
 * Returns a hang (a state from which threads wait for ever) in words, with the places of the
 * waiting thread and of late stores.
 */
export function placedHang(program: Program, hang: Hang): PlacedHang {
  const [first] = hangingOf(program, hang);
  const span = first && spanOfWaiting(program, first);
  return {
    text: hangInWords(program, hang),
    ...(span && { span }),
    lateStores: lateStores(program, hang.computation).map((late) => {
      const { thread, transition } = hang.computation[late.step]!;
      const at = findTransition(program, thread, transition)?.transition.origin.span;
      return { text: lateStoreInWords(program, hang.computation, late), ...(at && { span: at }) };
    }),
  };
}

/** Returns a late store in a sentence, given the computation with the steps of the store. */
function lateStoreInWords(
  program: Program,
  computation: Computation,
  { step, passing }: LateStore,
): string {
  const [stored, loaded] = [step, passing].map((i) => {
    const action = computation[i];
    return action && 'address' in action ? formatAddress(program, action.address) : undefined;
  });
  const { thread, transition } = computation[step]!;
  const name = threadName(program, thread);
  const place = placeInWords(program, thread, transition);
  const numbers = stepNumbers(program, computation);
  return `the store of ${name} to ${stored}${place === undefined ? '' : `, ${place},`} is late: it reaches memory at step ${at(numbers, step)}, and ${name} has read ${loaded ?? 'memory'} at step ${at(numbers, passing)}`;
}

/**
 * Returns the number, from 1, of the first step from which on the thread only repeats its waiting
 * loop.
 */
export function sinceStep(computation: Computation, waiting: WaitingThread): number {
  return (
    computation.findLastIndex(({ thread, kind }) => thread === waiting.thread && kind !== 'store') +
    2
  );
}
