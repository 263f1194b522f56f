import type { Budget } from '@fencewright/ground/base/budget.js';
import {
  DrainedGraph,
  drainedObservation,
} from '@fencewright/engines/exploration/drained-graph.js';
import { PackedExploration } from '@fencewright/engines/exploration/packed-exploration.js';
import type { ViolationSearch } from '@fencewright/repairs/fences/find-violation.js';
import type { Program } from '@fencewright/model/program/program.js';
import { restsOfTsoAlone } from '@fencewright/engines/progress/find-hangs.js';
import { statesAtRest } from '@fencewright/engines/progress/states-at-rest.js';
import type { MemoryModel } from '@fencewright/model/semantics/machine.js';

/**
 * Finds threads that wait for ever under TSO but not, or differently, under SC. One exploration,
 * under TSO, suffices.
 */
export async function findHang(
  model: MemoryModel,
  program: Program,
  budget: Budget,
): Promise<ViolationSearch> {
  if (model === 'SC') return { violation: undefined, incomplete: undefined, faults: [] };
  const observation = drainedObservation(program);
  const exploration = new PackedExploration(program, { model, observation });
  const open = (incomplete: ViolationSearch['incomplete']): ViolationSearch => ({
    violation: undefined,
    incomplete,
    faults: exploration.faults,
  });
  const end = await exploration.explore(budget, () => true);
  if (exploration.faults.length > 0) return open(undefined);
  if (end !== 'complete') return open(end === 'endless' || end === 'done' ? 'undecided' : end);
  const graph = new DrainedGraph(program, exploration);
  const found = await statesAtRest(program, graph, budget);
  if (typeof found === 'string') return open(found);
  const [hang] = restsOfTsoAlone(found.rests);
  if (!hang) return open(undefined);
  const { computation } = exploration.runTo(hang.rest.state);
  return { violation: { kind: 'hang', computation }, incomplete: undefined, faults: [] };
}
