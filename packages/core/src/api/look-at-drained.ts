import type { Budget } from '@fencewright/ground/base/budget.js';
import {
  DrainedGraph,
  drainedObservation,
} from '@fencewright/engines/exploration/drained-graph.js';
import { PackedExploration } from '@fencewright/engines/exploration/packed-exploration.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { Program } from '@fencewright/model/program/program.js';
import { progressGoal } from '@fencewright/model/program/property.js';
import { confirmHang } from '@fencewright/engines/progress/confirm-hang.js';
import {
  deadlockedUnderSc,
  findHangs,
  lostUnderSc,
} from '@fencewright/engines/progress/find-hangs.js';
import {
  type AtRest,
  isQuiet,
  statesAtRest,
} from '@fencewright/engines/progress/states-at-rest.js';
import { memoryModels, type MemoryModel } from '@fencewright/model/trace/memory-model.js';
import type { DrainedComparison } from '@fencewright/model/verdict/answer-of-reach.js';
import type { HangFindings, LeftThread, WaitingState } from '@fencewright/model/verdict/hang.js';
import type { OpenReason } from '@fencewright/model/verdict/open-reason.js';
import type {
  ModelReach,
  PropertyVerdict,
  ReachResult,
} from '@fencewright/model/verdict/reach-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/unknown-reason.js';
import { finalStateKey, visibleState } from './reach-under.js';

/**
 * The maximum number of states of an exploration that is not known to end. The number is small,
 * since the exploration would be in vain if buffers grow for ever.
 */
const statesOfAttempt = 50_000;
/** The maximum number of stores in a store buffer in an exploration that is not known to end. */
const storesOfAttempt = 64;

/** Facts about the states with empty buffers and the states reachable from them. */
interface DrainedFindings {
  readonly hangs: HangFindings;
  /** The comparison of the states with empty buffers under SC and TSO; absent if unknown. */
  readonly drained?: DrainedComparison;
  readonly progress: ProgressFindings;
}

/** The verdicts on `progress` properties, by index of the property; absent if unknown. */
interface ProgressFindings {
  readonly sc?: ReadonlyMap<number, PropertyVerdict>;
  readonly tso?: ReadonlyMap<number, PropertyVerdict>;
}

/**
 * Explores the states with empty buffers completely, if the exploration is known to end. A robust
 * program has the same states with empty buffers as under SC. Two states count as different if they
 * differ in the locations of threads, up to local steps, in registers that may still be read or
 * that users see at ends, or in memory. `isFaulty`: whether some execution ends in a fault; then
 * nothing is explored.
 */
export async function lookAtDrained(
  program: Program,
  {
    sc,
    tso,
    model: compared,
    robustness,
  }: Pick<ReachResult, 'sc' | 'tso' | 'model' | 'robustness'>,
  isFaulty: boolean,
  budget: Budget,
): Promise<DrainedFindings> {
  const unknown = (why: OpenReason, progress: ProgressFindings = {}): DrainedFindings => ({
    hangs: { kind: 'unknown', why },
    progress,
  });
  if (isFaulty) return unknown({ kind: 'faults' });
  const ofSc = sc.incomplete === undefined ? await progressUnderSc(program, budget) : undefined;
  const found = ofSc && { sc: ofSc };
  // The graph of states with empty buffers finds the SC executions by issuing stores late, which is
  // correct for FIFO buffers only.
  if (!memoryModels[compared].isFifo)
    return unknown({ kind: 'limit', reason: 'unsupported' }, found);
  const model: MemoryModel = robustness === 'robust' ? 'SC' : compared;
  const { incomplete } = model === 'SC' || sc.incomplete !== undefined ? sc : tso;
  if (incomplete === 'buffer') return unknown({ kind: 'buffer' }, found);
  // An exploration may have stopped early because other methods settled its own questions.
  const mayEnd = incomplete === 'states' && sc.incomplete === undefined;
  if (incomplete !== undefined && !mayEnd)
    return unknown({ kind: 'limit', reason: incomplete }, found);
  const part = mayEnd ? budget.part(statesOfAttempt) : budget;
  const mostStores = mayEnd ? storesOfAttempt : Number.POSITIVE_INFINITY;
  const looked = await exploreDrained(program, model, part, mostStores);
  if (looked === 'faults') return unknown({ kind: 'faults' });
  if (typeof looked === 'string') return unknown({ kind: 'limit', reason: looked }, found);
  const { exploration, rests, firstDelayed } = looked;
  const hangs: HangFindings = {
    kind: 'found',
    hangs: findHangs(program, exploration, rests).map(({ state, ...hang }) => ({
      ...hang,
      state: visibleState(program, state),
    })),
    underSc: lostUnderSc(rests),
    deadlocked: deadlockedUnderSc(program, rests),
    atRest: waitingStates(program, exploration, rests),
    left: leftThreads(rests),
  };
  const tsoProgress = ofSc && new Map([...progressIn(program, looked), ...failuresIn(ofSc)]);
  const progress = ofSc && tsoProgress ? { sc: ofSc, tso: tsoProgress } : {};
  if (firstDelayed === undefined) return { hangs, drained: { kind: 'same' }, progress };
  const { state, computation } = exploration.runTo(firstDelayed);
  return {
    ...{ hangs, progress },
    drained: { kind: 'differs', state: visibleState(program, state), computation },
  };
}

/**
 * Returns the states at rest in which threads wait, states of SC first; of states that users cannot
 * distinguish, only the first.
 */
function waitingStates(
  program: Program,
  exploration: PackedExploration,
  rests: readonly AtRest[],
): readonly WaitingState[] {
  const found = new Map<string, WaitingState>();
  const bySc = rests.toSorted((a, b) => Number(b.isSequential) - Number(a.isSequential));
  for (const rest of bySc) {
    if (rest.ways.length === 0 || !isQuiet(rest)) continue;
    const seen = visibleState(program, exploration.unpack(rest.state));
    const hasEnded = (thread: number): boolean => rest.ways.every((one) => one.thread !== thread);
    // Users do not see the registers of threads that have not ended.
    const registers = seen.registers.map((values, t) =>
      hasEnded(t) ? values : values.map(() => 0),
    );
    const state = { ...seen, registers };
    const key = JSON.stringify([finalStateKey(state), rest.ways]);
    const { isSequential, ways: waiting } = rest;
    if (!found.has(key)) found.set(key, { state, isSequential, waiting });
  }
  return [...found.values()];
}

/**
 * Returns the threads that still wait when the process ends, each once. `isSequential` holds for a
 * thread that some SC execution leaves waiting in the same way.
 */
function leftThreads(rests: readonly AtRest[]): readonly LeftThread[] {
  const found = new Map<ThreadId, LeftThread>();
  for (const { left, isSequential } of rests)
    for (const waiting of left)
      if (isSequential ? !found.get(waiting.thread)?.isSequential : !found.has(waiting.thread))
        found.set(waiting.thread, { waiting, isSequential });
  return [...found.values()].sort((a, b) => a.waiting.thread - b.waiting.thread);
}

/**
 * A complete exploration of the states with empty buffers, and the states in which the program
 * comes to rest.
 */
interface Drained {
  readonly exploration: PackedExploration;
  readonly rests: readonly AtRest[];
  readonly firstDelayed: number | undefined;
}

/**
 * Explores the states with empty buffers, or returns why the exploration is incomplete; stops at a
 * buffer with more than `mostStores` stores.
 */
async function exploreDrained(
  program: Program,
  model: MemoryModel,
  budget: Budget,
  mostStores = Number.POSITIVE_INFINITY,
): Promise<Drained | UnknownReason | 'faults'> {
  if (memoryModels[model].hasBuffers && hasHeavyFences(program)) return 'unsupported';
  const observation = drainedObservation(program);
  const exploration = new PackedExploration(program, { model, observation });
  const end = await exploration.explore(budget, () => exploration.longestBuffer <= mostStores);
  if (exploration.faults.length > 0) return 'faults';
  if (end === 'done') return 'states';
  if (end !== 'complete') return end === 'endless' ? 'undecided' : end;
  const found = await statesAtRest(program, new DrainedGraph(program, exploration), budget);
  return typeof found === 'string' ? found : { exploration, ...found };
}

/**
 * Returns the verdicts of all `progress` properties, by index of the property, with a computation
 * to a state where the property fails.
 */
function progressIn(
  program: Program,
  { exploration, rests }: Drained,
): ReadonlyMap<number, PropertyVerdict> {
  return new Map(
    program.properties.flatMap((property, index): readonly [number, PropertyVerdict][] => {
      const goal = progressGoal(property);
      if (!goal) return [];
      const { name } = property;
      const rest = rests.find(({ missed }) => missed.includes(index));
      if (!rest) return [[index, { property: name, verdict: 'holds' }]];
      const { state, computation } = exploration.runTo(rest.state);
      confirmHang(program, state, [goal]);
      return [[index, { property: name, verdict: 'violated', computation }]];
    }),
  );
}

/**
 * Returns the verdicts under SC of all `progress` properties, by index of the property; `undefined`
 * if some are unknown.
 */
async function progressUnderSc(
  program: Program,
  budget: Budget,
): Promise<ReadonlyMap<number, PropertyVerdict> | undefined> {
  if (!program.properties.some((property) => progressGoal(property))) return new Map();
  const looked = await exploreDrained(program, 'SC', budget);
  return typeof looked === 'string' ? undefined : progressIn(program, looked);
}

/**
 * Returns the properties that SC violates, with their indices. TSO violates these properties, too,
 * since each execution of SC is an execution of TSO.
 */
export function failuresIn(
  verdicts: ReadonlyMap<number, PropertyVerdict>,
): readonly (readonly [number, PropertyVerdict])[] {
  return [...verdicts].filter(([, { verdict }]) => verdict === 'violated');
}

/**
 * Returns a model's results with the verdicts of `progress` properties in the order of all
 * properties; `verdicts` has the new verdicts by index of the property; a missing verdict is
 * `unknown`.
 */
export function withProgress(
  { properties }: Program,
  model: ModelReach,
  verdicts: ReadonlyMap<number, PropertyVerdict> = new Map(),
): ModelReach {
  const others = model.properties.values();
  return {
    ...model,
    properties: properties.flatMap((property, index) =>
      progressGoal(property)
        ? (verdicts.get(index) ?? { property: property.name, verdict: 'unknown' as const })
        : (others.next().value ?? []),
    ),
  };
}
