import { at } from '@fencewright/ground/base/at.js';
import { type FaultKind, ExecutionFault } from '../program/evaluate.js';
import type { ThreadId, TransitionId } from '../program/ids.js';
import { type Instruction, isBuffered } from '../program/instruction.js';
import type { Domain, Program } from '../program/program.js';
import { isCreated } from '../program/is-created.js';
import type { Action } from '../trace/computation.js';
import type { BufferedStore, MachineState } from '../trace/machine-state.js';
import { memoryModels, type MemoryModel } from '../trace/memory-model.js';
import {
  type CodeTransition,
  type ProgramCode,
  leavingTransitions,
  maxHavocChoices,
} from './thread-code.js';

/**
 * A step of the machine: under SC a store is issued and reaches memory in one step; every further
 * step is one action.
 */
export interface Successor {
  readonly actions: readonly Action[];
  readonly state: MachineState;
  /** Whether the step executed an `assert` whose condition was 0. */
  readonly assertionFailed?: boolean;
}

/** A faulting step, which ends the execution. */
export interface FaultyStep {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  readonly fault: FaultKind;
}

interface Successors {
  readonly steps: readonly Successor[];
  readonly faults: readonly FaultyStep[];
  /**
   * Whether the bound on store buffers prevented some step: a store was not issued because its
   * buffer was full.
   */
  readonly isCut: boolean;
}

/**
 * Returns the initial state: all threads at their initial locations, registers 0, buffers empty
 * ([BDM13] Sect. 2).
 */
export function initialState(program: Program): MachineState {
  const memory = new Map<number, number>();
  for (const symbol of program.symbols)
    symbol.initial.forEach((value, cell) => {
      if (value !== 0) memory.set(symbol.base + cell, value);
    });
  return {
    locations: program.threads.map((thread) => thread.initial),
    registers: program.threads.map((thread) => thread.registers.map(() => 0)),
    memory,
    buffers: program.threads.map(() => []),
  };
}

export function memoryValue(state: MachineState, address: number): number {
  return state.memory.get(address) ?? 0;
}

function withMemory(state: MachineState, address: number, value: number): MachineState {
  const memory = new Map(state.memory);
  if (value === 0) memory.delete(address);
  else memory.set(address, value);
  return { ...state, memory };
}

function withRegister(
  state: MachineState,
  thread: ThreadId,
  register: number | undefined,
  value: number,
): MachineState {
  if (register === undefined) return state;
  return {
    ...state,
    registers: state.registers.map((values, t) =>
      t === thread ? values.map((old, r) => (r === register ? value : old)) : values,
    ),
  };
}

function withLocation(state: MachineState, thread: ThreadId, location: number): MachineState {
  return {
    ...state,
    locations: state.locations.map((old, t) => (t === thread ? location : old)),
  };
}

function withBuffer(
  state: MachineState,
  thread: ThreadId,
  buffer: readonly BufferedStore[],
): MachineState {
  return { ...state, buffers: state.buffers.map((old, t) => (t === thread ? buffer : old)) };
}

/** Whether the thread may access memory, as no other thread holds the bus lock. */
function mayUseMemory(state: MachineState, thread: ThreadId): boolean {
  return state.lockHolder === undefined || state.lockHolder === thread;
}

function checkDomain(domain: Domain | undefined, value: number): number {
  if (domain && (value < domain.low || value > domain.high)) throw new ExecutionFault('domain');
  return value;
}

/**
 * Moves a store of the thread's buffer, by default the oldest, to memory; `undefined` if the buffer
 * has no such store or another thread holds the bus lock.
 */
export function flush(state: MachineState, thread: ThreadId, place = 0): Successor | undefined {
  const buffer = state.buffers[thread] ?? [];
  const store = buffer[place];
  if (!store || !mayUseMemory(state, thread)) return undefined;
  const { transition, address, value } = store;
  const rest = buffer.toSpliced(place, 1);
  return {
    actions: [{ thread, kind: 'store', transition, address, value }],
    state: settle(withBuffer(withMemory(state, address, value), thread, rest)),
  };
}

/**
 * Returns the state in which each heavy fence no longer waits for the threads whose buffers are
 * empty. The moment at which the interrupt of a heavy fence reaches a thread is the first such
 * moment without loss of generality: it changes nothing but `asked` (docs/asymmetric.md).
 */
function settle(state: MachineState): MachineState {
  if (!state.asked) return state;
  const asked = state.asked.map((threads) =>
    threads.filter((thread) => at(state.buffers, thread).length > 0),
  );
  if (asked.some((threads) => threads.length > 0)) return { ...state, asked };
  const { asked: _answered, ...rest } = state;
  return rest;
}

/** Returns the state in which the thread's heavy fence has begun. */
function withHeavyFence(state: MachineState, thread: ThreadId): MachineState {
  const threads = state.locations.map((_, t) => t);
  const asked = threads.map((t) =>
    t === thread ? threads.filter((other) => other !== thread) : (state.asked?.[t] ?? []),
  );
  return settle({ ...state, asked });
}

/** Whether the thread is in a heavy fence, and has to wait for other threads' buffers. */
export function isInHeavyFence({ asked }: MachineState, thread: ThreadId): boolean {
  return asked !== undefined && at(asked, thread).length > 0;
}

function executeStore(
  model: MemoryModel,
  domain: Domain | undefined,
  state: MachineState,
  thread: ThreadId,
  step: CodeTransition,
): Successor[] {
  const registers = state.registers[thread] ?? [];
  const { hasBuffers } = memoryModels[model];
  if (!hasBuffers && !mayUseMemory(state, thread)) return [];
  const address = step.address(registers, 0);
  const value = checkDomain(domain, step.value(registers, 0));
  const moved = withLocation(state, thread, step.transition.to);
  const issue: Action = { thread, kind: 'issue', transition: step.id, address, value };
  if (!hasBuffers)
    return [
      {
        actions: [issue, { ...issue, kind: 'store' }],
        state: withMemory(moved, address, value),
      },
    ];
  const buffer = [...(state.buffers[thread] ?? []), { transition: step.id, address, value }];
  return [{ actions: [issue], state: withBuffer(moved, thread, buffer) }];
}

function executeLoad(
  state: MachineState,
  thread: ThreadId,
  step: CodeTransition,
  into: number,
): Successor[] {
  const address = step.address(state.registers[thread] ?? [], 0);
  const own = state.buffers[thread]?.findLast((store) => store.address === address);
  if (!own && !mayUseMemory(state, thread)) return [];
  const value = own ? own.value : memoryValue(state, address);
  const action: Action = {
    thread,
    kind: 'load',
    transition: step.id,
    address,
    value,
    early: own !== undefined,
  };
  const moved = withLocation(state, thread, step.transition.to);
  return [{ actions: [action], state: withRegister(moved, thread, into, value) }];
}

function executeRmw(
  domain: Domain | undefined,
  state: MachineState,
  thread: ThreadId,
  step: CodeTransition,
  { into, handOver }: Extract<Instruction, { kind: 'rmw' }>,
): Successor[] {
  const registers = state.registers[thread] ?? [];
  if (!mayUseMemory(state, thread)) return [];
  if (handOver === undefined && at(state.buffers, thread).length > 0) return [];
  const address = step.address(registers, 0);
  const value = memoryValue(state, address);
  const written = step.rmw.written(value, registers, 0);
  if (handOver === undefined) {
    if (written !== undefined) checkDomain(domain, written);
  } else if (written === undefined) return [];
  const result = step.rmw.result(written !== undefined, value, registers, 0);
  const moved = withRegister(withLocation(state, thread, step.transition.to), thread, into, result);
  const action: Action = {
    thread,
    kind: 'rmw',
    transition: step.id,
    address,
    value,
    ...(written !== undefined && { written }),
  };
  return [
    {
      actions: [action],
      state: written === undefined ? moved : withMemory(moved, address, written),
    },
  ];
}

function executeHavoc(
  domain: Domain | undefined,
  state: MachineState,
  thread: ThreadId,
  step: CodeTransition,
  into: number,
  range: { readonly low: number; readonly high: number } | undefined,
): Successor[] {
  const { low, high } = range ?? domain ?? { low: 0, high: Number.POSITIVE_INFINITY };
  if (high - low >= maxHavocChoices) throw new ExecutionFault('unbounded-choice');
  const moved = withLocation(state, thread, step.transition.to);
  const successors: Successor[] = [];
  for (let value = low; value <= high; value++) {
    const next = withRegister(moved, thread, into, value);
    if (step.value(next.registers[thread] ?? [], 0) !== 0)
      successors.push({
        actions: [{ thread, kind: 'local', transition: step.id, choice: value }],
        state: next,
      });
  }
  return successors;
}

/** The kinds of actions that change neither memory nor store buffers. */
type Moving = 'local' | 'fence' | 'heavy-fence' | 'lock' | 'unlock';

/**
 * Returns all executions of one transition in a state with the thread at the transition's source;
 * none if the thread has to wait. Throws `ExecutionFault`.
 */
export function executeTransition(
  model: MemoryModel,
  code: { readonly program: Pick<Program, 'domain'> },
  state: MachineState,
  thread: ThreadId,
  step: CodeTransition,
): Successor[] {
  const { instruction, to } = step.transition;
  const { domain } = code.program;
  const registers = state.registers[thread] ?? [];
  const buffer = state.buffers[thread] ?? [];
  const move = (kind: Moving, next: MachineState): Successor[] => [
    { actions: [{ thread, kind, transition: step.id }], state: withLocation(next, thread, to) },
  ];
  if (isInHeavyFence(state, thread)) return [];
  switch (instruction.kind) {
    case 'store':
      return executeStore(model, domain, state, thread, step);
    case 'load':
      return executeLoad(state, thread, step, instruction.into);
    case 'rmw':
      return executeRmw(domain, state, thread, step, instruction);
    case 'fence':
      return buffer.length > 0 ? [] : move('fence', state);
    case 'heavy-fence':
      return buffer.length > 0 ? [] : move('heavy-fence', withHeavyFence(state, thread));
    case 'lock':
      return buffer.length > 0 || state.lockHolder !== undefined
        ? []
        : move('lock', { ...state, lockHolder: thread });
    case 'unlock': {
      if (buffer.length > 0 || state.lockHolder !== thread) return [];
      const { lockHolder: _released, ...free } = state;
      return move('unlock', free);
    }
    case 'assign':
      return move('local', withRegister(state, thread, instruction.into, step.value(registers, 0)));
    case 'assume':
      return step.value(registers, 0) === 0 ? [] : move('local', state);
    case 'assert': {
      const assertionFailed = step.value(registers, 0) === 0;
      return move('local', state).map((successor) => ({ ...successor, assertionFailed }));
    }
    case 'skip':
      return move('local', state);
    case 'havoc':
      return executeHavoc(domain, state, thread, step, instruction.into, instruction.range);
  }
}

/**
 * All steps from a state under `model`, thread by thread; for each thread the flushes come before
 * the instructions. A thread with `capacity` buffered stores issues no further store; by default
 * buffers are unbounded.
 */
export function successors(
  model: MemoryModel,
  code: ProgramCode,
  state: MachineState,
  capacity = Number.POSITIVE_INFINITY,
): Successors {
  const found: FoundSuccessors = { steps: [], faults: [], isCut: false };
  for (let thread = 0; thread < state.locations.length; thread++)
    addSuccessors(model, code, state, thread, capacity, found);
  return found;
}

/** The steps of one thread from a state under `model`, listed as by `successors`. */
export function successorsOf(
  model: MemoryModel,
  code: ProgramCode,
  state: MachineState,
  thread: ThreadId,
): Successors {
  const found: FoundSuccessors = { steps: [], faults: [], isCut: false };
  addSuccessors(model, code, state, thread, Number.POSITIVE_INFINITY, found);
  return found;
}

/** The possible next steps of a state, while they are collected. */
interface FoundSuccessors {
  readonly steps: Successor[];
  readonly faults: FaultyStep[];
  isCut: boolean;
}

function addSuccessors(
  model: MemoryModel,
  code: ProgramCode,
  state: MachineState,
  thread: ThreadId,
  capacity: number,
  found: FoundSuccessors,
): void {
  const { steps, faults } = found;
  const buffer = at(state.buffers, thread);
  for (const place of memoryModels[model].leaving(buffer)) {
    const flushed = flush(state, thread, place);
    if (flushed) steps.push(flushed);
  }
  const isFull = buffer.length >= capacity;
  for (const step of leavingTransitions(code, thread, at(state.locations, thread))) {
    if (isFull && isBuffered(step.transition.instruction)) {
      found.isCut = true;
      continue;
    }
    try {
      steps.push(...executeTransition(model, code, state, thread, step));
    } catch (error) {
      if (!(error instanceof ExecutionFault)) throw error;
      faults.push({ thread, transition: step.id, fault: error.kind });
    }
  }
}

/** Whether all threads that have been created stand at ends and all buffers are empty. */
export function isFinal(code: ProgramCode, state: MachineState): boolean {
  return state.locations.every(
    (location, thread) =>
      state.buffers[thread]?.length === 0 &&
      (leavingTransitions(code, thread, location).length === 0 ||
        !isCreated(at(code.program.threads, thread), location, state.memory)),
  );
}

/**
 * Whether the execution cannot go on although some thread has not ended: all buffers are empty, and
 * no step is left under `model`, not even a faulting step. For a thread whose store waits for the
 * bus lock, SC has no step; TSO has one, as the store enters the buffer.
 */
export function isStuck(model: MemoryModel, code: ProgramCode, state: MachineState): boolean {
  if (state.buffers.some((buffer) => buffer.length > 0) || isFinal(code, state)) return false;
  const { steps, faults } = successors(model, code, state);
  return steps.length === 0 && faults.length === 0;
}
