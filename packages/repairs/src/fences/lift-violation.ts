import type { Program } from '@fencewright/model/program/program.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';

/**
 * Converts a computation of the repaired program to one of the original program: transitions have
 * the same ids, inserted fences are left out.
 */
export function withoutRepairs(program: Program, computation: Computation): Computation {
  return computation.flatMap((action): Action[] => {
    const instruction = program.threads[action.thread]?.transitions[action.transition]?.instruction;
    if (!instruction) return [];
    if (action.kind !== 'rmw' || instruction.kind !== 'store') return [action];
    const { thread, transition, address, written = 0 } = action;
    const issue = { thread, transition, address, value: written };
    return [
      { ...issue, kind: 'issue' },
      { ...issue, kind: 'store' },
    ];
  });
}

/**
 * Returns the latest position to which the issue of a store at position `at` can be moved: before
 * the store itself, and before the next instruction of its thread; `undefined` if neither follows.
 */
function endOfWait(computation: readonly Action[], at: number): number | undefined {
  const own = computation[at]?.thread;
  const before = computation.slice(0, at).filter(({ thread }) => thread === own);
  const issued = before.filter(({ kind }) => kind === 'issue').length;
  let waiting = issued - before.filter(({ kind }) => kind === 'store').length;
  for (let i = at + 1; i < computation.length; i++) {
    const action = computation[i];
    if (action?.thread !== own) continue;
    if (action?.kind !== 'store' || waiting === 0) return i;
    waiting--;
  }
  return undefined;
}

/**
 * Returns the computation with every store issued as late as possible, so that a store waits in the
 * buffer only if an instruction overtakes it. The final state is unchanged: no other thread can see
 * an issue before the store reaches memory, and its own thread only once it executes a further
 * instruction.
 */
export function withLateIssues(computation: Computation): Computation {
  const actions = [...computation];
  for (let at = actions.length - 1; at >= 0; at--) {
    const action = actions[at];
    if (action?.kind !== 'issue') continue;
    const end = endOfWait(actions, at);
    if (end === undefined) continue;
    actions.splice(at, 1);
    actions.splice(end - 1, 0, action);
  }
  return actions;
}
