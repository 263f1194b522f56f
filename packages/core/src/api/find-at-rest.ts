import type { Budget } from '@fencewright/ground/base/budget.js';
import {
  DrainedGraph,
  drainedObservation,
} from '@fencewright/engines/exploration/drained-graph.js';
import { PackedExploration } from '@fencewright/engines/exploration/packed-exploration.js';
import type { LoadBufferSearch } from '@fencewright/engines/load-buffers/load-buffer-search.js';
import type { ViolationSearch } from '@fencewright/repairs/fences/find-violation.js';
import type { Program, Property } from '@fencewright/model/program/program.js';
import { restsOfTsoAlone } from '@fencewright/engines/progress/find-hangs.js';
import {
  type AtRest,
  isQuiet,
  statesAtRest,
} from '@fencewright/engines/progress/states-at-rest.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import type { RestGoal } from '@fencewright/model/verdict/fence-result.js';
import { askRobustness } from './reach.js';
import { finalStateKey, reachUnder, visibleState } from './reach-under.js';

/**
 * The maximum numbers of states of successive explorations of TSO. Methods for buffers of any
 * length are tried between two explorations.
 */
const turns = [2_000, 20_000, 200_000] as const;
/**
 * An exploration with more states than the last turn allows is given up if a buffer has more than
 * this number of stores: the buffer may then grow for ever.
 */
const mostStores = 16;
/**
 * The maximum lengths of buffers in searches for a violation, if unlimited buffers may grow for
 * ever.
 */
const bufferSizes = [1, 2, 4] as const;

const noViolation: ViolationSearch = { violation: undefined, incomplete: undefined, faults: [] };

/** The goals that a program has to meet at rest. */
interface Asked {
  readonly program: Program;
  readonly goals: readonly RestGoal[];
  readonly properties: readonly Property[];
}

/**
 * Searches for a violation of `goals` under TSO: a thread that waits for ever, but does not wait in
 * this way under SC; or a state at rest that SC does not reach. The exploration of TSO also shows
 * which states SC reaches, so SC itself violates no goal. `properties` are `progress` properties,
 * which may fail under SC as well. If buffers may grow for ever, and no other method has an answer,
 * the search is incomplete after a bounded number of states.
 */
export async function findAtRest(
  model: MemoryModel,
  program: Program,
  goals: readonly RestGoal[],
  properties: readonly Property[],
  budget: Budget,
): Promise<ViolationSearch> {
  if (model === 'SC' && properties.length === 0) return noViolation;
  const asked: Asked = { program, goals, properties };
  if (model === 'SC') return explore(asked, { model }, budget);
  for (const states of turns) {
    // A small rest of the budget is left to the exploration after the loop.
    if (budget.room(0) < 3 * states) break;
    const part = budget.part(states);
    const found = await explore(asked, { model }, part);
    budget.finishPart(part);
    if (found.incomplete !== 'states' || found.violation || found.faults.length > 0) return found;
    const settled = await settleAtRest(asked, states, budget);
    if (settled) return settled;
  }
  // A limit of the user's is the only one.
  const isBounded = budget.room(0) < Number.POSITIVE_INFINITY;
  return explore(asked, { model, ...(!isBounded && { mayGrowUntil: turns.at(-1)! }) }, budget);
}

/**
 * Searches for a violation by methods for buffers of any length, each with at most the given number
 * of states: if the program is robust, or TSO reaches no other states with empty buffers than SC,
 * the program comes to rest as under SC; and each violation with short buffers is a violation.
 * `undefined` if no method has an answer.
 */
export async function settleAtRest(
  asked: Asked,
  states: number,
  budget: Budget,
): Promise<ViolationSearch | undefined> {
  const { program, goals, properties } = asked;
  const within = async <T>(search: (part: Budget) => Promise<T>): Promise<T> => {
    const part = budget.part(states);
    const found = await search(part);
    budget.finishPart(part);
    return found;
  };
  for (const buffer of bufferSizes) {
    const found = await within((part) => explore(asked, { model: 'TSO', buffer }, part));
    if (found.violation) return found;
    if (found.incomplete) break;
  }
  const isRobust = (await within((part) => askRobustness(program, part))) === 'robust';
  if (isRobust || (await within((part) => reachesAsSc(program, part))))
    return findAtRest('SC', program, [], properties, budget);
  const isAboutEnds = properties.length === 0 && goals.every((goal) => goal === 'final-states');
  return isAboutEnds ? within((part) => findNewEnd(program, part)) : undefined;
}

async function loadBuffersOf(program: Program): Promise<LoadBufferSearch> {
  const { LoadBufferSearch: Search } =
    await import('@fencewright/engines/load-buffers/load-buffer-search.js');
  return new Search(program);
}

/**
 * Whether TSO is known to reach the same states with empty buffers as SC. The search leaves out
 * states in which the bus lock is held: a thread that ends the process may hold it for ever. Such a
 * state follows from a state without the lock by steps of this thread alone, under both models.
 */
async function reachesAsSc(program: Program, budget: Budget): Promise<boolean> {
  const answer = await (await loadBuffersOf(program)).findDrainedState(budget);
  return answer.kind === 'unreachable';
}

/**
 * Looks for a final state that TSO reaches and SC does not; `undefined` if the search has no
 * answer.
 */
async function findNewEnd(program: Program, budget: Budget): Promise<ViolationSearch | undefined> {
  const { threads, processEnds = [] } = program;
  // The search finds final states in which all threads have ended.
  if (processEnds.length > 0 || threads.some(({ created }) => created !== undefined))
    return undefined;
  const { reach } = await reachUnder('SC', program, budget);
  if (reach.incomplete) return undefined;
  const known = new Set(reach.finalStates.map(finalStateKey));
  const isKnown = (state: MachineState): boolean =>
    known.has(finalStateKey(visibleState(program, state)));
  const answer = await (await loadBuffersOf(program)).findFinalState(isKnown, budget);
  if (answer.kind === 'unknown') return undefined;
  if (answer.kind === 'unreachable') return noViolation;
  const { computation } = answer;
  return { ...noViolation, violation: { kind: 'rest', goal: 'final-states', computation } };
}

/**
 * Explores the program, and returns the first violation. With `buffer`, buffers have at most as
 * many stores. With `mayGrowUntil`, the exploration is given up at this number of states if a
 * buffer has more than `mostStores` stores.
 */
async function explore(
  { program, goals, properties }: Asked,
  {
    model,
    buffer,
    mayGrowUntil = Number.POSITIVE_INFINITY,
  }: { readonly model: MemoryModel; readonly buffer?: number; readonly mayGrowUntil?: number },
  budget: Budget,
): Promise<ViolationSearch> {
  const observation = drainedObservation(program);
  const exploration = new PackedExploration(program, {
    ...{ model, observation },
    ...(buffer !== undefined && { buffer }),
  });
  const open = (incomplete: ViolationSearch['incomplete']): ViolationSearch => ({
    violation: undefined,
    incomplete,
    faults: exploration.faults,
  });
  const end = await exploration.explore(
    budget,
    (states) => states <= mayGrowUntil || exploration.longestBuffer <= mostStores,
  );
  if (exploration.faults.length > 0) return open(undefined);
  if (end === 'done') return open('states');
  if (end !== 'complete') return open(end === 'endless' ? 'undecided' : end);
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
 * Returns the first state at rest (`AtRest`) that violates a goal; `undefined` if there is none.
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
 * Returns the first state at rest (`AtRest`) with visible parts that no state at rest under SC has;
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
