import { at } from '@fencewright/ground/base/at.js';
import type { BodyId, EventProgram, MilestoneId } from '../program/event-program.js';
import type { LocationId } from '../program/ids.js';
import type { Site, Task, TaskId } from '../trace/event-run.js';
import type { BufferedStore } from '../trace/machine-state.js';

/** The state of a call in progress: of the task's own procedure, or of a called procedure. */
export interface Frame {
  readonly body: BodyId;
  readonly location: LocationId;
  readonly registers: readonly number[];
  /** The call instruction that called the procedure; absent for the task's own procedure. */
  readonly calledAt?: Site;
}

/** A task that was started by the environment or posted by a task, but has not begun. */
export interface WaitingTask {
  readonly id: TaskId;
  readonly task: Task;
}

/** A task that has begun, but has not returned. */
export interface RunningTask extends WaitingTask {
  /** The frames of the task's calls, the innermost call last; never empty. */
  readonly frames: readonly Frame[];
  /**
   * The tasks that this task has posted; used only if the program runs on a single thread. On many
   * threads, posted tasks are added to `waiting` at once.
   */
  readonly children: readonly WaitingTask[];
}

/** A buffered store, with the task that issued the store. */
interface BufferedEventStore extends BufferedStore {
  readonly task: TaskId;
  readonly site: Site;
}

/** The state of a thread that runs a task or has stores in its buffer. */
export interface EventThread {
  readonly thread: number;
  readonly running?: RunningTask;
  /**
   * The stores of the thread that have not reached memory, oldest first; the tasks that issued the
   * stores may have ended.
   */
  readonly buffer: readonly BufferedEventStore[];
}

/** The numbers of tasks, events and threads created so far. New ids continue these numbers. */
export interface Made {
  readonly tasks: number;
  readonly events: number;
  /** The number of threads created so far, main included. */
  readonly threads: number;
}

/** A state of the machine that runs event programs: `(g, t, q, b)` of [BEMR18] Sect. 3. */
export interface EventConfiguration {
  /** The contents of memory by address; absent cells hold 0. */
  readonly memory: ReadonlyMap<number, number>;
  /**
   * The states of main and, after it, of all threads with a running task or buffered stores, in
   * arbitrary order.
   */
  readonly threads: readonly EventThread[];
  /**
   * The tasks that have not begun: an unordered set; on a single thread, in the order of execution.
   */
  readonly waiting: readonly WaitingTask[];
  /** The number of instances started so far, indexed like `EventProgram.instances`. */
  readonly started: readonly number[];
  /** The milestones (labels for which events wait) passed by tasks so far. */
  readonly passed: ReadonlySet<MilestoneId>;
  /** The number of the thread between `lock` and `unlock`; absent if no thread holds the lock. */
  readonly lockHolder?: number;
  readonly made: Made;
}

/** Returns the state of the machine for event programs before any event has started. */
export function initialConfiguration({ symbols, instances }: EventProgram): EventConfiguration {
  const memory = new Map<number, number>();
  for (const { base, initial } of symbols)
    initial.forEach((value, cell) => {
      if (value !== 0) memory.set(base + cell, value);
    });
  return {
    memory,
    threads: [{ thread: 0, buffer: [] }],
    waiting: [],
    started: instances.map(() => 0),
    passed: new Set(),
    made: { tasks: 0, events: 0, threads: 1 },
  };
}

/** The innermost frame of a task. */
export function topFrame({ frames }: RunningTask): Frame {
  return at(frames, frames.length - 1);
}

/** The first frame of a call of an event or procedure, with the given arguments. */
export function frameOf(
  { bodies }: EventProgram,
  body: BodyId,
  given: readonly number[],
  calledAt?: Site,
): Frame {
  const { initial, registers } = at(bodies, body);
  return {
    body,
    location: initial,
    registers: registers.map((_, register) => given[register] ?? 0),
    ...(calledAt && { calledAt }),
  };
}

/**
 * The configuration with an updated thread. An idle thread with an empty buffer is dropped, except
 * main.
 */
export function withThread(
  configuration: EventConfiguration,
  changed: EventThread,
): EventConfiguration {
  const { thread, running, buffer } = changed;
  const { threads } = configuration;
  const isGone = thread !== 0 && !running && buffer.length === 0;
  const known = threads.findIndex((other) => other.thread === thread);
  if (known < 0) return { ...configuration, threads: [...threads, changed] };
  return {
    ...configuration,
    threads: isGone
      ? threads.filter((_, place) => place !== known)
      : threads.map((other, place) => (place === known ? changed : other)),
  };
}

/** The thread with `top` in place of the innermost frame of its task. */
export function withTopFrame(thread: EventThread, running: RunningTask, top: Frame): EventThread {
  return { ...thread, running: { ...running, frames: [...running.frames.slice(0, -1), top] } };
}
