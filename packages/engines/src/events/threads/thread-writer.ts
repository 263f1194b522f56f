import { constant, type Expression } from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Origin, Thread, Transition } from '@fencewright/model/program/program.js';
import type { TransitionMeaning } from './lowered-program.js';

/**
 * A counting register, as its number among the counting registers of its thread, from 0 on. In the
 * thread, the counting registers follow the registers of all invocations.
 */
export type Counter = number;

const inside: TransitionMeaning = { kind: 'inside' };

/**
 * Writes one thread, transition by transition, and records the meaning of each transition in the
 * event program.
 */
export class ThreadWriter {
  readonly meanings: TransitionMeaning[] = [];
  readonly #transitions: ((counter: (counter: Counter) => RegisterId) => Transition)[] = [];
  #locations = 0;
  /** The number of registers that the thread's inlined invocations need. */
  #registers = 0;
  #counters = 0;

  constructor(readonly name: string) {}

  location(): LocationId {
    return this.#locations++;
  }

  /** Adds a counting register to the thread, initially 0. */
  counter(): Counter {
    return this.#counters++;
  }

  /** Reserves at least `registers` registers of the thread for inlined invocations. */
  reach(registers: number): void {
    this.#registers = Math.max(this.#registers, registers);
  }

  write(
    from: LocationId,
    to: LocationId,
    instruction: Instruction,
    meaning: TransitionMeaning = inside,
    origin: Origin = {},
  ): TransitionId {
    this.meanings.push(meaning);
    return this.#transitions.push(() => ({ from, to, instruction, origin })) - 1;
  }

  /** Writes a transition to a new location; returns the location. */
  then(
    from: LocationId,
    instruction: Instruction,
    meaning?: TransitionMeaning,
    origin?: Origin,
  ): LocationId {
    const to = this.location();
    this.write(from, to, instruction, meaning, origin);
    return to;
  }

  assign(
    from: LocationId,
    into: RegisterId,
    value: Expression,
    meaning?: TransitionMeaning,
  ): LocationId {
    return this.then(from, { kind: 'assign', into, value }, meaning);
  }

  /**
   * Writes transitions that set the registers from `first` to before `end` to 0; returns the
   * location behind the last transition.
   */
  clear(from: LocationId, first: RegisterId, end: RegisterId): LocationId {
    let at = from;
    for (let register = first; register < end; register++)
      at = this.assign(at, register, constant(0));
    return at;
  }

  /**
   * Writes transitions to a new location that test a counter for `value` and increment the counter;
   * returns the location.
   */
  countUp(from: LocationId, counter: Counter, value: number): LocationId {
    const counted = this.test(from, counter, value);
    const to = this.location();
    this.meanings.push(inside);
    this.#transitions.push((registerOf) => ({
      from: counted,
      to,
      instruction: { kind: 'assign', into: registerOf(counter), value: constant(value + 1) },
      origin: {},
    }));
    return to;
  }

  /**
   * Writes a transition to a new location that tests a counter for `value`; returns the location.
   */
  test(from: LocationId, counter: Counter, value: number): LocationId {
    const to = this.location();
    this.meanings.push(inside);
    this.#transitions.push((registerOf) => ({
      from,
      to,
      instruction: {
        kind: 'assume',
        condition: {
          kind: 'binary',
          operator: '==',
          left: { kind: 'register', register: registerOf(counter) },
          right: constant(value),
        },
      },
      origin: {},
    }));
    return to;
  }

  /** Returns the thread as written so far, with start location 0. */
  thread(): Thread {
    const names = (count: number, letter: string) =>
      Array.from({ length: count }, (_, i) => ({ name: `${letter}${i}`, hidden: true }));
    return {
      name: this.name,
      registers: names(this.#registers + this.#counters, 'r'),
      locations: names(this.#locations, 'l'),
      initial: 0,
      transitions: this.#transitions.map((write) => write((counter) => this.#registers + counter)),
    };
  }
}
