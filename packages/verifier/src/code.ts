import {
  type Automata,
  type Expression,
  type Instruction,
  isIdle,
  type Thread,
  type Transition,
} from './automata.js';
import { Endless } from './budget.js';
import { choices, evaluate, storable, writtenBy } from './evaluate.js';
import { liveRegisters } from './liveness.js';
import { Fault } from './operators.js';
import { unreachable } from './unreachable.js';

/** The location and the registers of a thread. Registers whose value is not used later are 0. */
export interface Local {
  readonly location: number;
  readonly registers: readonly number[];
}

/**
 * One access to memory: the value read and the value written, each absent if the access does not
 * read or does not write.
 */
export interface ValueAccess {
  readonly address: number;
  readonly read?: number;
  readonly written?: number;
}

/**
 * Thrown when a thread executes an instruction without a result, such as a division by zero; no
 * state follows.
 */
export class Met extends Error {
  override readonly name = 'Met';
}

/**
 * The maximum number of states reachable for one thread without the other threads; a thread with
 * more states counts as computing for ever.
 */
const most = 100_000;

/**
 * Returns all states reachable by `next` from the start states, start states included. States with
 * equal names count as one. Throws `Endless` if there are too many.
 */
export function closure<S>(
  starts: readonly S[],
  nameOf: (state: S) => string,
  next: (state: S) => readonly S[],
): readonly S[] {
  const known = new Set<string>();
  const states: S[] = [];
  const add = (state: S): void => {
    const name = nameOf(state);
    if (known.has(name)) return;
    if (states.length >= most) throw new Endless('a thread computes without end');
    known.add(name);
    states.push(state);
  };
  starts.forEach(add);
  // The list grows during the loop.
  for (const state of states) next(state).forEach(add);
  return states;
}

export function localName({ location, registers }: Local): string {
  return `${location}:${registers.join()}`;
}

/** The parts of a program on which the values of expressions depend. */
export type Surroundings = Pick<Automata, 'symbols' | 'domain'>;

/** The code of a thread as a function on registers, shared by all threads with the same code. */
export class Code {
  readonly thread: Thread;
  readonly #automata: Surroundings;
  readonly #leaving: readonly (readonly Transition[])[];
  readonly #live: readonly ReadonlySet<number>[];

  /** Prepares a thread's code; `seen` lists the registers whose value matters at every location. */
  constructor(automata: Surroundings, thread: Thread, seen: Iterable<number> = []) {
    this.#automata = automata;
    this.thread = thread;
    this.#leaving = thread.locations.map((_, location) =>
      thread.transitions.filter(({ from }) => from === location),
    );
    this.#live = liveRegisters(thread, seen);
  }

  get initial(): Local {
    return this.at(
      this.thread.initial,
      this.thread.registers.map(() => 0),
    );
  }

  leaving({ location }: Local): readonly Transition[] {
    return this.#leaving[location]!;
  }

  /** Returns the state at a location, with the registers whose value is not used later set to 0. */
  at(location: number, registers: readonly number[]): Local {
    const live = this.#live[location]!;
    if (live.size === registers.length) return { location, registers };
    return { location, registers: registers.map((value, r) => (live.has(r) ? value : 0)) };
  }

  /**
   * Returns the states after an instruction that needs neither memory nor the bus lock; `undefined`
   * for other instructions, and for fences. `onFault` is called if only some choices of a `havoc`
   * fault; by default, it throws the fault.
   */
  locally(
    { registers }: Local,
    { to, instruction }: Transition,
    onFault = (met: Met): void => {
      throw met;
    },
  ): readonly Local[] | undefined {
    if (isIdle(instruction)) return [this.at(to, registers)];
    switch (instruction.kind) {
      case 'assert':
        return [this.at(to, registers)];
      case 'assume':
        return this.value(instruction.condition, registers) === 0 ? [] : [this.at(to, registers)];
      case 'assign': {
        const value = this.value(instruction.value, registers);
        return [this.at(to, registers.with(instruction.into, value))];
      }
      case 'havoc': {
        const after = (choice: number): readonly number[] =>
          registers.with(instruction.into, choice);
        return choices(
          instruction,
          this.#automata,
          (condition, choice) => this.#evaluate(condition, after(choice)),
          (fault) => onFault(this.#met(fault)),
        ).map((choice) => this.at(to, after(choice)));
      }
      case 'load':
      case 'store':
      case 'rmw':
      case 'fence':
      case 'heavy-fence':
      case 'lock':
      case 'unlock':
        return undefined;
      default:
        return unreachable(instruction);
    }
  }

  /**
   * Returns the memory access of a load, store or rmw, and the thread's state after the access;
   * `undefined` for other instructions. `held` returns the value of a memory cell.
   */
  access(
    { registers }: Local,
    { to, instruction }: Transition,
    held: (address: number) => number,
  ): { readonly access: ValueAccess; readonly next: Local } | undefined {
    const address = this.addressOf(registers, instruction);
    if (address === undefined) return undefined;
    switch (instruction.kind) {
      case 'load': {
        const read = held(address);
        const next = this.at(to, registers.with(instruction.into, read));
        return { access: { address, read }, next };
      }
      case 'store': {
        const value = this.value(instruction.value, registers);
        const written = this.#sure(() => storable(value, this.#automata));
        return { access: { address, written }, next: this.at(to, registers) };
      }
      case 'rmw': {
        const { into, operation } = instruction;
        const read = held(address);
        const written = this.#sure(() => {
          const value = writtenBy(operation, read, (part) => this.value(part, registers));
          return value === undefined ? undefined : storable(value, this.#automata);
        });
        const result = operation.kind === 'cas' ? Number(written !== undefined) : read;
        const after = into === undefined ? registers : registers.with(into, result);
        const access = written === undefined ? { address, read } : { address, read, written };
        return { access, next: this.at(to, after) };
      }
      default:
        return undefined;
    }
  }

  /** Whether the instruction is an assertion that fails with the given registers. */
  fails({ registers }: Local, { instruction }: Transition): boolean {
    return instruction.kind === 'assert' && this.value(instruction.condition, registers) === 0;
  }

  /** Returns the address of a load, store or rmw; `undefined` for other instructions. */
  addressOf(registers: readonly number[], instruction: Instruction): number | undefined {
    return 'address' in instruction ? this.value(instruction.address, registers) : undefined;
  }

  #evaluate(expression: Expression, registers: readonly number[]): number {
    return evaluate(expression, registers, this.#automata.symbols, this.thread.copy?.index ?? 0);
  }

  /** Returns the value of an expression; throws `Met` if the evaluation faults. */
  value(expression: Expression, registers: readonly number[]): number {
    return this.#sure(() => this.#evaluate(expression, registers));
  }

  #sure<T>(execute: () => T): T {
    try {
      return execute();
    } catch (error) {
      throw error instanceof Fault ? this.#met(error) : error;
    }
  }

  #met({ kind }: Fault): Met {
    return new Met(`thread '${this.thread.name}' may fault (${kind})`);
  }
}
