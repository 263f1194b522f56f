import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import type { Site } from '@fencewright/model/trace/event-run.js';
import type { LocalId, LocalStates } from './local-states.js';

/** A memory access: its cell, and whether the access stores (an rmw without a store is a load). */
export interface TaskAccess {
  readonly cell: number;
  readonly isStore: boolean;
}

/** A memory access of a task, with the data of an `EventAction`. */
export type MemoryStep = { readonly site: Site } & (
  | { readonly kind: 'load'; readonly address: number; readonly value: number }
  | { readonly kind: 'store'; readonly address: number; readonly value: number }
  | {
      readonly kind: 'rmw';
      readonly address: number;
      readonly read: number;
      readonly written?: number;
    }
  | { readonly kind: 'fence' | 'lock' | 'unlock' | 'silent' }
);

/** One possible result of an access, or of a whole lock block, given the contents of memory. */
export interface PerformedAccess {
  readonly accesses: readonly TaskAccess[];
  /** The cells written by the access, with the new values, in the order of the stores. */
  readonly writes: readonly (readonly [cell: number, value: number])[];
  /** The task's local state directly after the access, before its next silent steps. */
  readonly state: LocalId;
  /**
   * Whether the task has done the whole access or lock block. If not, the result has only the first
   * steps of a lock block, from its `lock` on; no other task acts before the `unlock`.
   */
  readonly isComplete: boolean;
  readonly steps: readonly MemoryStep[];
  /**
   * The milestone that the access passes, as the number of its cell; absent if the access passes
   * none.
   */
  readonly passed?: number;
}

/** The contents of memory, as read by one thread. */
export interface MemoryView {
  readonly cells: number;
  readonly low: number;
  readonly high: number;
  readonly load: (cell: number) => number;
}

/**
 * Returns the possible outcomes of the access, fence or milestone at which a task waits; none if
 * the task is blocked.
 */
export function performAccess(
  locals: LocalStates,
  state: LocalId,
  memory: MemoryView,
): readonly PerformedAccess[] {
  const { instruction } = locals.waitingFor(state);
  if (instruction.kind === 'lock') return performBlock(locals, state, memory);
  if (instruction.kind === 'unlock') return [];
  if (instruction.kind === 'fence' || instruction.kind === 'post')
    return [passFence(locals, state)];
  if (instruction.kind === 'pass') return [passMilestone(locals, state, instruction.cell)];
  const performed = access(locals, state, memory);
  return performed ? [performed] : [];
}

function passFence(locals: LocalStates, state: LocalId): PerformedAccess {
  const { instruction, site } = locals.waitingFor(state);
  return {
    accesses: [],
    writes: [],
    state: locals.behind(state),
    isComplete: true,
    // The fence of a posting has no place in the text.
    steps: instruction.kind === 'fence' ? [{ kind: 'fence', site }] : [],
  };
}

function passMilestone(locals: LocalStates, state: LocalId, cell: number): PerformedAccess {
  return {
    accesses: [],
    writes: [[cell, 1]],
    state: locals.behind(state),
    isComplete: true,
    steps: [{ kind: 'silent', site: locals.waitingFor(state).site }],
    passed: cell,
  };
}

function access(
  locals: LocalStates,
  state: LocalId,
  { cells, low, high, load }: MemoryView,
): PerformedAccess | undefined {
  const { instruction, site, start } = locals.waitingFor(state);
  const frames = locals.frames(state);
  const registers = start + 2;
  const checked = (value: number): number => {
    if (value < low || value > high) throw new ExecutionFault('domain');
    return value;
  };
  try {
    if (instruction.kind !== 'load' && instruction.kind !== 'store' && instruction.kind !== 'rmw')
      return undefined;
    const address = instruction.address(frames, registers);
    if (address < 0 || address >= cells) throw new ExecutionFault('address');
    switch (instruction.kind) {
      case 'load': {
        const value = load(address);
        return {
          accesses: [{ cell: address, isStore: false }],
          writes: [],
          state: locals.behind(state, instruction.into, value),
          isComplete: true,
          steps: [{ kind: 'load', site, address, value }],
        };
      }
      case 'store': {
        const value = checked(instruction.value(frames, registers));
        return {
          accesses: [{ cell: address, isStore: true }],
          writes: [[address, value]],
          state: locals.behind(state),
          isComplete: true,
          steps: [{ kind: 'store', site, address, value }],
        };
      }
      case 'rmw': {
        const read = load(address);
        const written = instruction.operation.written(read, frames, registers);
        const isStore = written !== undefined;
        if (isStore) checked(written);
        const result = instruction.operation.result(isStore, read, frames, registers);
        return {
          accesses: [{ cell: address, isStore }],
          writes: isStore ? [[address, written]] : [],
          state: locals.behind(state, instruction.into, result),
          isComplete: true,
          steps: [{ kind: 'rmw', site, address, read, ...(isStore && { written }) }],
        };
      }
    }
  } catch (error) {
    locals.noteFault(error, site);
    return undefined;
  }
}

/** Performs a lock block as one step: no other task acts between `lock` and `unlock`. */
function performBlock(
  locals: LocalStates,
  lock: LocalId,
  memory: MemoryView,
): readonly PerformedAccess[] {
  const found: PerformedAccess[] = [];
  const seen = new Set<string>();
  const pending: PerformedAccess[] = [
    {
      accesses: [],
      writes: [],
      state: locals.behind(lock),
      isComplete: false,
      steps: [{ kind: 'lock', site: locals.waitingFor(lock).site }],
    },
  ];
  for (let so = pending.pop(); so; so = pending.pop()) {
    const { accesses, writes, state, steps } = so;
    const cells = accesses.map(({ cell, isStore }) => `${cell}${isStore ? 's' : 'l'}`);
    const key = `${state};${writes.join()};${cells.join()}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (accesses.length > 0) found.push(so);
    const inBlock: MemoryView = {
      ...memory,
      load: (cell) => writes.findLast(([written]) => written === cell)?.[1] ?? memory.load(cell),
    };
    for (const { at: next, kind, trail } of locals.arrivals(state)) {
      const walked = [...steps, ...trail.map(({ site }): MemoryStep => ({ kind: 'silent', site }))];
      if (kind === 'end' || kind === 'stuck') continue;
      const { instruction, site } = locals.waitingFor(next);
      if (instruction.kind === 'unlock') {
        found.push({
          accesses,
          writes,
          state: locals.behind(next),
          isComplete: true,
          steps: [...walked, { kind: 'unlock', site }],
        });
        continue;
      }
      const inside = instruction.kind === 'lock' ? [] : performAccess(locals, next, inBlock);
      for (const step of inside)
        pending.push({
          accesses: joined(accesses, step.accesses),
          writes: joinedWrites(writes, step.writes),
          state: step.state,
          isComplete: false,
          steps: [...walked, ...step.steps],
        });
    }
  }
  return found;
}

function joined(known: readonly TaskAccess[], more: readonly TaskAccess[]): readonly TaskAccess[] {
  const isNew = ({ cell, isStore }: TaskAccess): boolean =>
    !known.some((one) => one.cell === cell && (one.isStore || !isStore));
  return [...known, ...more.filter(isNew)];
}

function joinedWrites(
  known: PerformedAccess['writes'],
  more: PerformedAccess['writes'],
): PerformedAccess['writes'] {
  const isOver = (cell: number): boolean => more.some(([written]) => written === cell);
  return [...known.filter(([cell]) => !isOver(cell)), ...more];
}
