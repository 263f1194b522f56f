import {
  type Automata,
  type Expression,
  type Instruction,
  isIdle,
  localKinds,
} from './automata.js';
import { choices, evaluate, Fault, storable, writtenBy } from './evaluate.js';
import { anything, index, int32, list, literal, type Reader, record, type Read } from './shape.js';

/** A store in a store buffer; `id` is the transition of the store instruction. */
export interface BufferedStore {
  readonly id: number;
  readonly address: number;
  readonly value: number;
}

/** A state of the machine of [BDM13] Table 1. Cells that `memory` does not name hold 0. */
export interface State {
  /**
   * By thread: the current location. `registers` and `buffers` are also indexed by thread; a buffer
   * has the oldest store first.
   */
  readonly locations: readonly number[];
  readonly registers: readonly (readonly number[])[];
  readonly memory: ReadonlyMap<number, number>;
  readonly buffers: readonly (readonly BufferedStore[])[];
  /** The thread that holds the bus lock; absent if the lock is free. */
  readonly holder?: number;
  /** By thread in a heavy fence: the threads whose buffers have not been empty since its begin. */
  readonly asked?: ReadonlyMap<number, readonly number[]>;
}

/** The memory access of a step, with the facts that happens-before depends on. */
export interface Access {
  readonly address: number;
  /** The value read; absent if the access does not read. */
  readonly read?: number;
  /** The value written to memory, or put into the buffer; absent if the access does not write. */
  readonly written?: number;
  /** Whether the access is a load that read from the thread's own buffer. */
  readonly early?: boolean;
}

/** The execution of transition `id` by a thread; under SC a store reaches memory at once. */
export interface Step {
  readonly thread: number;
  readonly id: number;
  readonly kind: Instruction['kind'];
  readonly access?: Access;
  /** The value chosen by the step, if the instruction is a `havoc`. */
  readonly choice?: number;
  /** Present if the step is an `assert` whose condition is 0. */
  readonly fails?: true;
  readonly state: State;
}

export interface Steps {
  readonly steps: readonly Step[];
  /** Transitions of the thread that fault; for a `havoc`, with some choices. */
  readonly faults: readonly number[];
}

/** Returns a list with the element at index `at` replaced by `entry`. */
function put<T>(list: readonly T[], at: number, entry: T): readonly T[] {
  return list.map((old, i) => (i === at ? entry : old));
}

function write(memory: State['memory'], address: number, value: number): State['memory'] {
  const changed = new Map(memory);
  if (value === 0) changed.delete(address);
  else changed.set(address, value);
  return changed;
}

/** Returns the state with a new value of a thread's register, if there is a register. */
function withRegister(
  state: State,
  thread: number,
  register: number | undefined,
  to: number,
): State {
  if (register === undefined) return state;
  const own = put(state.registers[thread]!, register, to);
  return { ...state, registers: put(state.registers, thread, own) };
}

/**
 * Returns the state with heavy fences that wait for no thread whose buffer is empty. A heavy fence
 * that waits for no thread has ended.
 */
function answered({ asked, ...state }: State): State {
  if (!asked) return state;
  const left = [...asked].flatMap(([thread, others]) => {
    const still = others.filter((other) => state.buffers[other]!.length > 0);
    return still.length > 0 ? [[thread, still] as const] : [];
  });
  return left.length > 0 ? { ...state, asked: new Map(left) } : state;
}

/**
 * The location of a thread between two locations of the program text: neither a label nor an end.
 */
export const nowhere = -1;

/** The machine that executes the automata, under SC or TSO. */
export class Machine {
  readonly automata: Automata;
  /** Transitions that leave a location, by thread and location. */
  readonly leaving: readonly (readonly (readonly number[])[])[];

  constructor(automata: Automata) {
    this.automata = automata;
    this.leaving = automata.threads.map((thread) => {
      const table: number[][] = thread.locations.map(() => []);
      thread.transitions.forEach(({ from }, id) => table[from]!.push(id));
      return table;
    });
  }

  get initial(): State {
    const { symbols, threads } = this.automata;
    const cells = symbols.flatMap(({ base, initial }) =>
      initial.map((value, i) => [base + i, value] as const),
    );
    return {
      locations: threads.map((thread) => thread.initial),
      registers: threads.map((thread) => thread.registers.map(() => 0)),
      memory: new Map(cells.filter(([, value]) => value !== 0)),
      buffers: threads.map(() => []),
    };
  }

  hasEnded({ locations }: State, thread: number): boolean {
    return this.leaving[thread]![locations[thread]!]?.length === 0;
  }

  /**
   * Returns the state after a thread's oldest store has reached memory; `undefined` if the thread's
   * buffer is empty or another thread holds the bus lock.
   */
  flush(state: State, thread: number): State | undefined {
    const [oldest, ...rest] = state.buffers[thread]!;
    if (!oldest || !this.#mayAccess(state, thread)) return undefined;
    const memory = write(state.memory, oldest.address, oldest.value);
    return answered({ ...state, memory, buffers: put(state.buffers, thread, rest) });
  }

  #mayAccess({ holder }: State, thread: number): boolean {
    return holder === undefined || holder === thread;
  }

  /** Returns the possible steps of a thread in a state. With `sc`, stores reach memory at once. */
  steps(state: State, thread: number, sc: boolean): Steps {
    const steps: Step[] = [];
    const faults: number[] = [];
    if (state.asked?.has(thread)) return { steps, faults };
    for (const id of this.leaving[thread]![state.locations[thread]!]!) {
      const onFault = (): void => {
        faults.push(id);
      };
      try {
        steps.push(...this.#execute(state, thread, id, sc, onFault));
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        onFault();
      }
    }
    return { steps, faults: [...new Set(faults)] };
  }

  /**
   * Returns the steps by a transition. Throws a fault; but calls `onFault` if only some choices of
   * a `havoc` fault.
   */
  #execute(
    state: State,
    thread: number,
    id: number,
    sc: boolean,
    onFault: () => void,
  ): readonly Step[] {
    const { automata } = this;
    const { instruction, to } = automata.threads[thread]!.transitions[id]!;
    const buffer = state.buffers[thread]!;
    const value = (of: Expression, registers = state.registers[thread]!): number =>
      evaluate(of, registers, automata.symbols, automata.threads[thread]!.copy?.index);
    const moved: State = { ...state, locations: put(state.locations, thread, to) };
    const local: Step = { thread, id, kind: instruction.kind, state: moved };
    const setting = (register: number | undefined, to: number, after = moved): State =>
      withRegister(after, thread, register, to);
    if (isIdle(instruction)) return [local];
    switch (instruction.kind) {
      case 'assign':
        return [{ ...local, state: setting(instruction.into, value(instruction.value)) }];
      case 'assume':
        return value(instruction.condition) === 0 ? [] : [local];
      case 'assert':
        return [value(instruction.condition) === 0 ? { ...local, fails: true } : local];
      case 'havoc': {
        const after = (choice: number): State => setting(instruction.into, choice);
        const admits = (where: Expression, choice: number): number =>
          value(where, after(choice).registers[thread]);
        const chosen = choices(instruction, automata, admits, onFault);
        return chosen.map((choice) => ({ ...local, choice, state: after(choice) }));
      }
      case 'fence':
        return buffer.length > 0 ? [] : [local];
      case 'heavy-fence': {
        const others = [...state.buffers.keys()].filter((other) => other !== thread);
        const asked = new Map(state.asked).set(thread, others);
        return buffer.length > 0 ? [] : [{ ...local, state: answered({ ...moved, asked }) }];
      }
      case 'lock':
        return buffer.length > 0 || state.holder !== undefined
          ? []
          : [{ ...local, state: { ...moved, holder: thread } }];
      case 'unlock': {
        const { holder: _, ...free } = moved;
        return buffer.length > 0 || state.holder !== thread ? [] : [{ ...local, state: free }];
      }
      case 'load': {
        const address = value(instruction.address);
        const own = buffer.findLast((store) => store.address === address);
        if (!own && !this.#mayAccess(state, thread)) return [];
        const read = own ? own.value : (state.memory.get(address) ?? 0);
        const access = { address, read, early: own !== undefined };
        return [{ ...local, access, state: setting(instruction.into, read) }];
      }
      case 'store': {
        if (sc && !this.#mayAccess(state, thread)) return [];
        const address = value(instruction.address);
        const written = storable(value(instruction.value), automata);
        const access = { address, written };
        const stores = [...buffer, { id, address, value: written }];
        const after = sc
          ? { ...moved, memory: write(state.memory, address, written) }
          : { ...moved, buffers: put(state.buffers, thread, stores) };
        return [{ ...local, access, state: after }];
      }
      case 'rmw': {
        if (buffer.length > 0 || !this.#mayAccess(state, thread)) return [];
        const address = value(instruction.address);
        const read = state.memory.get(address) ?? 0;
        const { operation, into } = instruction;
        const written = writtenBy(operation, read, value);
        if (written === undefined)
          return [{ ...local, access: { address, read }, state: setting(into, 0) }];
        const memory = write(state.memory, address, storable(written, automata));
        const result = operation.kind === 'cas' ? 1 : read;
        const after = setting(into, result, { ...moved, memory });
        return [{ ...local, access: { address, read, written }, state: after }];
      }
    }
  }
}

/** Returns a text that identifies a state: equal only for equal states. */
export function stateKey(state: State): string {
  const { locations, registers, memory, buffers, holder, asked } = state;
  const cells = [...memory].sort(([a], [b]) => a - b);
  const waiting = buffers.map((buffer) => buffer.map(({ address, value }) => [address, value]));
  const inFence = asked && [...asked].sort(([a], [b]) => a - b);
  return JSON.stringify([locations, registers, cells, waiting, holder, inFence]);
}

const actionShape = record(
  {
    thread: index(2 ** 31),
    kind: literal(
      ...(['issue', 'store', 'load', 'rmw', 'local', 'fence', 'heavy-fence'] as const),
      ...(['lock', 'unlock'] as const),
    ),
    transition: index(2 ** 31),
  },
  { address: int32, value: int32, early: literal(true, false), written: int32, choice: int32 },
);

/**
 * An action of a computation in a certificate: `store` is the moment at which the thread's oldest
 * store reaches memory; every other kind is the execution of `transition`. Addresses and values in
 * an action are comments: the replay computes both.
 */
export type Action = Read<typeof actionShape>;

export const readComputation: Reader<readonly Action[]> = (value, path) =>
  list(actionShape)(list(anything)(value, path), path);

/**
 * A step of a replay: the action, the memory access made by the action, and the state before the
 * action.
 */
export interface Moment {
  readonly action: Action;
  readonly before: State;
  readonly access?: Access;
}

export interface Replay {
  readonly moments: readonly Moment[];
  readonly end: State;
  /** Whether an assertion failed. */
  readonly fails: boolean;
}

/** Returns the kind of the action by which an instruction is executed. */
function kindOfAction({ kind }: { readonly kind: Instruction['kind'] }): string {
  return localKinds.has(kind) ? 'local' : kind === 'store' ? 'issue' : kind;
}

/**
 * Returns the computation from the initial state under TSO; or, if the machine cannot do all
 * actions, the index of the first impossible action.
 */
export function replay(machine: Machine, computation: readonly Action[]): Replay | number {
  const moments: Moment[] = [];
  let state = machine.initial;
  let fails = false;
  for (const [at, action] of computation.entries()) {
    const { thread, transition, kind, choice } = action;
    if (thread >= state.locations.length) return at;
    if (kind === 'store') {
      const flushed = machine.flush(state, thread);
      if (!flushed || state.buffers[thread]![0]!.id !== transition) return at;
      moments.push({ action, before: state });
      state = flushed;
      continue;
    }
    const step = machine
      .steps(state, thread, false)
      .steps.find((one) => one.id === transition && one.choice === choice);
    if (!step || kindOfAction(step) !== kind) return at;
    moments.push({ action, before: state, ...(step.access && { access: step.access }) });
    fails ||= step.fails === true;
    ({ state } = step);
  }
  return { moments, end: state, fails };
}
