import { at } from '@fencewright/ground/base/at.js';
import type { BodyId, EventProgram } from '../program/event-program.js';
import type { LocationId } from '../program/ids.js';
import type { Site, Task, TaskId } from '../trace/event-run.js';
import type { BufferedStore } from '../trace/machine-state.js';

/** An invocation that runs: the task's own procedure, or one that it called. */
export interface Frame {
  readonly body: BodyId;
  readonly location: LocationId;
  readonly registers: readonly number[];
  /** Where it was called; absent for the task's own procedure. */
  readonly calledAt?: Site;
}

/** A task that was started or posted and has not begun. */
export interface WaitingTask {
  readonly id: TaskId;
  readonly task: Task;
}

/** A task that has begun and has not returned. */
export interface RunningTask extends WaitingTask {
  /** The innermost call last; never empty. */
  readonly frames: readonly Frame[];
  /** What it has posted; on a single thread only, elsewhere that waits at once. */
  readonly children: readonly WaitingTask[];
}

/** A store on its way to memory, with the task that issued it. */
interface BufferedEventStore extends BufferedStore {
  readonly task: TaskId;
  readonly site: Site;
}

/** A thread with a task or with stores in its buffer. */
export interface EventThread {
  readonly thread: number;
  readonly running?: RunningTask;
  /** Oldest first; outlives the tasks that fill it. */
  readonly buffer: readonly BufferedEventStore[];
}

/** How many tasks, events and threads there have been: numbers of new ones. */
export interface Made {
  readonly tasks: number;
  readonly events: number;
  /** Main included. */
  readonly threads: number;
}

/** A configuration of one of the machines: `(g, t, q, b)` of [BEMR18] Sect. 3. */
export interface EventConfiguration {
  /** Cells that are not listed hold 0. */
  readonly memory: ReadonlyMap<number, number>;
  /** Main first; of the others those where something is left to do, in no order that counts. */
  readonly threads: readonly EventThread[];
  /** A set, but on a single thread, where it is the order in which they will run. */
  readonly waiting: readonly WaitingTask[];
  /** Indexed as `EventProgram.instances`: how many have started. */
  readonly started: readonly number[];
  /** The thread that is between `lock` and `unlock`. */
  readonly lockHolder?: number;
  readonly made: Made;
}

/** Nothing has started. */
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
    made: { tasks: 0, events: 0, threads: 1 },
  };
}

/** The innermost frame of a task. */
export function topFrame({ frames }: RunningTask): Frame {
  return at(frames, frames.length - 1);
}

/** The first frame of an invocation. */
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

/** The configuration with a thread as it is now; without it if nothing is left, but main stays. */
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

/** The same thread with another innermost frame of its task. */
export function withTopFrame(thread: EventThread, running: RunningTask, top: Frame): EventThread {
  return { ...thread, running: { ...running, frames: [...running.frames.slice(0, -1), top] } };
}
