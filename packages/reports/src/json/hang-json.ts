import { formatAddress } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import { valueToJson } from '@fencewright/model/program/wide-values.js';
import type { MemoryModel, RelaxedModel } from '@fencewright/model/trace/memory-model.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type {
  DeadlockFindings,
  Hang,
  HangFindings,
  WaitingThread,
} from '@fencewright/model/verdict/hang.js';
import type { OpenReason } from '@fencewright/model/verdict/open-reason.js';
import { threadName } from '../words/action-words.js';
import {
  functionOfWaiting,
  hangInWords,
  joinersOf,
  placesOfWaiting,
  sinceStep,
  spanOfWaiting,
} from '../words/hang-in-words.js';
import { stepsToJson } from './json-parts.js';
import type { JsonModelReach, JsonReachResult } from './json-schema.js';
import { finalStateToJson } from './state-json.js';

type JsonHang = NonNullable<NonNullable<JsonReachResult['hangs']>['hangs']>[number];
type JsonWaiting = NonNullable<NonNullable<JsonReachResult['hangs']>['underSc']>[number];

/** Returns the word for the reason why a question is open. */
export function reasonOf(why: OpenReason) {
  return why.kind === 'limit' ? why.reason : why.kind;
}

function waitingToJson(
  program: Program,
  waiting: WaitingThread,
  state?: MachineState,
  beside: readonly WaitingThread[] = [],
): JsonWaiting {
  const span = spanOfWaiting(program, waiting);
  const joiners = joinersOf(program, waiting.thread, beside);
  const called = functionOfWaiting(program, waiting);
  return {
    thread: threadName(program, waiting.thread),
    kind: waiting.kind,
    places: [...placesOfWaiting(program, waiting)],
    ...(span && !span.source && { line: span.start.line + 1 }),
    ...(called !== undefined && { function: called }),
    reads: waiting.reads.map((address) => ({
      cell: formatAddress(program, address),
      ...(state && { value: valueToJson(state.memory.get(address) ?? 0) }),
    })),
    ...(joiners.length > 0 && {
      joinedBy: joiners.map(({ name, span: at }) => ({
        thread: name,
        ...(at && !at.source && { line: at.start.line + 1 }),
      })),
    }),
  };
}

/**
 * Returns the states at which the program comes to rest while threads wait, as JSON data; for SC,
 * only the states that SC reaches.
 */
export function atRestToJson(
  program: Program,
  hangs: HangFindings,
  model: MemoryModel,
): JsonModelReach['atRest'] {
  if (hangs.kind === 'unknown') return undefined;
  return hangs.atRest
    ?.filter(({ isSequential }) => model !== 'SC' || isSequential)
    .map(({ state, waiting }) => ({
      ...finalStateToJson(
        program,
        state,
        waiting.map(({ thread }) => thread),
      ),
      waiting: waiting.map((one) => waitingToJson(program, one, state, waiting)),
    }));
}

/**
 * Returns threads that wait for ever under `model` only as JSON data, with an execution that shows
 * the wait.
 */
export function hangToJson(program: Program, hang: Hang, model: RelaxedModel): JsonHang {
  const { threads, waiting, state, computation } = hang;
  return {
    text: hangInWords(program, hang, model),
    threads: threads.map((thread) => threadName(program, thread)),
    together: threads.length === 0,
    waiting: waiting.map((one) => ({
      ...waitingToJson(program, one, state, waiting),
      since: sinceStep(computation, one),
    })),
    state: finalStateToJson(program, state),
    computation: stepsToJson(program, computation),
  };
}

/** Returns the findings on deadlocks without store buffers as JSON data. */
export function deadlocksToJson(
  program: Program,
  deadlocks: DeadlockFindings,
): NonNullable<NonNullable<JsonReachResult['answer']>['deadlocks']> {
  if (deadlocks.kind === 'unknown')
    return { verdict: 'unknown', reason: reasonOf(deadlocks.why), waiting: [] };
  const waiting = deadlocks.waiting.map((one) => waitingToJson(program, one));
  return { verdict: waiting.length > 0 ? 'deadlocks' : 'none', waiting };
}

/** Returns all findings of threads that wait for ever as JSON data. */
export function hangsToJson(
  program: Program,
  hangs: HangFindings,
  model: RelaxedModel,
): NonNullable<JsonReachResult['hangs']> {
  if (hangs.kind === 'unknown') return { verdict: 'unknown', reason: reasonOf(hangs.why) };
  return {
    verdict: hangs.hangs.length > 0 ? 'hangs' : 'none',
    ...(hangs.hangs.length > 0 && {
      hangs: hangs.hangs.map((hang) => hangToJson(program, hang, model)),
    }),
    ...(hangs.underSc && { underSc: hangs.underSc.map((one) => waitingToJson(program, one)) }),
    ...(hangs.left &&
      hangs.left.length > 0 && {
        left: hangs.left.map(({ waiting, isSequential }) => ({
          ...waitingToJson(program, waiting),
          underSc: isSequential,
        })),
      }),
  };
}
