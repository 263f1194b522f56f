import { type Automata, type Instruction, localKinds } from './automata.js';
import { Code, type Local, Met, type ValueAccess } from './code.js';
import { initialCells } from './initial-memory.js';
import { Flaw } from './report.js';
import {
  anyIndex,
  anything,
  int32,
  list,
  literal,
  type Reader,
  record,
  type Read,
} from './shape.js';

/** A store in a store buffer; `id` is the transition of the store instruction. */
export interface BufferedStore {
  readonly id: number;
  readonly address: number;
  readonly value: number;
}

/** A state of the machine of [BDM13] Table 1. Cells that `memory` does not name hold 0. */
export interface State {
  /**
   * For each thread, its current location, indexed by thread. `registers` and `buffers` are also
   * indexed by thread; a buffer has the oldest store first.
   */
  readonly locations: readonly number[];
  readonly registers: readonly (readonly number[])[];
  readonly memory: ReadonlyMap<number, number>;
  readonly buffers: readonly (readonly BufferedStore[])[];
  /** The number of the thread that holds the bus lock; absent if the lock is free. */
  readonly holder?: number;
  /**
   * For each thread that executes a heavy fence, the threads for whose buffers the fence still
   * waits: no such buffer has been empty since the fence began.
   */
  readonly asked?: ReadonlyMap<number, readonly number[]>;
}

/**
 * The memory access of a step. A store under TSO puts the value `written` into the buffer of its
 * thread.
 */
export interface Access extends ValueAccess {
  /** Whether the access is a load from its own thread's buffer. */
  readonly early?: boolean;
}

/** The execution of transition `id` by a thread; under SC a store reaches memory at once. */
export interface Step {
  readonly thread: number;
  readonly id: number;
  readonly kind: Instruction['kind'];
  readonly access?: Access;
  /** The value chosen by the step, for a `havoc`. */
  readonly choice?: number;
  /** Present if the step is an `assert` whose condition is 0. */
  readonly fails?: true;
  readonly state: State;
}

export interface Steps {
  readonly steps: readonly Step[];
  /** The transitions of the thread that fault. A `havoc` counts if some of its choices fault. */
  readonly faults: readonly number[];
}

function write(memory: State['memory'], address: number, value: number): State['memory'] {
  const changed = new Map(memory);
  if (value === 0) changed.delete(address);
  else changed.set(address, value);
  return changed;
}

/**
 * Returns the state in which no heavy fence waits any longer for a thread whose buffer is empty. A
 * heavy fence that waits for no thread has ended.
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
 * The number in place of a location of a thread that is between two locations of the program text:
 * neither a label nor an end.
 */
export const nowhere = -1;

/** A machine that executes the automata of a program, under SC or TSO. */
export class Machine {
  readonly automata: Automata;
  /** The transitions of each thread that leave a location, indexed by thread and location. */
  readonly leaving: readonly (readonly (readonly number[])[])[];
  readonly #codes: readonly Code[];

  constructor(automata: Automata) {
    this.automata = automata;
    this.leaving = automata.threads.map(({ locations, transitions }) =>
      locations.map((_, at) =>
        [...transitions.keys()].filter((id) => transitions[id]!.from === at),
      ),
    );
    this.#codes = automata.threads.map(
      (thread) => new Code(automata, thread, thread.registers.keys()),
    );
  }

  get initial(): State {
    const { symbols, threads } = this.automata;
    return {
      locations: threads.map((thread) => thread.initial),
      registers: threads.map((thread) => thread.registers.map(() => 0)),
      memory: new Map(initialCells(symbols).filter(([, value]) => value !== 0)),
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
    return answered({ ...state, memory, buffers: state.buffers.with(thread, rest) });
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
        if (!(error instanceof Met)) throw error;
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
    const code = this.#codes[thread]!;
    const transition = code.thread.transitions[id]!;
    const { instruction, to } = transition;
    const { kind } = instruction;
    const local = { location: state.locations[thread]!, registers: state.registers[thread]! };
    const buffer = state.buffers[thread]!;
    const at = ({ location, registers }: Local, after = state): Step => {
      const moved = { ...after, locations: after.locations.with(thread, location) };
      if (registers === local.registers) return { thread, id, kind, state: moved };
      return {
        ...{ thread, id, kind },
        state: { ...moved, registers: after.registers.with(thread, registers) },
      };
    };
    const moved = (after = state): Step => at({ ...local, location: to }, after);
    switch (kind) {
      case 'fence':
        return buffer.length > 0 ? [] : [moved()];
      case 'heavy-fence': {
        const others = [...state.buffers.keys()].filter((other) => other !== thread);
        const asked = new Map(state.asked).set(thread, others);
        return buffer.length > 0 ? [] : [moved(answered({ ...state, asked }))];
      }
      case 'lock':
        return buffer.length > 0 || state.holder !== undefined
          ? []
          : [moved({ ...state, holder: thread })];
      case 'unlock': {
        const { holder, ...free } = state;
        return buffer.length > 0 || holder !== thread ? [] : [moved(free)];
      }
      case 'load':
      case 'store':
      case 'rmw': {
        const mayAccess = this.#mayAccess(state, thread);
        const isAtOnce = kind === 'rmw' || (kind === 'store' && sc);
        if (isAtOnce && !mayAccess) return [];
        if (kind === 'rmw' && buffer.length > 0) return [];
        let early: BufferedStore | undefined;
        const { access, next } = code.access(local, transition, (address) => {
          early = buffer.findLast((store) => store.address === address);
          return early ? early.value : (state.memory.get(address) ?? 0);
        })!;
        if (kind === 'load')
          return early || mayAccess
            ? [{ ...at(next), access: { ...access, early: early !== undefined } }]
            : [];
        const { address, written: value } = access;
        if (value === undefined) return [{ ...at(next), access }];
        const after = isAtOnce
          ? { ...state, memory: write(state.memory, address, value) }
          : { ...state, buffers: state.buffers.with(thread, [...buffer, { id, address, value }]) };
        return [{ ...at(next, after), access }];
      }
      default: {
        const fails = code.fails(local, transition);
        return code.locally(local, transition, onFault)!.map((next) => ({
          ...at(next),
          ...(kind === 'havoc' && { choice: next.registers[instruction.into]! }),
          ...(fails && { fails }),
        }));
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
    thread: anyIndex,
    kind: literal(
      ...(['issue', 'store', 'load', 'rmw', 'local', 'fence', 'heavy-fence'] as const),
      ...(['lock', 'unlock'] as const),
    ),
    transition: anyIndex,
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
 * A moment of a replay: the action, the memory access made by the action, and the state before the
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
  /** Whether an assertion failed during the replay. */
  readonly fails: boolean;
}

/** Returns the kind of the action by which an instruction is executed. */
function kindOfAction({ kind }: { readonly kind: Instruction['kind'] }): string {
  return localKinds.has(kind) ? 'local' : kind === 'store' ? 'issue' : kind;
}

/**
 * Returns the computation from the initial state under TSO. Throws `Flaw` if the machine cannot do
 * all actions.
 */
export function replay(machine: Machine, computation: readonly Action[]): Replay {
  const moments: Moment[] = [];
  let state = machine.initial;
  let fails = false;
  for (const [at, action] of computation.entries()) {
    const { thread, transition, kind, choice } = action;
    const impossible = (): never => {
      const why = `action ${at + 1} is not possible`;
      throw new Flaw(`the computation is not one of the program: ${why}`);
    };
    if (thread >= state.locations.length) return impossible();
    if (kind === 'store') {
      const flushed = machine.flush(state, thread);
      if (!flushed || state.buffers[thread]![0]!.id !== transition) return impossible();
      moments.push({ action, before: state });
      state = flushed;
      continue;
    }
    const step = machine
      .steps(state, thread, false)
      .steps.find((one) => one.id === transition && one.choice === choice);
    if (!step || kindOfAction(step) !== kind) return impossible();
    moments.push({ action, before: state, ...(step.access && { access: step.access }) });
    fails ||= step.fails === true;
    ({ state } = step);
  }
  return { moments, end: state, fails };
}
