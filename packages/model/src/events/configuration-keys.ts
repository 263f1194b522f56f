import { computeLiveRegisters, instructionAccess } from '../analysis/liveness.js';
import { forEachRegister } from '../program/expression.js';
import {
  isInvocation,
  isOfThreads,
  type EventInstruction,
  type EventProgram,
} from '../program/event-program.js';
import type { Task } from '../trace/event-run.js';
import type { EventConfiguration, EventThread, Frame, WaitingTask } from './configuration.js';

/** Whether a register is live; indexed by event or procedure, location and register. */
type LiveRegisters = readonly (readonly (readonly boolean[])[])[];

function liveRegisters({ bodies }: EventProgram): LiveRegisters {
  return bodies.map((body) =>
    computeLiveRegisters<EventInstruction>(body, {
      forEachUse(instruction, visit) {
        if (isOfThreads(instruction)) instructionAccess.forEachUse(instruction, visit);
        else if (isInvocation(instruction))
          for (const given of instruction.arguments) forEachRegister(given, visit);
      },
      defines: (instruction, register) =>
        isOfThreads(instruction) && instructionAccess.defines(instruction, register),
    }),
  );
}

/**
 * Options that say which parts of a configuration (a state of a program of events) count in a key.
 */
interface KeyOptions {
  /**
   * Whether the order of waiting tasks counts in a key: on a single thread, tasks run in this
   * order.
   */
  readonly isOrdered: boolean;
  /**
   * Returns, for an index of `EventProgram.instances`, whether the number of started instances
   * counts in a key.
   */
  readonly countsInstances: (instances: number) => boolean;
  /** Whether the values of dead registers count in a key. */
  readonly countsDeadRegisters?: boolean;
  /** Returns a text about a task that becomes a part of the key of its configuration. */
  readonly nameOf?: (task: Task) => string;
}

/**
 * Computes string keys of configurations (states of a program of events). Configurations with equal
 * keys have the same continuations: neither ids of tasks, events and threads matter, nor parts
 * excluded by the options.
 */
export class ConfigurationKeys {
  readonly #options: KeyOptions;
  readonly #live: LiveRegisters;
  // Keys are cached by object, as steps share unchanged objects.
  readonly #threads = new WeakMap<EventThread, string>();
  readonly #waiting = new WeakMap<WaitingTask, string>();
  readonly #memories = new WeakMap<ReadonlyMap<number, number>, string>();

  constructor(program: EventProgram, options: KeyOptions) {
    this.#options = options;
    this.#live = options.countsDeadRegisters === true ? [] : liveRegisters(program);
  }

  of({ memory, threads, waiting, started, passed, lockHolder }: EventConfiguration): string {
    const { isOrdered, countsInstances } = this.#options;
    const [main, ...others] = threads.map((thread) =>
      thread.thread === lockHolder ? `${this.ofThread(thread)}!` : this.ofThread(thread),
    );
    const tasks = waiting.map((task) => this.#ofWaiting(task));
    if (!isOrdered) tasks.sort();
    const counts = started.map((count, instances) => (countsInstances(instances) ? count : ''));
    const parts = [this.#ofMemory(memory), main, others.sort().join('&'), tasks.join(' ')];
    const milestones = [...passed].sort((a, b) => a - b);
    return `${parts.join('|')}|${counts.join()}|${milestones.join()}`;
  }

  /**
   * Returns a key of the state of a thread; threads with equal keys have tasks with the same future
   * behaviour, and equal buffers.
   */
  ofThread(thread: EventThread): string {
    const known = this.#threads.get(thread);
    if (known !== undefined) return known;
    const { running, buffer } = thread;
    const stores = buffer.map(({ address, value }) => `${address}=${value}`).join();
    const children = running?.children.map((child) => this.#ofWaiting(child)).join(' ') ?? '';
    const frames = running?.frames.map((frame) => this.#ofFrame(frame)).join('/') ?? '-';
    const name = running ? this.#nameOf(running.task) : '';
    const key = `${frames}:${children}:${stores}${name}`;
    this.#threads.set(thread, key);
    return key;
  }

  #nameOf(task: Task): string {
    return this.#options.nameOf?.(task) ?? '';
  }

  #ofFrame({ body, location, registers }: Frame): string {
    const live = this.#live[body]?.[location];
    const values = live ? registers.map((value, r) => (live[r] ? value : '')) : registers;
    return `${body}.${location}.${values.join()}`;
  }

  #ofWaiting(waiting: WaitingTask): string {
    const known = this.#waiting.get(waiting);
    if (known !== undefined) return known;
    const { body, arguments: given, thread, parent } = waiting.task;
    const role = parent === undefined ? 'e' : thread === 0 ? 'm' : 'a';
    const key = `${body}.${given.join()}.${role}${this.#nameOf(waiting.task)}`;
    this.#waiting.set(waiting, key);
    return key;
  }

  #ofMemory(memory: ReadonlyMap<number, number>): string {
    const known = this.#memories.get(memory);
    if (known !== undefined) return known;
    const key = [...memory].sort(([a], [b]) => a - b).join(' ');
    this.#memories.set(memory, key);
    return key;
  }
}
