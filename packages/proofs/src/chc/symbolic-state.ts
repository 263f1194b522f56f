import type { LocationId, RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Term } from '@fencewright/ground/smt/term.js';

/** A state of the program with terms as values of its registers and cells. Absent cells hold 0. */
export interface ChcState {
  readonly locations: readonly LocationId[];
  /** The number of the thread that holds the bus lock; -1 if the lock is free. */
  readonly holder: number;
  /** The terms of the registers, indexed by thread, then by register. */
  readonly registers: readonly (readonly Term[])[];
  /** The terms of the values in memory, by `cellKey`. */
  readonly cells: ReadonlyMap<string, Term>;
}

/**
 * A symbolic state at the end of some steps, and the conditions under which the steps lead there.
 */
export interface SymbolicPath {
  readonly guard: readonly Term[];
  readonly state: ChcState;
}

/** Returns the state with the value of one register changed. */
export function withRegister(
  state: ChcState,
  thread: ThreadId,
  register: RegisterId,
  value: Term,
): ChcState {
  const own = state.registers[thread] ?? [];
  return { ...state, registers: state.registers.with(thread, own.with(register, value)) };
}

/** Returns the state with the value of one cell changed. */
export function withCell(state: ChcState, key: string, value: Term): ChcState {
  return { ...state, cells: new Map(state.cells).set(key, value) };
}

/** Returns the path under a further condition; `undefined` if the condition cannot hold. */
export function under(path: SymbolicPath, condition: Term): SymbolicPath | undefined {
  if (condition.kind === 'truth') return condition.value ? path : undefined;
  return { ...path, guard: [...path.guard, condition] };
}
