import { refuseHeavyFence } from '@fencewright/model/program/heavy-fences.js';
import type { CodeTransition } from '@fencewright/model/semantics/thread-code.js';
import { memoryModels, type MemoryModel } from '@fencewright/model/trace/memory-model.js';
import type { BufferedStore } from '@fencewright/model/trace/machine-state.js';
import {
  drainsBuffer,
  isAccess,
  isHandOver,
  isLocal,
} from '@fencewright/model/program/instruction.js';
import { holdsLockAfter } from '../automata/bus-lock.js';
import type { LocalState, LocalStep, ThreadCode } from '../automata/local-closure.js';

/** The local state and store buffer of a thread of the machine. */
export interface MachineLocal extends LocalState {
  /**
   * The buffered stores, oldest first; stores to cells without accesses of other threads are never
   * buffered.
   */
  readonly buffer: readonly BufferedStore[];
  /**
   * The addresses to which the thread has stored since the last drain of the buffer, ascending;
   * empty unless the exploration tracks the addresses.
   */
  readonly unfenced: readonly number[];
}

/** A step by which a store leaves the thread's buffer, with the store's position in the buffer. */
interface Flush {
  readonly flushed: number;
}

/** A step of one thread: an instruction, or the arrival of a buffered store in memory. */
export type MachineStep = LocalStep | Flush;

/** The step by which the oldest store leaves the buffer for memory. */
export const flushOldest: Flush = { flushed: 0 };

/** The machine on which a thread is executed: the memory model, and further choices. */
interface MachineOptions {
  readonly model: MemoryModel;
  /** The maximum number of stores in the buffer of a thread. */
  readonly capacity: number;
  /**
   * Whether stores inside lock blocks go to memory at once, since no other thread can read memory
   * before the lock is released.
   */
  readonly directInBlocks: boolean;
  /**
   * Whether a thread with an empty buffer stores to memory directly, and issues a store into its
   * buffer only together with a later load (see `IssuesAhead`).
   */
  readonly issuesLate: boolean;
  readonly tracksUnfenced: boolean;
}

/** The results of an instruction that a thread executes without access to shared memory. */
interface LocalResults {
  readonly results: readonly MachineLocal[];
  /** For each state in `results`, in the same order, the step by which the thread enters it. */
  readonly steps: readonly LocalStep[];
  /**
   * Whether the thread may also wait instead of executing the instruction at once: an event in
   * memory or in its own buffer may come first and change the results.
   */
  readonly waits: boolean;
  readonly failsAssertion: boolean;
  /** Whether a store was left out because the buffer was full. */
  readonly isCut: boolean;
}

const waiting: LocalResults = {
  results: [],
  steps: [],
  waits: true,
  failsAssertion: false,
  isCut: false,
};
const impossible: LocalResults = { ...waiting, waits: false };

/** Returns the addresses with `address` added, ascending. */
function withAddress(addresses: readonly number[], address: number): readonly number[] {
  if (addresses.includes(address)) return addresses;
  return [...addresses, address].sort((a, b) => a - b);
}

/**
 * Executes the local steps of one thread of the machine: local instructions, accesses invisible to
 * the rest of the machine, and under TSO the steps between the thread and the store buffer.
 */
export class MachineThread {
  constructor(
    readonly code: ThreadCode,
    readonly execution: MachineOptions,
  ) {}

  /** Whether a store executed in this state goes to memory at once, without being buffered. */
  storesDirectly({ holdsLock, buffer }: MachineLocal): boolean {
    const { model, directInBlocks, issuesLate } = this.execution;
    if (!memoryModels[model].hasBuffers || (holdsLock && directInBlocks)) return true;
    return issuesLate && buffer.length === 0;
  }

  /**
   * Returns the address of an access; records a fault and returns `undefined` if the evaluation of
   * the address faults.
   */
  address({ registers }: MachineLocal, step: CodeTransition): number | undefined {
    return this.code.guarded(step.id, () => step.address(registers, 0));
  }

  /** Returns the thread's state after an instruction that leaves the given registers. */
  after(
    state: MachineLocal,
    { transition: { to, instruction } }: CodeTransition,
    registers: readonly number[],
    changes: Partial<MachineLocal> = {},
  ): MachineLocal {
    const drains = drainsBuffer(instruction);
    return {
      location: to,
      registers: this.code.masked(registers, to),
      holdsLock: state.holdsLock,
      buffer: state.buffer,
      unfenced: drains ? [] : state.unfenced,
      ...changes,
    };
  }

  /**
   * Returns the addresses to which the thread has stored since its buffer was last drained, once it
   * has also stored to `address`.
   */
  unfencedAfter({ unfenced }: MachineLocal, address: number): readonly number[] {
    return this.execution.tracksUnfenced ? withAddress(unfenced, address) : unfenced;
  }

  /**
   * Returns the results of an instruction, as far as it can be executed without access to shared
   * memory.
   */
  local(state: MachineLocal, step: CodeTransition): LocalResults {
    const { instruction } = step.transition;
    const { registers, buffer } = state;
    const isEmpty = buffer.length === 0;
    if (isLocal(instruction))
      return instruction.kind === 'assert'
        ? this.#assert(state, step)
        : this.#unnoticed(state, step);
    if (!isAccess(instruction)) {
      const holdsLock = holdsLockAfter(state.holdsLock, instruction);
      if (holdsLock === undefined) return impossible;
      // In a model without buffers, a heavy fence has no effect.
      if (instruction.kind === 'heavy-fence' && memoryModels[this.execution.model].hasBuffers)
        refuseHeavyFence();
      if (instruction.kind === 'lock' || !isEmpty) return waiting;
      return this.#one(step, this.after(state, step, registers, { holdsLock }));
    }
    switch (instruction.kind) {
      case 'store':
        return this.#store(state, step);
      case 'load':
        return this.#load(state, step, instruction.into);
      case 'rmw':
        return isEmpty || isHandOver(instruction) ? this.#unnoticed(state, step) : waiting;
    }
  }

  /** Whether an `assume` of the thread excludes the state, so that the execution ends. */
  isCutOff(state: MachineLocal): boolean {
    return this.code.leaving(state.location).some((step) => {
      const { instruction } = step.transition;
      const cuts = instruction.kind === 'assume' && instruction.cutsOff === true;
      return cuts && this.local(state, step).results.length === 0;
    });
  }

  #assert(state: MachineLocal, step: CodeTransition): LocalResults {
    const { registers } = state;
    const holds = this.code.guarded(step.id, () => step.value(registers, 0));
    if (holds === undefined) return impossible;
    const passed = this.#one(step, this.after(state, step, registers));
    return { ...passed, failsAssertion: holds === 0 };
  }

  #one(step: CodeTransition, result: MachineLocal): LocalResults {
    return { ...impossible, results: [result], steps: [{ transition: step.id }] };
  }

  #unnoticed(state: MachineLocal, step: CodeTransition): LocalResults {
    const results = this.code.local(state, step);
    if (!results) return waiting;
    return {
      ...impossible,
      results: results.map(({ registers }) => this.after(state, step, registers)),
      steps: results.map(({ choice }) => ({
        transition: step.id,
        ...(choice !== undefined && { choice }),
      })),
    };
  }

  #store(state: MachineLocal, step: CodeTransition): LocalResults {
    const { registers, buffer } = state;
    if (this.storesDirectly(state) || this.code.isUnnoticed(registers, step))
      return this.#unnoticed(state, step);
    if (this.execution.issuesLate) return waiting;
    if (buffer.length >= this.execution.capacity) return { ...waiting, isCut: true };
    const issued = this.issued(state, step);
    return issued ? this.#one(step, issued) : impossible;
  }

  /**
   * Returns the state after the thread issues a store into its buffer; `undefined` if the store
   * faults.
   */
  issued(state: MachineLocal, step: CodeTransition): MachineLocal | undefined {
    const { registers, buffer } = state;
    const address = this.address(state, step);
    if (address === undefined) return undefined;
    const value = this.code.guarded(step.id, () => this.code.inDomain(step.value(registers, 0)));
    if (value === undefined) return undefined;
    const longer = [...buffer, { transition: step.id, address, value }];
    return this.after(state, step, registers, { buffer: longer });
  }

  #load(state: MachineLocal, step: CodeTransition, into: number): LocalResults {
    const { registers, buffer } = state;
    if (buffer.length > 0) {
      const address = this.address(state, step);
      if (address === undefined) return impossible;
      const own = buffer.findLast((store) => store.address === address);
      // Later, when the store has left the buffer, memory may hold something else.
      if (own)
        return {
          ...this.#one(step, this.after(state, step, registers.with(into, own.value))),
          waits: true,
        };
    }
    return this.#unnoticed(state, step);
  }
}
