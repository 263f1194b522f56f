import { at } from '@fencewright/ground/base/at.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { type Repair, singleRepairs } from '@fencewright/model/program/repair.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import { textThread } from './text-thread.js';

/** The changes of one thread by a set of repairs. */
interface OwnRepairs {
  /** The locations of the thread before which the repairs put a fence. */
  readonly fences: ReadonlySet<LocationId>;
  /** By location, the number of heavy fences put before the location by the repairs. */
  readonly heavy: ReadonlyMap<LocationId, number>;
  /**
   * The stores of the thread changed into exchanges by the repairs, and the fences and exchanges
   * kept by the repairs.
   */
  readonly draining: ReadonlySet<TransitionId>;
  /** The heavy fences of the thread that the repairs keep. */
  readonly kept: ReadonlySet<TransitionId>;
}

/** Whether the instruction that a `keep` item keeps at a transition is a heavy fence. */
export type IsHeavy = (thread: ThreadId, transition: TransitionId) => boolean;

function ownRepairs(
  program: Program,
  repairs: readonly Repair[],
  isHeavy: IsHeavy,
  thread: ThreadId,
): OwnRepairs {
  const text = textThread(program, thread);
  const fences = new Set<LocationId>();
  const heavy = new Map<LocationId, number>();
  const draining = new Set<TransitionId>();
  const kept = new Set<TransitionId>();
  for (const part of repairs.flatMap((repair) => singleRepairs(repair))) {
    if (part.thread !== text) continue;
    if (part.kind !== 'fence') {
      const isKept = part.kind === 'keep' && isHeavy(text, part.transition);
      (isKept ? kept : draining).add(part.transition);
    } else if (part.heavy === undefined) fences.add(part.location);
    else heavy.set(part.location, (heavy.get(part.location) ?? 0) + 1);
  }
  return { fences, heavy, draining, kept };
}

/** A computation with the states along it: moment `i` is the state before action `i`. */
interface Timed {
  readonly computation: Computation;
  readonly states: readonly MachineState[];
}

/**
 * Returns the first moment from `from` on at which the buffer of the thread is empty; the number of
 * states if there is none.
 */
function drainedFrom({ states }: Timed, thread: ThreadId, from: number): number {
  let moment = from;
  while (moment < states.length && at(at(states, moment).buffers, thread).length > 0) moment++;
  return moment;
}

/**
 * Returns the moment at which a heavy fence of the thread ends if the thread is at the fence from
 * `from` on: the thread's own buffer has to be empty, and then the buffer of every other thread at
 * some moment. Returns the number of states if the fence does not end.
 */
function heavyFrom(timed: Timed, thread: ThreadId, from: number): number {
  const begin = drainedFrom(timed, thread, from);
  const others = timed.states[0]!.buffers.keys();
  return Math.max(...[...others].map((other) => drainedFrom(timed, other, begin)));
}

/** Whether the next action of the issuing thread moves the issued store to memory. */
function isDrainedAtOnce(computation: Computation, issue: number): boolean {
  const { thread } = at(computation, issue);
  return computation.slice(issue + 1).find((action) => action.thread === thread)?.kind === 'store';
}

/**
 * Whether a TSO computation of the program, given with the states along it, remains possible with
 * all repairs at once, without a change of the order of its actions. A thread passes an inserted
 * fence between two actions of the thread, at a moment when its buffer is empty: the last moment is
 * such a moment if any is. A thread passes an inserted heavy fence from such a moment until every
 * other buffer has been empty once. Several heavy fences are passed one after the other; nothing is
 * lost by passing each as early as possible. The moments of local actions do not matter to other
 * threads: a local action, such as the `skip` in place of a kept heavy fence, is done at any moment
 * between the other actions of its thread.
 */
export function survives(
  program: Program,
  computation: Computation,
  states: readonly MachineState[],
  repairs: readonly Repair[],
  isHeavy: IsHeavy,
): boolean {
  const timed = { computation, states };
  return program.threads.every((_, thread) => {
    const own = ownRepairs(program, repairs, isHeavy, thread);
    return threadSurvives(timed, thread, own);
  });
}

function threadSurvives(timed: Timed, thread: ThreadId, own: OwnRepairs): boolean {
  const { computation, states } = timed;
  // The thread can do its next action from this moment on.
  let ready = 0;
  for (const [moment, action] of computation.entries()) {
    if (action.thread !== thread || action.kind === 'store') continue;
    const state = at(states, moment);
    const location = at(state.locations, thread);
    if (own.fences.has(location) && at(state.buffers, thread).length > 0) return false;
    for (let left = own.heavy.get(location) ?? 0; left > 0; left--)
      ready = heavyFrom(timed, thread, ready);
    if (own.kept.has(action.transition)) ready = heavyFrom(timed, thread, ready);
    const isLocal = action.kind === 'local';
    if (ready > moment && !isLocal) return false;
    if (own.draining.has(action.transition) && !drains(timed, thread, moment, action)) return false;
    if (isLocal) continue;
    ready = action.kind === 'heavy-fence' ? heavyFrom(timed, thread, moment) : moment + 1;
  }
  return true;
}

/**
 * Whether the action can be executed as an exchange or a fence: the buffer of its thread is empty,
 * and a store reaches memory at once.
 */
function drains(
  { computation, states }: Timed,
  thread: ThreadId,
  moment: number,
  { kind }: Action,
): boolean {
  if (at(at(states, moment).buffers, thread).length > 0) return false;
  return kind !== 'issue' || isDrainedAtOnce(computation, moment);
}
