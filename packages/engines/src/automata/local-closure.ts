import { isAccess, isLocal, isWithoutValues } from '@fencewright/model/program/instruction.js';
import { at } from '@fencewright/ground/base/at.js';
import { fact } from '@fencewright/ground/base/fact.js';
import { guessesOf, type ReadAbstraction } from '@fencewright/model/analysis/guesses.js';
import { computeLiveRegisters, instructionAccess } from '@fencewright/model/analysis/liveness.js';
import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { admittedValues } from '@fencewright/model/semantics/admitted.js';
import { initialState, type FaultyStep } from '@fencewright/model/semantics/machine.js';
import {
  compileProgram,
  leavingTransitions,
  maxHavocChoices,
  type CodeTransition,
} from '@fencewright/model/semantics/thread-code.js';
import { accessEffect } from './access-effect.js';
import type { CellOwnership } from './cell-ownership.js';

/**
 * The part of a thread's state on which the thread's later steps depend. Registers that the thread
 * no longer reads (dead registers) are 0.
 */
export interface LocalState {
  readonly location: LocationId;
  /** The thread's registers, then the cells that only this thread accesses. */
  readonly registers: readonly number[];
  readonly holdsLock: boolean;
}

/** The execution of one instruction of a thread; `choice` is the value chosen by a `havoc`. */
export interface LocalStep {
  readonly transition: TransitionId;
  readonly choice?: number;
}

/** A load of a read abstraction together with the choice of the following `havoc`, as one step. */
interface GuessedRead {
  /** The location of the thread after the `havoc`. */
  readonly location: LocationId;
  readonly registers: readonly number[];
  /** The steps of the thread for the load and for the `havoc`. */
  readonly path: readonly LocalStep[];
  /** The values of the domain, ascending, that the load could have read with this choice. */
  readonly admits: readonly number[];
}

/** A state at which a thread waits for a memory access, and the local steps to the state. */
export interface ClosedState<S extends LocalState> {
  readonly state: S;
  readonly path: readonly LocalStep[];
}

/**
 * The maximum number of local states that a thread may pass between two memory accesses; a thread
 * with more states counts as computing without end.
 */
const maxClosure = 4096;
/**
 * The maximum number of local states between two accesses of a thread already known to compute
 * without end.
 */
const maxClosureOfEndless = 64;

/** Returns the memory of a program before the first step. */
export const initialMemory = fact((program: Program) => initialState(program).memory);

/** The code of one thread, with functions that execute local instructions. */
export class ThreadCode {
  readonly #program: Program;
  readonly #leaving: (location: LocationId) => readonly CodeTransition[];
  readonly #live: readonly (readonly boolean[])[];
  readonly #mask: boolean;
  readonly #registerCount: number;
  readonly #owned: ReadonlyMap<number, number>;
  readonly #isConstant: CellOwnership['isConstant'];
  readonly #initialValues: ReadonlyMap<number, number>;
  readonly #guesses: ReadonlyMap<TransitionId, ReadAbstraction>;
  readonly faults = new Map<string, FaultyStep>();
  /** The thread's transitions that some execution under SC has executed. */
  readonly ran = new Set<TransitionId>();
  /**
   * Whether some local computation was cut off: the results found are correct, but some may be
   * missing.
   */
  isEndless = false;
  /**
   * The closures that keep the limit `maxClosure` when computed again after the thread is known to
   * compute without end: the closures found then to have more states than the smaller limit
   * `maxClosureOfEndless`. A closure is named by the keys of its start states.
   */
  readonly largeClosures = new Set<string>();

  constructor(
    program: Program,
    readonly thread: ThreadId,
    maskDeadRegisters: boolean,
    ownership: CellOwnership,
    /**
     * For each location and register, whether the register is live. Computed from the thread's own
     * code if the caller does not give the result.
     */
    live?: readonly (readonly boolean[])[],
  ) {
    const code = compileProgram(program);
    this.#program = program;
    this.#leaving = (location) => leavingTransitions(code, thread, location);
    const own = at(program.threads, thread);
    this.#guesses = guessesOf(own);
    this.#live = live ?? computeLiveRegisters(own, instructionAccess);
    this.#mask = maskDeadRegisters;
    this.#registerCount = own.registers.length;
    this.#owned = ownership.owned[thread] ?? new Map<number, number>();
    this.#isConstant = ownership.isConstant;
    this.#initialValues = initialMemory(program);
  }

  get initial(): LocalState {
    const own = at(this.#program.threads, this.thread);
    return {
      location: own.initial,
      registers: [
        ...own.registers.map(() => 0),
        ...[...this.#owned.keys()].map((address) => this.#initialValues.get(address) ?? 0),
      ],
      holdsLock: false,
    };
  }

  leaving(location: LocationId): readonly CodeTransition[] {
    return this.#leaving(location);
  }

  /** The registers after an instruction that leads to `location`, dead registers set to 0. */
  masked(registers: readonly number[], location: LocationId): readonly number[] {
    const live = this.#live[location];
    if (!this.#mask || !live) return registers;
    return registers.map((value, r) => (live[r] === false ? 0 : value));
  }

  /**
   * Executes a load of a read abstraction that reads `value`, together with the following `havoc`:
   * one result for each choice. If no choice is allowed, the result is empty, and the access is not
   * executed. `undefined` for all other instructions, and without a domain.
   */
  guesses(
    { registers, holdsLock }: LocalState,
    { id, transition }: CodeTransition,
    value: number,
  ): readonly GuessedRead[] | undefined {
    const { domain } = this.#program;
    const guess = this.#guesses.get(id);
    const [havoc] = this.leaving(transition.to);
    if (!guess || !domain || !havoc) return undefined;
    const state = {
      location: transition.to,
      registers: registers.with(guess.held, value),
      holdsLock,
    };
    const location = havoc.transition.to;
    return (this.local(state, havoc) ?? []).map(({ registers: chosen, choice }) => ({
      location,
      registers: this.masked(chosen, location),
      path: [{ transition: id }, { transition: havoc.id, ...(choice !== undefined && { choice }) }],
      admits: admittedValues(domain, havoc, guess.held, chosen),
    }));
  }

  /**
   * Calls `execute` and returns its result; on a fault, records the fault and returns `undefined`.
   */
  guarded<T>(transition: TransitionId, execute: () => T): T | undefined {
    try {
      return execute();
    } catch (error) {
      if (!(error instanceof ExecutionFault)) throw error;
      const fault = { thread: this.thread, transition, fault: error.kind };
      this.faults.set(`${transition}.${error.kind}`, fault);
      return undefined;
    }
  }

  /** Returns `value` if it is in the program's domain of values; faults otherwise. */
  inDomain(value: number): number {
    const { domain } = this.#program;
    if (domain && (value < domain.low || value > domain.high)) throw new ExecutionFault('domain');
    return value;
  }

  /**
   * Whether no other thread can notice the access of a store, load or rmw: only this thread
   * accesses the cell, or nobody writes the cell.
   */
  isUnnoticed(registers: readonly number[], step: CodeTransition): boolean {
    const address = this.guarded(step.id, () => step.address(registers, 0));
    if (address === undefined) return false;
    return this.#owned.has(address) || this.#isConstant(address);
  }

  /**
   * Executes an access that no other thread can notice; returns the registers afterwards, none on a
   * fault. `undefined` if another thread can notice the access.
   */
  #access(
    registers: readonly number[],
    step: CodeTransition,
  ): readonly { readonly registers: readonly number[] }[] | undefined {
    if (!this.isUnnoticed(registers, step)) return undefined;
    const address = step.address(registers, 0);
    const slot = this.#owned.get(address);
    const cell = slot === undefined ? undefined : this.#registerCount + slot;
    const initial = this.#initialValues.get(address) ?? 0;
    const old = cell === undefined ? initial : at(registers, cell);
    const result = this.guarded(step.id, () => accessEffect(this, registers, step)?.apply(old));
    if (!result) return [];
    const { written } = result;
    return written === undefined || cell === undefined
      ? [{ registers: result.registers }]
      : [{ registers: result.registers.with(cell, written) }];
  }

  /**
   * Returns the states after a local instruction, or after an access that no other thread can
   * notice; `undefined` if the instruction is neither.
   */
  local(
    state: LocalState,
    step: CodeTransition,
  ): readonly { readonly registers: readonly number[]; readonly choice?: number }[] | undefined {
    const { instruction } = step.transition;
    const { registers } = state;
    if (isAccess(instruction)) return this.#access(registers, step);
    if (!isLocal(instruction)) return undefined;
    if (isWithoutValues(instruction)) return [{ registers }];
    switch (instruction.kind) {
      case 'assert':
        return this.guarded(step.id, () => step.value(registers, 0)) === undefined
          ? []
          : [{ registers }];
      case 'assign': {
        const value = this.guarded(step.id, () => step.value(registers, 0));
        if (value === undefined) return [];
        return [{ registers: registers.with(instruction.into, value) }];
      }
      case 'assume': {
        const holds = this.guarded(step.id, () => step.value(registers, 0));
        return holds === undefined || holds === 0 ? [] : [{ registers }];
      }
      case 'havoc':
        return this.guarded(step.id, () => this.#choices(registers, step)) ?? [];
    }
  }

  #choices(
    registers: readonly number[],
    step: CodeTransition,
  ): { readonly registers: readonly number[]; readonly choice: number }[] {
    const { instruction } = step.transition;
    if (instruction.kind !== 'havoc') return [];
    const range = instruction.range ?? this.#program.domain;
    if (!range || range.high - range.low >= maxHavocChoices)
      throw new ExecutionFault('unbounded-choice');
    const results: { readonly registers: readonly number[]; readonly choice: number }[] = [];
    for (let choice = range.low; choice <= range.high; choice++) {
      const next = registers.with(instruction.into, choice);
      if (step.value(next, 0) !== 0) results.push({ registers: next, choice });
    }
    return results;
  }
}

/**
 * A function that executes one instruction for a closure: returns the states after the instruction,
 * or `undefined` if the instruction has to wait for memory.
 */
type ClosureStep<S extends LocalState> = (
  state: S,
  step: CodeTransition,
) => readonly ClosedState<S>[] | undefined;

/**
 * A state found by a closure, with the steps from the previous state, as a linked list: `before` is
 * the entry of the previous state.
 */
export interface Trail<S extends LocalState> {
  readonly closed: ClosedState<S>;
  readonly before: Trail<S> | undefined;
}

/**
 * Returns the local steps from the start of a closure to the state of the list's first entry, in
 * order.
 */
export function wholePath<S extends LocalState>(trail: Trail<S>): readonly LocalStep[] {
  const parts: (readonly LocalStep[])[] = [];
  for (let at: Trail<S> | undefined = trail; at; at = at.before) parts.push(at.closed.path);
  return parts.reverse().flat();
}

/**
 * All states reached by local steps, and among all states, the states at which some instruction
 * waits for memory or for the bus lock.
 */
interface LocalClosure<S extends LocalState> {
  readonly all: readonly Trail<S>[];
  readonly waiting: readonly ClosedState<S>[];
}

/**
 * Returns the states that local steps reach from `starts`. If the thread can only end, get stuck or
 * run for ever, no state of the result waits for memory. States are equal if their `key`s are
 * equal; the `path` to a state is the first path found.
 */
export function closeLocally<S extends LocalState>(
  code: ThreadCode,
  starts: readonly ClosedState<S>[],
  key: (state: S) => string,
  next: ClosureStep<S>,
): LocalClosure<S> {
  const nameOf = (): string =>
    starts
      .map(({ state, path }) => `${key(state)} ${path.map(({ transition }) => transition).join()}`)
      .join(';');
  // A closure computed with the larger limit gets the same limit when computed again, so that
  // tables and witnesses agree.
  const isLarge = !code.isEndless || code.largeClosures.has(nameOf());
  const limit = isLarge ? maxClosure : maxClosureOfEndless;
  const seen = new Set<string>();
  const waiting: ClosedState<S>[] = [];
  const pending: Trail<S>[] = [];
  const visit = (trail: Trail<S>): void => {
    const name = key(trail.closed.state);
    if (seen.has(name)) return;
    if (seen.size >= limit) {
      code.isEndless = true;
      return;
    }
    seen.add(name);
    pending.push(trail);
  };
  for (const closed of starts) visit({ closed, before: undefined });
  for (const trail of pending) {
    const { state } = trail.closed;
    let waits = false;
    for (const step of code.leaving(state.location)) {
      const results = next(state, step);
      if (!results) waits = true;
      else for (const closed of results) visit({ closed, before: trail });
    }
    if (waits) waiting.push({ state, path: wholePath(trail) });
  }
  if (isLarge && seen.size > maxClosureOfEndless) code.largeClosures.add(nameOf());
  return { all: pending, waiting };
}
