import { Code, type Local, Met } from '../code.js';
import { initialCells } from '../initial-memory.js';
import type {
  EventAutomata,
  EventTransition,
  Instances,
  Invocation,
  PlainInstruction,
  TransitionOf,
} from './program.js';

/** A task: an event handler started by the environment, or a posted procedure. */
export interface Task {
  /** The unique name of the task, equal in all runs that reach the task by the same postings. */
  readonly name: string;
  /**
   * The event that the task belongs to: the index of an entry of `instances`, and the number of the
   * started instance.
   */
  readonly event: string;
  /**
   * The task's position in the call tree of its event: on each level, the index of the task among
   * the tasks posted by its parent.
   */
  readonly path: readonly number[];
  /** The thread that runs the task: `main`, or the name of a thread for this task alone. */
  readonly thread: string;
  readonly body: number;
  readonly arguments: readonly number[];
}

/** The name of the thread that runs handlers. */
export const main = 'main';

/**
 * An invocation of a body within a task (a stack frame); `calledBy` is the call in the frame below.
 */
export interface Frame extends Local {
  readonly body: number;
  readonly calledBy?: number;
}

/** A running task. `posted`: the number of tasks posted so far by this task. */
export interface Running {
  readonly task: Task;
  readonly frames: readonly Frame[];
  readonly posted: number;
}

/**
 * A store in a thread's buffer. `transition` belongs to the body in the top frame of the task when
 * the store was put into the buffer.
 */
export interface Waiting {
  readonly task: Task;
  readonly transition: number;
  readonly address: number;
  readonly value: number;
}

/**
 * The state of the event machine. Cells missing in `memory` hold 0; threads missing in `buffers`
 * have empty buffers.
 */
export interface EventState {
  readonly memory: ReadonlyMap<number, number>;
  /** By thread, the task that the thread runs. */
  readonly running: ReadonlyMap<string, Running>;
  readonly buffers: ReadonlyMap<string, readonly Waiting[]>;
  readonly waiting: readonly Task[];
  /** By entry of `instances`, the number of started instances. */
  readonly started: readonly number[];
  /** The thread that holds the bus lock; absent if the lock is free. */
  readonly holder?: string | undefined;
}

/**
 * The effect of a step that other tasks may notice. `early`: a load from the thread's own buffer,
 * from the given entry. `memory`: a load from memory, an rmw, or a store under SC. `commit`: the
 * oldest store reaches memory.
 */
export type Effect =
  | { readonly kind: 'silent' | 'fence' | 'lock' | 'unlock' | 'start' | 'begin' | 'return' }
  | { readonly kind: 'post'; readonly posted: Task }
  | { readonly kind: 'issue' | 'commit'; readonly address: number }
  | { readonly kind: 'early'; readonly address: number; readonly entry: number }
  | {
      readonly kind: 'memory';
      readonly address: number;
      readonly reads: boolean;
      readonly writes: boolean;
    };

export interface TaskStep {
  readonly task: Task;
  readonly effect: Effect;
  /**
   * The executed transition, of the body in the top frame; for a commit, the transition of the
   * store; for the return from a call, the transition of the call.
   */
  readonly transition?: number;
  /** The value chosen by the step, for a `havoc`. */
  readonly choice?: number;
  readonly after: EventState;
}

interface TaskSteps {
  readonly steps: readonly TaskStep[];
  /** Whether some transition cannot be executed because of a fault. */
  readonly faults: boolean;
}

/**
 * The place of a fence in the text of a body: a thread leaves the location only when its buffer is
 * empty.
 */
export interface BodyPlace {
  readonly body: number;
  readonly location: number;
}

export interface Rules {
  /** Whether stores reach memory at once, as under SC. */
  readonly sc: boolean;
  /** Whether a posting waits until the buffer of the posting thread is empty. */
  readonly postingFenced: boolean;
  /** The fences that are added to the fences of the program. */
  readonly fences: readonly BodyPlace[];
}

function put<K, V>(map: ReadonlyMap<K, V>, key: K, value: V | undefined): ReadonlyMap<K, V> {
  const changed = new Map(map);
  if (value === undefined) changed.delete(key);
  else changed.set(key, value);
  return changed;
}

function isPlain(one: EventTransition): one is TransitionOf<PlainInstruction> {
  return one.instruction.kind !== 'call' && one.instruction.kind !== 'post';
}

export function topOf({ frames }: Running): Frame {
  return frames.at(-1)!;
}

/** Returns the task with another top frame. */
function atTop(running: Running, top: Frame): Running {
  return { ...running, frames: [...running.frames.slice(0, -1), top] };
}

/** The machine of [BEMR18] Figs. 4 and 5: many threads, under SC or TSO. */
export class EventMachine {
  readonly automata: EventAutomata;
  readonly rules: Rules;
  /** The transitions of a body that leave a location, indexed by body and location. */
  readonly #leaving: readonly (readonly (readonly number[])[])[];
  readonly #fenced: readonly ReadonlySet<number>[];
  /** The code of each body, without calls and postings, indexed by body. */
  readonly #codes: readonly Code[];

  constructor(automata: EventAutomata, rules: Rules) {
    this.automata = automata;
    this.rules = rules;
    this.#leaving = automata.bodies.map(({ locations, transitions }) => {
      const table: number[][] = locations.map(() => []);
      transitions.forEach(({ from }, id) => table[from]!.push(id));
      return table;
    });
    this.#codes = automata.bodies.map((body) => {
      const transitions = body.transitions.filter(isPlain);
      return new Code(automata, { ...body, transitions }, body.registers.keys());
    });
    this.#fenced = automata.bodies.map(
      (_, at) =>
        new Set(rules.fences.flatMap(({ body, location }) => (body === at ? [location] : []))),
    );
  }

  get initial(): EventState {
    const { symbols, instances } = this.automata;
    return {
      memory: new Map(initialCells(symbols).filter(([, value]) => value !== 0)),
      running: new Map(),
      buffers: new Map(),
      waiting: [],
      started: instances.map(() => 0),
    };
  }

  /** Returns the transitions that leave the current location of a running task. */
  leaving(running: Running): readonly EventTransition[] {
    const { body, location } = topOf(running);
    return this.#leaving[body]![location]!.map(
      (id) => this.automata.bodies[body]!.transitions[id]!,
    );
  }

  isDrained({ buffers }: EventState, thread: string): boolean {
    return (buffers.get(thread) ?? []).length === 0;
  }

  /** Whether the thread may take steps: no other thread holds the bus lock. */
  mayAct({ holder }: EventState, thread: string): boolean {
    return holder === undefined || holder === thread;
  }

  /**
   * Returns the step that starts an instance of an entry of `instances`, as a waiting task of main;
   * `undefined` if all instances have started, or while a thread holds the bus lock.
   */
  start(configuration: EventState, entry: number): TaskStep | undefined {
    const { started, waiting, holder } = configuration;
    const { event: body, arguments: given, count }: Instances = this.automata.instances[entry]!;
    const before = started[entry]!;
    if (holder !== undefined || (count !== 'any' && before >= count)) return undefined;
    const event = `${entry}.${before}`;
    const task: Task = { name: event, event, path: [], thread: main, body, arguments: given };
    const after: EventState = {
      ...configuration,
      started: started.map((n, i) => (i === entry ? n + 1 : n)),
      waiting: [...waiting, task],
    };
    return { task, effect: { kind: 'start' }, after };
  }

  /**
   * Returns the step that begins a waiting task; `undefined` while the task's thread is busy or a
   * thread holds the bus lock.
   */
  begin(configuration: EventState, task: Task): TaskStep | undefined {
    const { waiting, running, holder } = configuration;
    if (holder !== undefined || running.has(task.thread)) return undefined;
    const begun: Running = { task, frames: [this.#frame(task.body, task.arguments)], posted: 0 };
    const after: EventState = {
      ...configuration,
      waiting: waiting.filter((other) => other !== task),
      running: put(running, task.thread, begun),
    };
    return { task, effect: { kind: 'begin' }, after };
  }

  /**
   * Returns the step by which the oldest store of a thread reaches memory; `undefined` if the
   * buffer is empty or another thread holds the bus lock.
   */
  commit(configuration: EventState, thread: string): TaskStep | undefined {
    const [oldest, ...rest] = configuration.buffers.get(thread) ?? [];
    if (!oldest || !this.mayAct(configuration, thread)) return undefined;
    const { task, transition, address, value } = oldest;
    const after: EventState = {
      ...configuration,
      memory: put(configuration.memory, address, value === 0 ? undefined : value),
      buffers: put(configuration.buffers, thread, rest.length > 0 ? rest : undefined),
    };
    return { task, transition, effect: { kind: 'commit', address }, after };
  }

  /** Returns the possible steps of the task that a thread runs. */
  steps(configuration: EventState, thread: string): TaskSteps {
    const running = configuration.running.get(thread);
    if (!running || !this.mayAct(configuration, thread)) return { steps: [], faults: false };
    const { body, location } = topOf(running);
    if (this.#fenced[body]!.has(location) && !this.isDrained(configuration, thread))
      return { steps: [], faults: false };
    const ids = this.#leaving[body]![location]!;
    if (ids.length === 0) return { steps: [this.#comeBack(configuration, running)], faults: false };
    const steps: TaskStep[] = [];
    let faults = false;
    const onFault = (): void => {
      faults = true;
    };
    for (const id of ids)
      try {
        const transition = this.automata.bodies[body]!.transitions[id]!;
        steps.push(
          ...(isPlain(transition)
            ? this.#execute(configuration, running, id, transition, onFault)
            : this.#invoke(configuration, running, id, transition as TransitionOf<Invocation>)),
        );
      } catch (error) {
        if (!(error instanceof Met)) throw error;
        onFault();
      }
    return { steps, faults };
  }

  #frame(body: number, given: readonly number[], calledBy?: number): Frame {
    const { initial, registers } = this.automata.bodies[body]!;
    return {
      body,
      location: initial,
      registers: registers.map((_, i) => given[i] ?? 0),
      ...(calledBy !== undefined && { calledBy }),
    };
  }

  /**
   * Returns the step at the end of an invocation: back to the caller, or, in the first frame, the
   * end of the task.
   */
  #comeBack(configuration: EventState, running: Running): TaskStep {
    const { task, frames } = running;
    const { calledBy } = topOf(running);
    if (calledBy === undefined) {
      const after = {
        ...configuration,
        running: put(configuration.running, task.thread, undefined),
      };
      return { task, effect: { kind: 'return' }, after };
    }
    const back: Running = { ...running, frames: frames.slice(0, -1) };
    const after = { ...configuration, running: put(configuration.running, task.thread, back) };
    return { task, transition: calledBy, effect: { kind: 'silent' }, after };
  }

  #invoke(
    configuration: EventState,
    running: Running,
    id: number,
    { instruction: invocation, to }: TransitionOf<Invocation>,
  ): readonly TaskStep[] {
    const { task, posted: children } = running;
    const { thread } = task;
    const top = topOf(running);
    const given = invocation.arguments.map((one) =>
      this.#codes[top.body]!.value(one, top.registers),
    );
    const moved = atTop(running, { ...top, location: to });
    if (invocation.kind === 'call') {
      const called = {
        ...moved,
        frames: [...moved.frames, this.#frame(invocation.body, given, id)],
      };
      const after = { ...configuration, running: put(configuration.running, thread, called) };
      return [{ task, transition: id, effect: { kind: 'silent' }, after }];
    }
    if (this.rules.postingFenced && !this.isDrained(configuration, thread)) return [];
    const path = [...task.path, children];
    const name = `${task.event}/${path.join('.')}`;
    const posted: Task = {
      name,
      event: task.event,
      path,
      thread: invocation.to === 'main' ? main : name,
      body: invocation.body,
      arguments: given,
    };
    const after: EventState = {
      ...configuration,
      running: put(configuration.running, thread, { ...moved, posted: children + 1 }),
      waiting: [...configuration.waiting, posted],
    };
    return [{ task, transition: id, effect: { kind: 'post', posted }, after }];
  }

  /**
   * Returns the steps by an instruction. Throws a fault; but calls `onFault` if only some choices
   * of a `havoc` fault.
   */
  #execute(
    configuration: EventState,
    running: Running,
    id: number,
    transition: TransitionOf<PlainInstruction>,
    onFault: () => void,
  ): readonly TaskStep[] {
    const { memory, buffers, holder } = configuration;
    const { task } = running;
    const { thread } = task;
    const { instruction, to } = transition;
    const top = topOf(running);
    const code = this.#codes[top.body]!;
    const buffer = buffers.get(thread) ?? [];
    const step = (effect: Effect, next: Local, changes: Partial<EventState> = {}): TaskStep => {
      const moved = atTop(running, { ...top, ...next });
      const after = { ...configuration, ...changes };
      const own = put(configuration.running, thread, moved);
      return { task, transition: id, effect, after: { ...after, running: own } };
    };
    const passed = code.at(to, top.registers);
    switch (instruction.kind) {
      case 'fence':
        return buffer.length > 0 ? [] : [step({ kind: 'fence' }, passed)];
      case 'lock':
        return buffer.length > 0 || holder !== undefined
          ? []
          : [step({ kind: 'lock' }, passed, { holder: thread })];
      case 'unlock':
        return buffer.length > 0 || holder !== thread
          ? []
          : [step({ kind: 'unlock' }, passed, { holder: undefined })];
      case 'load':
      case 'store':
      case 'rmw': {
        if (instruction.kind === 'rmw' && buffer.length > 0) return [];
        let entry = -1;
        const { access, next } = code.access(top, transition, (cell) => {
          entry = buffer.findLastIndex((store) => store.address === cell);
          return entry < 0 ? (memory.get(cell) ?? 0) : buffer[entry]!.value;
        })!;
        const { address, read, written } = access;
        if (entry >= 0) return [step({ kind: 'early', address, entry }, next)];
        if (instruction.kind === 'store' && !this.rules.sc) {
          const waiting: Waiting = { task, transition: id, address, value: written! };
          const after = { buffers: put(buffers, thread, [...buffer, waiting]) };
          return [step({ kind: 'issue', address }, next, after)];
        }
        const [reads, writes] = [read !== undefined, written !== undefined];
        const after = writes
          ? { memory: put(memory, address, written === 0 ? undefined : written) }
          : {};
        return [step({ kind: 'memory', address, reads, writes }, next, after)];
      }
      default:
        // The condition of an assertion may fault.
        code.fails(top, transition);
        return code.locally(top, transition, onFault)!.map((next) => ({
          ...step({ kind: 'silent' }, next),
          ...(instruction.kind === 'havoc' && { choice: next.registers[instruction.into]! }),
        }));
    }
  }
}

/**
 * Returns a text for a configuration; two configurations with equal texts have the same
 * continuations.
 */
export function configurationKey(configuration: EventState): string {
  const { memory, running, buffers, waiting, started, holder } = configuration;
  const tasks = [...running].map(([thread, { task, frames, posted }]) => [
    thread,
    task.name,
    posted,
    frames.map((frame) => [frame.body, frame.location, frame.registers, frame.calledBy ?? -1]),
  ]);
  const stores = [...buffers].map(([thread, buffer]) => [
    thread,
    buffer.map(({ task, address, value }) => [task.name, address, value]),
  ]);
  const idle = waiting.map(({ name, body, arguments: given, thread }) => [
    name,
    body,
    given,
    thread,
  ]);
  const cells = [...memory].sort(([a], [b]) => a - b);
  const sorted = (rows: (readonly unknown[])[]): unknown =>
    rows.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  return JSON.stringify([cells, sorted(tasks), sorted(stores), sorted(idle), started, holder]);
}
