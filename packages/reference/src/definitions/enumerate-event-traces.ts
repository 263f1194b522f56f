import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import {
  pastActions,
  eventTraceKey,
  initialEventTrace,
  withTask,
  type EventTraceState,
} from './event-trace-state.js';
import {
  beginWaitingTask,
  returnFromCall,
  commit,
  leavingOf,
  startAndBegin,
  stepsOfTask,
  tracedMachine,
  type TraceCuts,
  type TracedMachine,
  type TracedSemantics,
} from './event-trace-steps.js';
import {
  hasEventOrder,
  hasUnrelatedConflict,
  isDeterministic,
  isHappensBeforeCyclic,
  isSerialisable,
} from './judge-event-trace.js';

export interface EventEnumerationOptions {
  /** Whether the posting of a task waits until the store buffer of the posting thread is empty. */
  readonly postingFenced?: boolean;
  /**
   * The number of partial traces after which the enumeration stops, incomplete; default 200,000.
   */
  readonly maxStates?: number;
  /**
   * Limits on the runs: steps of a task, default 60; frames of a task, 16; tasks, 14; instances of
   * an event with any number of instances, 2 (all results treat this number as the declared one).
   */
  readonly cuts?: Partial<TraceCuts>;
  /** Called with every maximal trace. */
  readonly onTrace?: (trace: JudgedTrace) => void;
}

/** A maximal trace of an event program, with its judgement by the definitions. */
export interface JudgedTrace {
  readonly run: EventRun;
  readonly isSerialisable: boolean;
  readonly isCyclic: boolean;
}

/** The result of enumerating all maximal traces of one semantics. */
export interface EventTraces {
  /** Whether every maximal trace of the program was judged. */
  readonly isComplete: boolean;
  /**
   * Whether some task was stopped at a limit. Longer traces then exist: a violation found still
   * counts, but the absence of violations shows nothing.
   */
  readonly isCut: boolean;
  readonly hasFaults: boolean;
  readonly partial: number;
  readonly traces: number;
  /** A trace that violates (D) or (S) of docs/events.md. */
  readonly unserialisable?: EventRun;
  /**
   * A trace that violates (D): tasks of one event conflict against the depth-first order of its
   * posted tasks.
   */
  readonly nondeterministic?: EventRun;
  /**
   * A trace that violates (S): conflicts between events, and milestones (labels) for which events
   * waited, form a cycle.
   */
  readonly withoutEventOrder?: EventRun;
  /** A trace whose happens-before relation has a cycle. */
  readonly cyclic?: EventRun;
  /**
   * Whether some trace has two conflicting tasks of one event, neither an ancestor of the other.
   */
  readonly hasUnrelatedConflict: boolean;
  /**
   * The final contents of memory in complete runs, as `address=value ...` of non-zero cells,
   * sorted.
   */
  readonly finalStates: readonly string[];
}

function isRunning(state: EventTraceState, thread: number): boolean {
  return state.tasks.some(
    ({ status, task }) => task.thread === thread && (status === 'running' || status === 'stopped'),
  );
}

/**
 * Returns the states after one step that no other thread can notice, and that can be taken at once;
 * `undefined` if no task has such a step.
 */
function quietSteps(
  machine: TracedMachine,
  state: EventTraceState,
): readonly EventTraceState[] | undefined {
  const { semantics, postingFenced } = machine;
  for (const [id, traced] of state.tasks.entries()) {
    const { status, task } = traced;
    if (state.holder !== undefined && task.thread !== state.holder) continue;
    if (status === 'waiting' && task.thread !== 0 && semantics !== 'single')
      return [beginWaitingTask(machine, state, id)];
    if (status !== 'running') continue;
    const leaving = leavingOf(machine, traced);
    if (leaving.length === 0) return [returnFromCall(machine, state, id)];
    const isDrained = (state.buffers.get(task.thread) ?? []).length === 0;
    const isQuiet = leaving.every(({ instruction: { kind } }) => {
      if (kind === 'store') return semantics === 'TSO';
      if (kind === 'fence' || (kind === 'post' && postingFenced)) return isDrained;
      // The later a milestone is passed, the fewer tasks have passed it when an event begins.
      if (kind === 'pass') return false;
      return kind !== 'load' && kind !== 'rmw' && kind !== 'lock' && kind !== 'unlock';
    });
    if (!isQuiet) continue;
    const steps = stepsOfTask(machine, state, id);
    return steps.length > 0 ? steps : [withTask(state, id, { status: 'stopped' })];
  }
  return undefined;
}

/**
 * Returns the states after each step that is visible to other threads, and after each begin of a
 * task on main or on the single thread.
 */
function visibleSteps(machine: TracedMachine, state: EventTraceState): readonly EventTraceState[] {
  const { program, semantics, cuts } = machine;
  const found: EventTraceState[] = [];
  const mayAct = (thread: number): boolean => state.holder === undefined || state.holder === thread;
  for (const thread of state.buffers.keys()) {
    const committed = mayAct(thread) ? commit(state, thread) : undefined;
    if (committed) found.push(committed);
  }
  state.tasks.forEach(({ status, task }, id) => {
    if (status === 'running' && mayAct(task.thread)) found.push(...stepsOfTask(machine, state, id));
  });
  if (state.holder !== undefined) return found;
  const isSingle = semantics === 'single';
  if (
    isSingle
      ? state.tasks.some(({ status }) => status === 'running' || status === 'stopped')
      : isRunning(state, 0)
  )
    return found;
  if (isSingle && state.line.length > 0)
    return [beginWaitingTask(machine, state, at(state.line, 0))];
  state.tasks.forEach(({ status, task }, id) => {
    if (status === 'waiting' && task.thread === 0) found.push(beginWaitingTask(machine, state, id));
  });
  program.instances.forEach(({ count, after = [] }, instances) => {
    if (after.some((milestone) => at(state.passes, milestone).length === 0)) return;
    const most = count === 'any' ? cuts.instances : count;
    if (at(state.started, instances) < most) found.push(startAndBegin(machine, state, instances));
  });
  return found;
}

function isFinal({ instances }: EventProgram, state: EventTraceState): boolean {
  return (
    state.tasks.every(({ status }) => status === 'done') &&
    [...state.buffers.values()].every((buffer) => buffer.length === 0) &&
    instances.every(({ count }, i) => count === 'any' || state.started[i] === count)
  );
}

function memoryText({ memory }: EventTraceState): string {
  const cells = [...memory].filter(([, value]) => value !== 0).sort(([a], [b]) => a - b);
  return cells.map(([address, value]) => `${address}=${value}`).join(' ');
}

/**
 * Enumerates the traces of one semantics up to equivalence, and judges the maximal traces by the
 * definitions; blocked tasks count as stopped. The result is exact if all runs of the program end
 * and nothing was cut. The enumeration is for small programs, as the ground truth for all engines:
 * it shares no step and no judgement with the machines of the engines. A step that other tasks
 * cannot see is taken immediately, without a choice between tasks.
 */
export function enumerateEventTraces(
  program: EventProgram,
  semantics: TracedSemantics,
  options: EventEnumerationOptions = {},
): EventTraces {
  const { postingFenced = false, maxStates = 200_000, onTrace } = options;
  const cuts = { steps: 60, frames: 16, tasks: 14, instances: 2, ...options.cuts };
  const machine = tracedMachine(program, semantics, postingFenced, cuts);
  const seen = new Set<string>();
  const finalStates = new Set<string>();
  const stack: EventTraceState[] = [initialEventTrace(program)];
  let traces = 0;
  let unserialisable: EventRun | undefined;
  let nondeterministic: EventRun | undefined;
  let withoutEventOrder: EventRun | undefined;
  let cyclic: EventRun | undefined;
  let unrelated = false;
  const judge = (state: EventTraceState): void => {
    traces++;
    if (isFinal(program, state)) finalStates.add(memoryText(state));
    const run = (): EventRun => ({
      tasks: state.tasks.map(({ task }) => task),
      actions: pastActions(state),
    });
    const judged = {
      isSerialisable: isSerialisable(state),
      isCyclic: isHappensBeforeCyclic(state),
    };
    if (!judged.isSerialisable) unserialisable ??= run();
    if (!isDeterministic(state)) nondeterministic ??= run();
    if (!hasEventOrder(state)) withoutEventOrder ??= run();
    if (judged.isCyclic) cyclic ??= run();
    unrelated ||= hasUnrelatedConflict(state);
    onTrace?.({ ...judged, run: run() });
  };
  let state: EventTraceState | undefined;
  while ((state = stack.pop()) && seen.size < maxStates) {
    const quiet = quietSteps(machine, state);
    if (quiet) {
      stack.push(...quiet);
      continue;
    }
    const key = eventTraceKey(state, semantics === 'TSO');
    if (seen.has(key)) continue;
    seen.add(key);
    const steps = visibleSteps(machine, state);
    if (steps.length === 0) judge(state);
    stack.push(...steps);
  }
  return {
    isComplete: state === undefined,
    ...machine.noted,
    partial: seen.size,
    traces,
    ...(unserialisable && { unserialisable }),
    ...(nondeterministic && { nondeterministic }),
    ...(withoutEventOrder && { withoutEventOrder }),
    ...(cyclic && { cyclic }),
    hasUnrelatedConflict: unrelated,
    finalStates: [...finalStates].sort(),
  };
}

/**
 * A verdict by the definitions: `unknown` if no violation was found and the enumeration is
 * incomplete.
 */
export type DefinedVerdict = 'robust' | 'not-robust' | 'unknown';

/** The verdicts on Definitions 1 and 2 of [BEMR18], and on Definition 2' of docs/events.md. */
export interface EventVerdicts {
  readonly concurrency: DefinedVerdict;
  readonly tso: DefinedVerdict;
  readonly tsoSerial: DefinedVerdict;
}

function verdict({ isComplete, isCut, hasFaults }: EventTraces, found?: EventRun): DefinedVerdict {
  if (found) return 'not-robust';
  return isComplete && !isCut && !hasFaults ? 'robust' : 'unknown';
}

/**
 * Returns the three verdicts: robustness against concurrency by the traces under SC, the other two
 * by the traces under TSO.
 */
export function eventVerdicts(sc: EventTraces, tso: EventTraces): EventVerdicts {
  return {
    concurrency: verdict(sc, sc.unserialisable),
    tso: verdict(tso, tso.cyclic),
    tsoSerial: verdict(tso, tso.unserialisable),
  };
}
