import type { Expression } from '@fencewright/model/program/expression.js';
import type { Program, StateExpression, Transition } from '@fencewright/model/program/program.js';
import {
  operate,
  operateUnary,
  truth,
  valueOf,
} from '../../../repairs/test/fences/goals-by-definition.js';

interface ThreadState {
  readonly at: number;
  readonly registers: readonly number[];
  readonly buffer: readonly (readonly [address: number, value: number])[];
}

export interface State {
  readonly threads: readonly ThreadState[];
  readonly memory: Readonly<Record<number, number>>;
  readonly holder: number;
}

/**
 * The behaviour of a program that the explorer has seen. Unless `isCut`, the program has no other
 * behaviour.
 */
export interface Seen {
  /**
   * The names of the failed claims and reached goals: `property 0`, or
   * `assertion thread transition`.
   */
  readonly found: ReadonlySet<string>;
  /**
   * The states with empty buffers and no thread within a lock block, in the notation of
   * `drainedKey`.
   */
  readonly drained: ReadonlySet<string>;
  /**
   * The states with empty buffers in which all threads are before accesses or at ends: locations,
   * memory, and live registers.
   */
  readonly places: ReadonlySet<string>;
  /** The registers and the memory in each final state, as text. */
  readonly finals: ReadonlySet<string>;
  /** Whether a buffer was full, or there were too many states. */
  readonly isCut: boolean;
}

function keyOf({ threads, memory, holder }: State): string {
  const own = threads.map(
    ({ at, registers, buffer }) => `${at} ${registers.join()} ${buffer.join()}`,
  );
  return `${own.join(';')};${memoryOf(memory)};${holder}`;
}

function memoryOf(memory: Readonly<Record<number, number>>): string {
  return Object.entries(memory)
    .filter(([, value]) => value !== 0)
    .join(' ');
}

/** Returns the key of a state in `Seen.drained`. */
export function drainedKey(
  locations: readonly number[],
  registers: readonly (readonly number[])[],
  memory: Readonly<Record<number, number>>,
): string {
  return `${locations.join()};${registers.join(';')};${memoryOf(memory)}`;
}

class Explorer {
  readonly #program: Program;
  /** The number of stores that a store buffer holds; 0 under SC. */
  readonly #room: number;
  readonly #found = new Set<string>();
  #isCut = false;

  constructor(program: Program, room: number) {
    this.#program = program;
    this.#room = room;
  }

  run(maxStates: number): Seen {
    const { threads, symbols, properties } = this.#program;
    const initial: State = {
      threads: threads.map(({ initial: at, registers }) => ({
        at,
        registers: registers.map(() => 0),
        buffer: [],
      })),
      memory: Object.fromEntries(
        symbols.flatMap(({ base, initial: cells }) => cells.map((one, i) => [base + i, one])),
      ),
      holder: -1,
    };
    const seen = new Map([[keyOf(initial), initial]]);
    const [drained, places, finals] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const state of seen.values()) {
      const next = [...this.#successors(state)];
      const isEmpty = state.threads.every(({ buffer }) => buffer.length === 0);
      const isFinal = isEmpty && threads.every((_, t) => this.#hasEnded(state, t));
      const isStuck = isEmpty && !isFinal && next.length === 0;
      properties.forEach(({ kind, condition }, p) => {
        const matters = kind === 'never' || (kind === 'stuck' ? isStuck : isFinal);
        const holds = matters && this.#holds(state, condition) !== 0;
        if (matters && holds === (kind !== 'finally')) this.#found.add(`property ${p}`);
      });
      if (isEmpty && state.holder === -1) {
        const registers = state.threads.map((own) => own.registers);
        const locations = state.threads.map(({ at }) => at);
        drained.add(drainedKey(locations, registers, state.memory));
        if (locations.every((at, t) => this.#isBeforeAccess(t, at)))
          places.add(drainedKey(locations, this.#readAgain(state), state.memory));
        if (isFinal) finals.add(drainedKey([], registers, state.memory));
      }
      for (const one of next) {
        if (one === 'no room') {
          this.#isCut = true;
          continue;
        }
        const key = keyOf(one);
        if (!seen.has(key) && seen.size < maxStates) seen.set(key, one);
        else if (!seen.has(key)) this.#isCut = true;
      }
    }
    return { found: this.#found, drained, places, finals, isCut: this.#isCut };
  }

  #leaving(t: number, at: number): readonly (readonly [number, Transition])[] {
    return this.#program.threads[t]!.transitions.flatMap((step, id) =>
      step.from === at ? [[id, step] as const] : [],
    );
  }

  #isBeforeAccess(t: number, at: number): boolean {
    const accesses = ['load', 'store', 'rmw', 'fence', 'lock', 'unlock'];
    return this.#leaving(t, at).every(([, { instruction }]) => accesses.includes(instruction.kind));
  }

  /**
   * Returns the values of all registers, with 0 for registers that are overwritten before any read.
   */
  #readAgain({ threads }: State): readonly (readonly number[])[] {
    return threads.map(({ at, registers }, t) =>
      registers.map((value, register) => (this.#isReadAgain(t, at, register) ? value : 0)),
    );
  }

  #isReadAgain(t: number, at: number, register: number): boolean {
    const read = `{"kind":"register","register":${register}}`;
    const open = new Set([at]);
    for (const here of open) {
      const leaving = this.#leaving(t, here);
      // Users see the registers of ended threads.
      if (leaving.length === 0) return true;
      for (const [, { instruction, to }] of leaving) {
        if (JSON.stringify(instruction).includes(read)) return true;
        if (!('into' in instruction) || instruction.into !== register) open.add(to);
      }
    }
    return false;
  }

  #hasEnded({ threads }: State, t: number): boolean {
    return this.#leaving(t, threads[t]!.at).length === 0;
  }

  #holds(state: State, e: StateExpression): number {
    switch (e.kind) {
      case 'constant':
        return e.value;
      case 'at':
        return truth(state.threads[e.thread]!.at === e.location);
      case 'ended':
        return truth(this.#hasEnded(state, e.thread));
      case 'drained':
        return truth(state.threads[e.thread]!.buffer.length === 0);
      case 'register':
        return state.threads[e.thread]!.registers[e.register]!;
      case 'memory':
        return state.memory[e.address] ?? 0;
      case 'unary':
        return operateUnary(e.operator, this.#holds(state, e.operand));
      case 'binary':
        return operate(e.operator, this.#holds(state, e.left), this.#holds(state, e.right));
    }
  }

  *#successors(state: State): Generator<State | 'no room'> {
    for (const [t, { at, buffer }] of state.threads.entries()) {
      const isFree = state.holder === -1 || state.holder === t;
      const [oldest, ...rest] = buffer;
      if (oldest && isFree) yield this.#moved(this.#written(state, ...oldest), t, { buffer: rest });
      for (const [id, step] of this.#leaving(t, at))
        yield* this.#execute(state, t, id, step, isFree);
    }
  }

  #written(state: State, address: number, value: number): State {
    return { ...state, memory: { ...state.memory, [address]: value } };
  }

  #moved(state: State, t: number, change: Partial<ThreadState>): State {
    return {
      ...state,
      threads: state.threads.map((old, i) => (i === t ? { ...old, ...change } : old)),
    };
  }

  *#execute(
    state: State,
    t: number,
    id: number,
    { instruction, to: at }: Transition,
    isFree: boolean,
  ): Generator<State | 'no room'> {
    const { registers, buffer } = state.threads[t]!;
    const value = (e: Expression): number => valueOf(this.#program, registers, e);
    const into = (register: number | undefined, result: number): Partial<ThreadState> => ({
      at,
      registers: registers.map((old, r) => (r === register ? result : old)),
    });
    const isEmpty = buffer.length === 0;
    switch (instruction.kind) {
      case 'store': {
        const entry = [value(instruction.address), value(instruction.value)] as const;
        if (this.#room > 0) {
          if (buffer.length >= this.#room) yield 'no room';
          else yield this.#moved(state, t, { at, buffer: [...buffer, entry] });
        } else if (isFree) yield this.#moved(this.#written(state, ...entry), t, { at });
        return;
      }
      case 'load': {
        const address = value(instruction.address);
        const own = buffer.findLast(([cell]) => cell === address);
        if (!own && !isFree) return;
        const loaded = own ? own[1] : (state.memory[address] ?? 0);
        yield this.#moved(state, t, into(instruction.into, loaded));
        return;
      }
      case 'rmw': {
        if (!isEmpty || !isFree) return;
        const address = value(instruction.address);
        const old = state.memory[address] ?? 0;
        const { name, operands } = instruction.operation;
        if (name === 'xchg')
          yield this.#moved(
            this.#written(state, address, value(operands[0]!)),
            t,
            into(instruction.into, old),
          );
        else if (name !== 'cas') throw new Error('not made here');
        else if (old !== value(operands[0]!))
          yield this.#moved(state, t, into(instruction.into, 0));
        else
          yield this.#moved(
            this.#written(state, address, value(operands[1]!)),
            t,
            into(instruction.into, 1),
          );
        return;
      }
      case 'fence':
        if (isEmpty) yield this.#moved(state, t, { at });
        return;
      case 'lock':
        if (isEmpty && state.holder === -1) yield this.#moved({ ...state, holder: t }, t, { at });
        return;
      case 'unlock':
        if (isEmpty && state.holder === t) yield this.#moved({ ...state, holder: -1 }, t, { at });
        return;
      case 'assign':
        yield this.#moved(state, t, into(instruction.into, value(instruction.value)));
        return;
      case 'assume':
        if (value(instruction.condition) !== 0) yield this.#moved(state, t, { at });
        return;
      case 'assert':
        if (value(instruction.condition) === 0) this.#found.add(`assertion ${t} ${id}`);
        yield this.#moved(state, t, { at });
        return;
      case 'skip':
        yield this.#moved(state, t, { at });
        return;
      default:
        throw new Error('not made here');
    }
  }
}

/**
 * Explores the program by the definitions, independent of the library's machines, with buffers of
 * at most `room` stores; under SC if `room` is 0.
 */
export function exploreByDefinition(program: Program, room: number, maxStates: number): Seen {
  return new Explorer(program, room).run(maxStates);
}
