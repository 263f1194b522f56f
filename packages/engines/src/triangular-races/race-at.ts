import { writesCell } from '@fencewright/model/program/instruction.js';
import { at } from '@fencewright/ground/base/at.js';
import type { Exhaustion } from '@fencewright/ground/base/budget.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import { machineStateKey } from '@fencewright/model/semantics/explore-machine.js';
import {
  type FaultyStep,
  type Successor,
  successorsOf,
} from '@fencewright/model/semantics/machine.js';
import type { ProgramCode } from '@fencewright/model/semantics/thread-code.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { TriangularRace } from '@fencewright/model/verdict/triangular-race.js';

/**
 * The addresses of a thread's stores since the thread's last instruction that drains the store
 * buffer, ascending.
 */
export type Unfenced = readonly number[];

function writes(action: Action, address: number): boolean {
  if (action.kind === 'rmw') return action.address === address && action.written !== undefined;
  return action.kind === 'store' && action.address === address;
}

/** Whether a lock block that begins at `start` may write. */
function mayWrite({ program }: ProgramCode, thread: ThreadId, start: LocationId): boolean {
  const inside = new Set([start]);
  // The loop also visits elements added during the loop.
  for (const location of inside)
    for (const { from, to, instruction } of program.threads[thread]?.transitions ?? []) {
      if (from !== location || instruction.kind === 'unlock') continue;
      if (writesCell(instruction)) return true;
      inside.add(to);
    }
  return false;
}

/** Whether the action is a load or read-modify-write of one of the addresses. */
function reads(action: Action, addresses: readonly number[]): boolean {
  return (action.kind === 'load' || action.kind === 'rmw') && addresses.includes(action.address);
}

/**
 * Returns steps of `thread` alone, from `state` on, of which the last completes a race. The last
 * step writes to `address`, or reads one of `others` in a lock block that may write. The first step
 * may begin a lock block. `undefined` if there are no such steps.
 */
function wayToRace(
  code: ProgramCode,
  state: MachineState,
  thread: ThreadId,
  address: number,
  others: readonly number[],
): Computation | undefined {
  const seen = new Set<string>();
  const queue: { readonly state: MachineState; readonly way: Computation }[] = [{ state, way: [] }];
  for (const { state: here, way } of queue) {
    for (const step of successorsOf('SC', code, here, thread).steps) {
      const longer = [...way, ...step.actions];
      const isInBlock = here.lockHolder === thread;
      if (step.actions.some((action) => writes(action, address))) return longer;
      if (isInBlock && step.actions.some((action) => reads(action, others))) return longer;
      if (step.state.lockHolder !== thread) continue;
      if (!isInBlock && !mayWrite(code, thread, at(step.state.locations, thread))) continue;
      const key = machineStateKey(step.state);
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push({ state: step.state, way: longer });
    }
  }
  return undefined;
}

/**
 * Returns the index of the loading thread's last store that makes `action` the end of a race with
 * the load; -1 if there is none.
 */
function earlierStoreIn(
  computation: Computation,
  { thread, address }: Extract<Action, { kind: 'load' }>,
  action: Action | undefined,
): number {
  const isRead = action !== undefined && !writes(action, address) && 'address' in action;
  return computation.findLastIndex(
    (earlier) =>
      earlier.thread === thread &&
      earlier.kind === 'issue' &&
      (isRead ? earlier.address === action.address : earlier.address !== address),
  );
}

/**
 * A state under SC, with the addresses of each thread's stores since the thread's last drain of the
 * store buffer.
 */
interface UnfencedState {
  readonly state: MachineState;
  /**
   * For each thread, the addresses of the thread's stores since the last instruction that drains
   * the buffer.
   */
  readonly unfenced: readonly Unfenced[];
  /** Returns an SC computation that leads to the state. */
  readonly computation: () => Computation;
}

/**
 * Returns a triangular race whose load is the next step from a state; `undefined` if there is none.
 */
export function raceAt(
  code: ProgramCode,
  { unfenced, computation: computationTo }: UnfencedState,
  { actions: [load], state }: Successor,
): TriangularRace | undefined {
  if (load?.kind !== 'load') return undefined;
  const { thread, address } = load;
  const others = (unfenced[thread] ?? []).filter((stored) => stored !== address);
  if (others.length === 0) return undefined;
  for (let other = 0; other < state.locations.length; other++) {
    if (other === thread) continue;
    const way = wayToRace(code, state, other, address, others);
    if (!way) continue;
    const before = computationTo();
    const computation = [...before, load, ...way];
    return {
      computation,
      earlierStore: earlierStoreIn(before, load, way.at(-1)),
      load: before.length,
      other: computation.length - 1,
    };
  }
  return undefined;
}

/** The result of a search for triangular races. */
export interface RaceSearch {
  readonly race?: TriangularRace;
  readonly states: number;
  readonly faults: readonly FaultyStep[];
  /** The limit that ended the search early; absent from a search with a race as the result. */
  readonly incomplete?: Exhaustion;
}
