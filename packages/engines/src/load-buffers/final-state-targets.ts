import { at } from '@fencewright/ground/base/at.js';
import { initialState } from '@fencewright/model/semantics/machine.js';
import { compileProgram, leavingTransitions } from '@fencewright/model/semantics/thread-code.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { Minor } from './minor.js';
import { maxTargets, nodesOf, unknown, withLocks, type TargetContext } from './target-context.js';

/**
 * Returns minors for the unknown final states; `undefined` if there are too many. `isKnown`
 * receives a final state as a machine state with empty buffers.
 */
export function finalStatesBeyond(
  context: TargetContext,
  isKnown: (state: MachineState) => boolean,
): readonly Minor[] | undefined {
  const { program, graphs, cells } = context;
  const code = compileProgram(program);
  const start = initialState(program);
  let chosen: Pick<Minor, 'nodes' | 'memory'>[] = [{ nodes: [], memory: [] }];
  for (const thread of program.threads.keys()) {
    const { states } = at(graphs.threads, thread);
    const ends = nodesOf(context, thread).filter(
      (node) => leavingTransitions(code, thread, at(states, node).location).length === 0,
    );
    if (chosen.length * ends.length > maxTargets) return undefined;
    chosen = chosen.flatMap(({ nodes, memory }) =>
      ends.map((node) => ({ nodes: [...nodes, node], memory })),
    );
  }
  for (const count of graphs.values) {
    if (chosen.length * count > maxTargets) return undefined;
    chosen = chosen.flatMap(({ nodes, memory }) =>
      Array.from({ length: count }, (_, value) => ({ nodes, memory: [...memory, value] })),
    );
  }
  return chosen.flatMap(({ nodes, memory: values }) => {
    const memory = new Map(start.memory);
    values.forEach((id, cell) => {
      const value = cells.value(cell, id);
      if (value === 0) memory.delete(cells.address(cell));
      else memory.set(cells.address(cell), value);
    });
    const locals = nodes.map((node, t) => at(at(graphs.threads, t).states, node));
    const state = {
      ...start,
      locations: locals.map(({ location }) => location),
      registers: locals.map(({ registers }) => registers),
      memory,
    };
    return isKnown(state) ? [] : withLocks(context, { ...unknown(context), nodes, memory: values });
  });
}
