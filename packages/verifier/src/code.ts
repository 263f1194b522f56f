import type { Automata, Expression, Instruction, Thread, Transition } from './automata.js';
import { choices, evaluate, Fault, type FaultKind, storable, writtenBy } from './evaluate.js';
import { liveRegisters } from './liveness.js';

/** Where a thread stands. Registers that are not live are 0. */
export interface Local {
  readonly location: number;
  readonly registers: readonly number[];
}

/** One access to memory: the value read, the value written, each where there is one. */
export interface Access {
  readonly address: number;
  readonly read?: number;
  readonly written?: number;
}

/** An instruction that has no result was met: of what comes behind it nothing is known. */
export class Met extends Error {
  override readonly name = 'Met';
  constructor(
    message: string,
    readonly kind: FaultKind,
  ) {
    super(message);
  }
}

/** What was to be listed has no end, or none in sight. */
export class Endless extends Error {
  override readonly name = 'Endless';
}

/**
 * More states than this that one thread comes to by itself, and it is taken to compute without end.
 */
const most = 100_000;

/**
 * All states that `next` leads to from the starts, themselves included; states of one name are the
 * same. Throws `Endless`.
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
  // The list grows while it is gone through.
  for (const state of states) next(state).forEach(add);
  return states;
}

export function localName({ location, registers }: Local): string {
  return `${location}:${registers.join()}`;
}

/** What the threads of one code do with their registers. */
export class Code {
  readonly thread: Thread;
  readonly #automata: Automata;
  readonly #leaving: readonly (readonly Transition[])[];
  readonly #live: readonly ReadonlySet<number>[];

  /** `seen`: registers whose value matters everywhere. */
  constructor(automata: Automata, thread: Thread, seen: Iterable<number> = []) {
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

  /** The state at a location with these registers. */
  at(location: number, registers: readonly number[]): Local {
    const live = this.#live[location]!;
    return { location, registers: registers.map((value, r) => (live.has(r) ? value : 0)) };
  }

  /**
   * Where an instruction that needs neither memory nor the bus lock leads to; `undefined` for
   * others. A fence counts among the others.
   */
  locally({ registers }: Local, { to, instruction }: Transition): readonly Local[] | undefined {
    switch (instruction.kind) {
      case 'skip':
      case 'assert':
        return [this.at(to, registers)];
      case 'assume':
        return this.#value(instruction.condition, registers) === 0 ? [] : [this.at(to, registers)];
      case 'assign': {
        const value = this.#value(instruction.value, registers);
        return [this.at(to, registers.with(instruction.into, value))];
      }
      case 'havoc': {
        const { into, where } = instruction;
        return this.#sure(() => choices(instruction, this.#automata))
          .map((choice) => registers.with(into, choice))
          .filter((after) => !where || this.#value(where, after) !== 0)
          .map((after) => this.at(to, after));
      }
      default:
        return undefined;
    }
  }

  /**
   * The access of a load, store or rmw, and where it leads to; `undefined` for other instructions.
   * `held` is what memory holds.
   */
  access(
    { registers }: Local,
    { to, instruction }: Transition,
    held: (address: number) => number,
  ): { readonly access: Access; readonly next: Local } | undefined {
    const address = this.addressOf(registers, instruction);
    if (address === undefined) return undefined;
    switch (instruction.kind) {
      case 'load': {
        const read = held(address);
        const next = this.at(to, registers.with(instruction.into, read));
        return { access: { address, read }, next };
      }
      case 'store':
        return {
          access: { address, written: this.stored(registers, instruction) },
          next: this.at(to, registers),
        };
      case 'rmw': {
        const { into, operation } = instruction;
        const read = held(address);
        const written = this.#sure(() => {
          const value = writtenBy(operation, read, (part) => this.#value(part, registers));
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

  /** Whether the instruction is an assertion that fails here. */
  fails({ registers }: Local, { instruction }: Transition): boolean {
    return instruction.kind === 'assert' && this.#value(instruction.condition, registers) === 0;
  }

  /** The address of a load, store or rmw. */
  addressOf(registers: readonly number[], instruction: Instruction): number | undefined {
    return 'address' in instruction ? this.#value(instruction.address, registers) : undefined;
  }

  /** The value of a store. */
  stored(
    registers: readonly number[],
    { value }: Extract<Instruction, { readonly kind: 'store' }>,
  ): number {
    return this.#sure(() => storable(this.#value(value, registers), this.#automata));
  }

  #value(expression: Expression, registers: readonly number[]): number {
    const { copy } = this.thread;
    return this.#sure(() =>
      evaluate(expression, registers, this.#automata.symbols, copy?.index ?? 0),
    );
  }

  #sure<T>(execute: () => T): T {
    try {
      return execute();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      throw new Met(`thread '${this.thread.name}' may fault (${error.kind})`, error.kind);
    }
  }
}
