import type { Budget } from '../base/budget.js';
import type { Program } from '../program/program.js';
import type { MemoryModel } from '../semantics/machine.js';
import type { Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import { type Observation, observationOf } from './observation.js';
import { PackedExploration } from './packed-exploration.js';

/** Whether TSO reaches a drained state that SC does not. */
export type ComparedDrained =
  | { readonly kind: 'same' }
  | { readonly kind: 'differs'; readonly state: MachineState; readonly computation: Computation }
  /** An exploration did not come to its end, or executions fault. */
  | { readonly kind: 'open' };

/**
 * Compares the states that SC and TSO reach with empty buffers and nobody in a lock block, by
 * exploring both to the end. States are told apart by the places of threads, up to local steps, by
 * registers that may still be read or that users know at ends, and by memory.
 *
 * Both explorations have nodes at the same places: stores are issued one by one, so that TSO has a
 * drained state before a store where SC has one; all cells are in memory; and a thread that stands
 * still is told apart by where it stands.
 */
export async function compareDrained(program: Program, budget: Budget): Promise<ComparedDrained> {
  const observation: Observation = {
    ...observationOf(program, []),
    ...{ stuck: true, blocks: false, issues: true },
  };
  const explore = async (model: MemoryModel): Promise<PackedExploration | undefined> => {
    const exploration = new PackedExploration(program, { model, observation });
    const end = await exploration.explore(budget, () => true);
    return end === 'complete' && exploration.faults.length === 0 ? exploration : undefined;
  };
  const sc = await explore('SC');
  if (!sc) return { kind: 'open' };
  const sequential = new Set<string>();
  for (let state = 0; state < sc.states; state++)
    if (isDrained(sc, state)) sequential.add(drainedKey(sc.unpack(state)));
  const tso = await explore('TSO');
  if (!tso) return { kind: 'open' };
  for (let state = 0; state < tso.states; state++)
    if (isDrained(tso, state) && !sequential.has(drainedKey(tso.unpack(state))))
      return { kind: 'differs', ...tso.runTo(state) };
  return { kind: 'same' };
}

/** Whether all threads have begun, all buffers are empty and nobody is in a lock block. */
function isDrained(exploration: PackedExploration, state: number): boolean {
  return exploration.automata.every((_, thread) => {
    const { kind, state: local } = exploration.nodeOf(state, thread);
    return kind !== 'begin' && local.buffer.length === 0 && !local.holdsLock;
  });
}

function drainedKey({ locations, registers, memory }: MachineState): string {
  const cells = [...memory].sort(([a], [b]) => a - b);
  return JSON.stringify([locations, registers, cells]);
}
