import type { Budget } from '@fencewright/ground/base/budget.js';
import {
  DrainedGraph,
  drainedObservation,
} from '@fencewright/engines/exploration/drained-graph.js';
import { PackedExploration } from '@fencewright/engines/exploration/packed-exploration.js';
import type { ViolationSearch } from '@fencewright/repairs/fences/find-violation.js';
import type { Program, Property } from '@fencewright/model/program/program.js';
import { restsOfTsoAlone } from '@fencewright/engines/progress/find-hangs.js';
import {
  type AtRest,
  isQuiet,
  statesAtRest,
} from '@fencewright/engines/progress/states-at-rest.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import type { RestGoal } from '@fencewright/model/verdict/fence-result.js';
import { finalStateKey, visibleState } from './reach-under.js';

/**
 * Searches for a violation of `goals` under TSO: a thread that waits for ever, but does not wait in
 * this way under SC; or a state at rest that SC does not reach. The exploration of TSO also shows
 * which states SC reaches, so SC itself violates no goal. `properties` are `progress` properties,
 * which may fail under SC as well.
 */
export async function findAtRest(
  model: MemoryModel,
  program: Program,
  goals: readonly RestGoal[],
  properties: readonly Property[],
  budget: Budget,
): Promise<ViolationSearch> {
  if (model === 'SC' && properties.length === 0)
    return { violation: undefined, incomplete: undefined, faults: [] };
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
  for (const { name } of properties) {
    const index = program.properties.findIndex((one) => one.name === name);
    const rest = found.rests.find(({ missed }) => missed.includes(index));
    if (!rest) continue;
    const { computation } = exploration.runTo(rest.state);
    const violation = { kind: 'rest', goal: name, computation } as const;
    return { violation, incomplete: undefined, faults: [] };
  }
  for (const goal of model === 'SC' ? [] : goals) {
    const rest = missing(goal, program, graph, found.rests);
    if (!rest) continue;
    const { computation } = exploration.runTo(rest.state);
    return { violation: { kind: 'rest', goal, computation }, incomplete: undefined, faults: [] };
  }
  return open(undefined);
}

/**
 * Returns the first rest (`AtRest`) of the program that violates a goal; `undefined` if there is
 * none.
 */
function missing(
  goal: RestGoal,
  program: Program,
  graph: DrainedGraph,
  rests: readonly AtRest[],
): AtRest | undefined {
  switch (goal) {
    case 'progress':
      return restsOfTsoAlone(rests)[0]?.rest;
    case 'final-states':
      return newAtRest(
        program,
        graph,
        rests.filter(({ ways }) => ways.length === 0),
      );
    case 'states':
      return (
        missing('progress', program, graph, rests) ??
        newAtRest(program, graph, rests.filter(isQuiet))
      );
  }
}

/**
 * Returns the first rest (`AtRest`) whose visible states differ from those of every rest under SC;
 * `undefined` if there is none.
 */
function newAtRest(
  program: Program,
  graph: DrainedGraph,
  rests: readonly AtRest[],
): AtRest | undefined {
  const keyOf = ({ state }: AtRest): string => restKey(program, graph, state);
  const known = new Set(rests.filter((rest) => rest.isSequential).map((rest) => keyOf(rest)));
  return rests.find((rest) => !rest.isSequential && !known.has(keyOf(rest)));
}

/**
 * Returns a key of the visible parts of a state at rest and of all states reachable from it:
 * memory, the registers of ended threads, and the set of threads that have not ended.
 */
function restKey(program: Program, graph: DrainedGraph, start: number): string {
  const { exploration } = graph;
  const seen = new Set([start]);
  // The loop also visits elements added during the loop.
  for (const state of seen) for (const to of graph.next(state, false)) seen.add(to);
  const keys = [...seen].map((number) => {
    const state = visibleState(program, exploration.unpack(number));
    const isEnded = program.threads.map((_, thread) => exploration.isGone(number, thread));
    const registers = state.registers.map((values, thread) => (isEnded[thread] ? values : []));
    return `${isEnded.join()} ${finalStateKey({ ...state, registers })}`;
  });
  return [...new Set(keys)].sort().join('\n');
}
