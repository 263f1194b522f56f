import type { LocationId, RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Term } from '@fencewright/ground/smt/term.js';

/** A state in which values are terms. Absent cells hold 0. */
export interface SymbolicState {
  readonly locations: readonly LocationId[];
  /** The holder of the bus lock, -1 if it is free. */
  readonly holder: number;
  /** Indexed by thread, then by register. */
  readonly registers: readonly (readonly Term[])[];
  /** By `cellKey`. */
  readonly cells: ReadonlyMap<string, Term>;
}

/** One way in which steps can go on from a state, and what has to hold for it. */
export interface SymbolicPath {
  readonly guard: readonly Term[];
  readonly state: SymbolicState;
}

/** The state with another value in a register. */
export function withRegister(
  state: SymbolicState,
  thread: ThreadId,
  register: RegisterId,
  value: Term,
): SymbolicState {
  const own = state.registers[thread] ?? [];
  return { ...state, registers: state.registers.with(thread, own.with(register, value)) };
}

/** The state with another value in a cell. */
export function withCell(state: SymbolicState, key: string, value: Term): SymbolicState {
  return { ...state, cells: new Map(state.cells).set(key, value) };
}

/** The path under a further condition; `undefined` if that cannot hold. */
export function under(path: SymbolicPath, condition: Term): SymbolicPath | undefined {
  if (condition.kind === 'truth') return condition.value ? path : undefined;
  return { ...path, guard: [...path.guard, condition] };
}
