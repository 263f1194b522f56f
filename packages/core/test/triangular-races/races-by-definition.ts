import type { Program } from '../../src/program/program.js';
import { initialState, successors } from '../../src/semantics/machine.js';
import { compileProgram } from '../../src/semantics/thread-code.js';
import type { Action } from '../../src/trace/computation.js';
import type { MachineState } from '../../src/trace/machine-state.js';

/** Whether the load at `at` has an earlier store of its thread to another address, and nothing between that waits for the buffer. */
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

/** The index of the `lock` of the lock block around position `at`, or `at`. */
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

/** Whether a sequence of actions, an SC computation, has a triangular race: the definition, word for word. */
export function hasTriangularRace(run: readonly Action[]): boolean {
  return run.some((write, w) => {
    const isWrite = write.kind === 'store' || (write.kind === 'rmw' && write.written !== undefined);
    if (!isWrite) return false;
    const { address } = write;
    // What the computation does between: steps inside the block, the issue of the store itself, and steps without accesses.
    const start = startOfBlock(run, w);
    const isPart = (action: Action, i: number): boolean =>
      action.kind === 'local' ||
      (action.thread === write.thread && (i >= start || (action.kind === 'issue' && i === w - 1)));
    let r = w - 1;
    while (r >= 0 && isPart(run[r]!, r)) r--;
    const load = run[r];
    return (
      load?.kind === 'load' &&
      load.thread !== write.thread &&
      load.address === address &&
      hasUnfencedStore(run, r)
    );
  });
}

/** Whether some SC computation of a program without loops has a triangular race; `undefined` if there are more than `limit` steps. */
export function racesByDefinition(program: Program, limit: number): boolean | undefined {
  const code = compileProgram(program);
  let steps = 0;
  const extend = (state: MachineState, run: readonly Action[]): boolean | undefined => {
    if (++steps > limit) return undefined;
    const next = successors('SC', code, state).steps;
    if (next.length === 0) return hasTriangularRace(run);
    for (const step of next) {
      const found = extend(step.state, [...run, ...step.actions]);
      if (found !== false) return found;
    }
    return false;
  };
  return extend(initialState(program), []);
}
