import type { Program } from '@fencewright/model/program/program.js';
import { initialState, successors } from '@fencewright/model/semantics/machine.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';

/**
 * Whether the load at `at` follows a store of its thread to another address, with no instruction
 * between that waits for an empty buffer.
 */
function hasUnfencedStore(run: readonly Action[], at: number): boolean {
  const load = run[at];
  if (load?.kind !== 'load') return false;
  for (let i = at - 1; i >= 0; i--) {
    const action = run[i];
    if (action?.thread !== load.thread) continue;
    if (['fence', 'rmw', 'lock', 'unlock'].includes(action.kind)) return false;
    if (action.kind === 'issue' && action.address !== load.address) return true;
  }
  return false;
}

/**
 * Returns the index of the `lock` of the lock block around position `at`; `at` outside of lock
 * blocks.
 */
function startOfBlock(run: readonly Action[], at: number): number {
  const thread = run[at]?.thread;
  for (let i = at - 1; i >= 0; i--) {
    const action = run[i];
    if (action?.thread !== thread) continue;
    if (action?.kind === 'unlock') return at;
    if (action?.kind === 'lock') return i;
  }
  return at;
}

/**
 * Returns the addresses of stores that may be buffered when the load at `at` happens, without the
 * load's own address.
 */
function otherUnfenced(run: readonly Action[], at: number): readonly number[] {
  const load = run[at];
  const found: number[] = [];
  for (let i = at - 1; i >= 0; i--) {
    const action = run[i];
    if (load?.kind !== 'load' || action?.thread !== load.thread) continue;
    if (['fence', 'rmw', 'lock', 'unlock'].includes(action.kind)) break;
    if (action.kind === 'issue' && action.address !== load.address) found.push(action.address);
  }
  return found;
}

/**
 * Whether the instructions between the `lock` at `transition` and the matching unlocks include a
 * store or an rmw.
 */
function blockWrites(program: Program, thread: number, transition: number): boolean {
  const transitions = program.threads[thread]?.transitions ?? [];
  const visit = (location: number | undefined, seen: readonly number[]): boolean =>
    location !== undefined &&
    !seen.includes(location) &&
    transitions.some(
      ({ from, to, instruction: { kind } }) =>
        from === location &&
        kind !== 'unlock' &&
        (kind === 'store' || kind === 'rmw' || visit(to, [...seen, location])),
    );
  return visit(transitions[transition]?.to, []);
}

/** Whether an SC computation has a triangular race, by the literal definition. */
export function hasTriangularRace(program: Program, run: readonly Action[]): boolean {
  return run.some((access, a) => {
    if (!['store', 'rmw', 'load'].includes(access.kind) || !('address' in access)) return false;
    const isWrite =
      access.kind === 'store' || (access.kind === 'rmw' && access.written !== undefined);
    const isRead = access.kind === 'load' || access.kind === 'rmw';
    const start = startOfBlock(run, a);
    const lock = run[start];
    const isInWritingBlock =
      lock?.kind === 'lock' && blockWrites(program, access.thread, lock.transition);
    // The actions that may come between the load and the write: steps inside the block, the issue
    // of the store, and steps without accesses.
    const isPart = (action: Action, i: number): boolean =>
      action.kind === 'local' ||
      (action.thread === access.thread && (i >= start || (action.kind === 'issue' && i === a - 1)));
    let r = a - 1;
    while (r >= 0 && isPart(run[r]!, r)) r--;
    const load = run[r];
    if (load?.kind !== 'load' || load.thread === access.thread) return false;
    if (isWrite && load.address === access.address && hasUnfencedStore(run, r)) return true;
    return isRead && isInWritingBlock && otherUnfenced(run, r).includes(access.address);
  });
}

/**
 * Whether some SC computation of a program without loops has a triangular race; `undefined` if the
 * search takes more than `limit` steps.
 */
export function racesByDefinition(program: Program, limit: number): boolean | undefined {
  const code = compileProgram(program);
  let steps = 0;
  const extend = (state: MachineState, run: readonly Action[]): boolean | undefined => {
    if (++steps > limit) return undefined;
    const next = successors('SC', code, state).steps;
    if (next.length === 0) return hasTriangularRace(program, run);
    for (const step of next) {
      const found = extend(step.state, [...run, ...step.actions]);
      if (found !== false) return found;
    }
    return false;
  };
  return extend(initialState(program), []);
}
