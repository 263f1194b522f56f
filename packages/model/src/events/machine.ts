import { at } from '@fencewright/ground/base/at.js';
import { ExecutionFault, type FaultKind } from '../program/evaluate.js';
import { executeTransition, type Successor } from '../semantics/machine.js';
import type { CodeTransition } from '../semantics/thread-code.js';
import type { EventAction, Site, Task, TaskId } from '../trace/event-run.js';
import {
  frameOf,
  topFrame,
  withThread,
  withTopFrame,
  type EventConfiguration,
  type EventThread,
  type RunningTask,
  type WaitingTask,
} from './configuration.js';
import { eventAction } from './event-action.js';
import { leavingLocation, type EventCode, type InvocationTransition } from './event-code.js';
import { isBuffered } from '../program/instruction.js';

/**
 * The machine that runs an event program. `single`: one thread that runs an event to its end, its
 * tasks in depth-first order ([BEMR18] Fig. 6, repaired: when a task returns, its posted tasks are
 * put before the waiting tasks). `multi-sc`, `multi-tso`: many threads with a set of waiting tasks,
 * under SC (Fig. 4) or under TSO (Fig. 5) with a store buffer for each thread.
 */
export type EventSemantics = 'single' | 'multi-sc' | 'multi-tso';

/** Bounds on the states of the machine that runs an event program; absent bounds are unlimited. */
export interface EventBounds {
  /** The maximum number of starts of each instance declared with `any` count. */
  readonly instances?: number;
  /** The maximum number of frames of a task, and of posted tasks that have not returned. */
  readonly depth?: number;
  /** The maximum number of stores in each store buffer; unlimited if absent. */
  readonly buffer?: number;
}

export interface EventMachineOptions extends EventBounds {
  /** Whether the posting of a task waits until the store buffer of the posting thread is empty. */
  readonly postingFenced?: boolean;
}

/** The machine to run: a semantics, a program and bounds. */
export interface EventMachine {
  readonly code: EventCode;
  readonly semantics: EventSemantics;
  readonly options: EventMachineOptions;
}

/** A step of the machine that runs an event program. */
export interface EventStep {
  /** The actions of the step: one, or several taken as one step. */
  readonly actions: readonly EventAction[];
  /** The tasks created by the actions of the step, in order. */
  readonly made: readonly Task[];
  readonly configuration: EventConfiguration;
  /** Whether the step executed an `assert` whose condition was 0. */
  readonly assertionFailed?: boolean;
}

/** A faulting step, which ends the execution. */
export interface EventFault {
  readonly task: TaskId;
  readonly site: Site;
  readonly fault: FaultKind;
}

/**
 * The possible next steps from a configuration (a state); `cuts` are the bounds that prevented
 * further steps.
 */
export interface EventSuccessors {
  readonly steps: readonly EventStep[];
  readonly faults: readonly EventFault[];
  readonly cuts: readonly (keyof EventBounds)[];
}

/** The possible next steps of a configuration, while they are collected. */
interface FoundSuccessors {
  readonly steps: EventStep[];
  readonly faults: EventFault[];
  readonly cuts: (keyof EventBounds)[];
}

function nothingFound(): FoundSuccessors {
  return { steps: [], faults: [], cuts: [] };
}

type BusyThread = EventThread & { readonly running: RunningTask };

function isBusy(thread: EventThread): thread is BusyThread {
  return thread.running !== undefined;
}

/**
 * Returns the step of a thread that executes the instruction at `site`, with the configuration
 * (state) after the step.
 */
function behind(
  configuration: EventConfiguration,
  thread: BusyThread,
  site: Site,
  { state, actions, assertionFailed }: Successor,
): EventStep {
  const { running, buffer } = thread;
  const task = running.id;
  const stores = at(state.buffers, 0).map(
    (store, place) => buffer[place] ?? { ...store, task, site },
  );
  const top = {
    ...topFrame(running),
    location: at(state.locations, 0),
    registers: at(state.registers, 0),
  };
  const { lockHolder: _before, ...rest } = configuration;
  return {
    // Under SC a store is issued and reaches memory at once: only the last action counts.
    actions: [eventAction(at(actions, actions.length - 1), task, site)],
    made: [],
    configuration: withThread(
      {
        ...rest,
        memory: state.memory,
        ...(state.lockHolder !== undefined && { lockHolder: thread.thread }),
      },
      { ...withTopFrame(thread, running, top), buffer: stores },
    ),
    ...(assertionFailed === true && { assertionFailed }),
  };
}

/** Executes an instruction that programs without events also have. Throws `ExecutionFault`. */
function execute(
  { code, semantics, options }: EventMachine,
  configuration: EventConfiguration,
  thread: BusyThread,
  step: CodeTransition,
  found: FoundSuccessors,
): void {
  const { running, buffer } = thread;
  const { body, location, registers } = topFrame(running);
  const model = semantics === 'multi-tso' ? 'TSO' : 'SC';
  if (
    model === 'TSO' &&
    isBuffered(step.transition.instruction) &&
    buffer.length >= (options.buffer ?? Infinity)
  ) {
    found.cuts.push('buffer');
    return;
  }
  const isHolder = configuration.lockHolder === thread.thread;
  const state = {
    locations: [location],
    registers: [registers],
    memory: configuration.memory,
    buffers: [buffer],
    ...(isHolder && { lockHolder: 0 }),
  };
  const site = { body, transition: step.id };
  for (const successor of executeTransition(model, code, state, 0, step))
    found.steps.push(behind(configuration, thread, site, successor));
}

function postedAndAlive({ threads, waiting }: EventConfiguration): number {
  const alive = threads.flatMap(({ running }) => (running ? [running, ...running.children] : []));
  return [...alive, ...waiting].filter(({ task }) => task.parent !== undefined).length;
}

/**
 * Executes a `call`, a `post` (of a task) or a `pass` (of a milestone, a label). Throws
 * `ExecutionFault`.
 */
function invoke(
  { code: { program }, semantics, options }: EventMachine,
  configuration: EventConfiguration,
  thread: BusyThread,
  step: InvocationTransition,
  found: FoundSuccessors,
): void {
  const { running } = thread;
  const caller = topFrame(running);
  const { depth = Infinity } = options;
  const { invocation } = step;
  const given = step.arguments.map((argument) => argument(caller.registers, 0));
  const site = { body: caller.body, transition: step.id };
  const moved = withTopFrame(thread, running, { ...caller, location: step.to }) as BusyThread;
  if (invocation.kind === 'pass') {
    const passed = new Set([...configuration.passed, invocation.milestone]);
    found.steps.push({
      actions: [{ kind: 'silent', task: running.id, site }],
      made: [],
      configuration: withThread({ ...configuration, passed }, moved),
    });
    return;
  }
  if (invocation.kind === 'call') {
    if (running.frames.length >= depth) {
      found.cuts.push('depth');
      return;
    }
    const frames = [...moved.running.frames, frameOf(program, invocation.body, given, site)];
    found.steps.push({
      actions: [{ kind: 'silent', task: running.id, site }],
      made: [],
      configuration: withThread(configuration, { ...moved, running: { ...moved.running, frames } }),
    });
    return;
  }
  if (options.postingFenced === true && thread.buffer.length > 0) return;
  if (postedAndAlive(configuration) >= depth) {
    found.cuts.push('depth');
    return;
  }
  const { made, waiting } = configuration;
  const isMain = invocation.to === 'main';
  const { event, instances } = running.task;
  const task: Task = {
    body: invocation.body,
    arguments: given,
    event,
    instances,
    parent: running.id,
    thread: isMain ? 0 : made.threads,
  };
  const posted: WaitingTask = { id: made.tasks, task };
  const counted = {
    ...configuration,
    made: { ...made, tasks: made.tasks + 1, threads: made.threads + (isMain ? 0 : 1) },
  };
  found.steps.push({
    actions: [{ kind: 'post', task: running.id, site, posted: posted.id }],
    made: [task],
    configuration:
      semantics === 'single'
        ? withThread(counted, {
            ...moved,
            running: { ...moved.running, children: [...running.children, posted] },
          })
        : withThread({ ...counted, waiting: [...waiting, posted] }, moved),
  });
}

/** Ends the innermost call of a task: control returns to the caller, or the task returns. */
function returnFromCall(configuration: EventConfiguration, thread: BusyThread): EventStep {
  const { running } = thread;
  const { calledAt } = topFrame(running);
  const task = running.id;
  if (calledAt) {
    const frames = running.frames.slice(0, -1);
    return {
      actions: [{ kind: 'silent', task, site: calledAt }],
      made: [],
      configuration: withThread(configuration, { ...thread, running: { ...running, frames } }),
    };
  }
  const { running: _done, ...free } = thread;
  const waiting = [...running.children, ...configuration.waiting];
  return {
    actions: [{ kind: 'return', task }],
    made: [],
    configuration: withThread({ ...configuration, waiting }, free),
  };
}

/** Returns the possible next steps of a thread's running task. */
export function taskSteps(
  machine: EventMachine,
  configuration: EventConfiguration,
  thread: EventThread,
): EventSuccessors {
  const found = nothingFound();
  if (!isBusy(thread)) return found;
  const { body, location } = topFrame(thread.running);
  const leaving = leavingLocation(machine.code, body, location);
  if (leaving.length === 0) found.steps.push(returnFromCall(configuration, thread));
  for (const step of leaving) {
    try {
      if ('invocation' in step) invoke(machine, configuration, thread, step, found);
      else execute(machine, configuration, thread, step, found);
    } catch (error) {
      if (!(error instanceof ExecutionFault)) throw error;
      const site = { body, transition: step.id };
      found.faults.push({ task: thread.running.id, site, fault: error.kind });
    }
  }
  return found;
}

/**
 * Returns the step by which the oldest store in a thread's buffer reaches memory; `undefined` if
 * the buffer is empty.
 */
export function commitStep(
  configuration: EventConfiguration,
  thread: EventThread,
): EventStep | undefined {
  const [oldest, ...buffer] = thread.buffer;
  if (!oldest) return undefined;
  const { task, site, address, value } = oldest;
  const memory = new Map(configuration.memory);
  if (value === 0) memory.delete(address);
  else memory.set(address, value);
  return {
    actions: [{ kind: 'store', task, site, address, value }],
    made: [],
    configuration: withThread({ ...configuration, memory }, { ...thread, buffer }),
  };
}

function begin(
  { code: { program } }: EventMachine,
  configuration: EventConfiguration,
  place: number,
): EventStep {
  const { id, task } = at(configuration.waiting, place);
  const { thread } = task;
  const known = configuration.threads.find((other) => other.thread === thread);
  const running = { id, task, frames: [frameOf(program, task.body, task.arguments)], children: [] };
  return {
    actions: [{ kind: 'begin', task: id }],
    made: [],
    configuration: withThread(
      { ...configuration, waiting: configuration.waiting.filter((_, other) => other !== place) },
      { thread, buffer: known?.buffer ?? [], running },
    ),
  };
}

function start(
  { code: { program } }: EventMachine,
  configuration: EventConfiguration,
  instances: number,
): EventStep {
  const { made, started, waiting } = configuration;
  const { event, arguments: given } = at(program.instances, instances);
  const task: Task = { body: event, arguments: given, event: made.events, instances, thread: 0 };
  return {
    actions: [{ kind: 'start', task: made.tasks }],
    made: [task],
    configuration: {
      ...configuration,
      started: started.map((count, other) => (other === instances ? count + 1 : count)),
      waiting: [...waiting, { id: made.tasks, task }],
      made: { ...made, tasks: made.tasks + 1, events: made.events + 1 },
    },
  };
}

/** Returns the step that takes two consecutive steps at once. */
function both(first: EventStep, second: EventStep): EventStep {
  return {
    ...second,
    actions: [...first.actions, ...second.actions],
    made: [...first.made, ...second.made],
  };
}

/**
 * Returns the steps by which waiting tasks begin, on threads without a running task; on a single
 * thread, only the first waiting task can begin.
 */
export function beginSteps(
  machine: EventMachine,
  configuration: EventConfiguration,
): readonly EventStep[] {
  const { threads, waiting } = configuration;
  const isSingle = machine.semantics === 'single';
  if (isSingle && threads.some(isBusy)) return [];
  const busy = new Set(threads.filter(isBusy).map(({ thread }) => thread));
  return waiting.flatMap(({ task }, place) =>
    busy.has(task.thread) || (isSingle && place > 0) ? [] : [begin(machine, configuration, place)],
  );
}

/**
 * Returns the steps by which remaining events start, once all milestones (labels) for which they
 * wait are passed; on a single thread only while nothing runs or waits. With `begins`, each started
 * event begins in the same step.
 */
function startSteps(
  machine: EventMachine,
  configuration: EventConfiguration,
  begins = false,
): EventSuccessors {
  const found = nothingFound();
  const { threads, waiting, started } = configuration;
  const isIdle = waiting.length === 0 && !threads.some(isBusy);
  if (machine.semantics === 'single' && !isIdle) return found;
  if (begins && threads.some((thread) => thread.thread === 0 && isBusy(thread))) return found;
  const { instances: most = Infinity } = machine.options;
  machine.code.program.instances.forEach(({ count, after = [] }, instances) => {
    if (!after.every((milestone) => configuration.passed.has(milestone))) return;
    const so = at(started, instances);
    if (count === 'any' && so >= most) found.cuts.push('instances');
    else if (count === 'any' || so < count) {
      const step = start(machine, configuration, instances);
      const { waiting: now } = step.configuration;
      found.steps.push(
        begins ? both(step, begin(machine, step.configuration, now.length - 1)) : step,
      );
    }
  });
  return found;
}

/**
 * The threads that may take steps: only the lock holder between `lock` and `unlock`, otherwise all.
 */
export function actingThreads({ threads, lockHolder }: EventConfiguration): readonly EventThread[] {
  return lockHolder === undefined ? threads : threads.filter(({ thread }) => thread === lockHolder);
}

/**
 * Returns all steps possible in a configuration (a state), and the bounds that prevented steps.
 * Between `lock` and `unlock` only the lock holder takes steps. With `begins`, started events begin
 * in the same step; no result depends on `begins`.
 */
export function eventSuccessors(
  machine: EventMachine,
  configuration: EventConfiguration,
  begins = false,
): EventSuccessors {
  const found = nothingFound();
  for (const thread of actingThreads(configuration)) {
    const committed = commitStep(configuration, thread);
    if (committed) found.steps.push(committed);
    const { steps, faults, cuts } = taskSteps(machine, configuration, thread);
    found.steps.push(...steps);
    found.faults.push(...faults);
    found.cuts.push(...cuts);
  }
  if (configuration.lockHolder !== undefined) return found;
  const { steps, cuts } = startSteps(machine, configuration, begins);
  found.steps.push(...beginSteps(machine, configuration), ...steps);
  found.cuts.push(...cuts);
  return found;
}

/**
 * Whether no task runs or waits, all buffers are empty, and every numbered instance has been
 * started as often as declared; instances with `any` count may have been started any number of
 * times.
 */
export function isFinalConfiguration(
  { instances }: EventCode['program'],
  { threads, waiting, started }: EventConfiguration,
): boolean {
  return (
    waiting.length === 0 &&
    threads.every((thread) => !isBusy(thread) && thread.buffer.length === 0) &&
    instances.every(({ count }, i) => count === 'any' || at(started, i) === count)
  );
}
