import type { Budget } from '@fencewright/ground/base/budget.js';
import {
  DrainedGraph,
  drainedObservation,
} from '@fencewright/engines/exploration/drained-graph.js';
import { PackedExploration } from '@fencewright/engines/exploration/packed-exploration.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { findHangs, lostUnderSc } from '@fencewright/engines/progress/find-hangs.js';
import {
  type AtRest,
  isQuiet,
  statesAtRest,
} from '@fencewright/engines/progress/states-at-rest.js';
import type { MemoryModel } from '@fencewright/model/semantics/machine.js';
import type { DrainedComparison } from '@fencewright/model/verdict/answer-of-reach.js';
import type { HangFindings, LeftThread, WaitingState } from '@fencewright/model/verdict/hang.js';
import type { ReachResult } from '@fencewright/model/verdict/reach-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/unknown-reason.js';
import { finalStateKey, visibleState } from './reach-under.js';

/** Facts about the states with empty buffers and the states reachable from them. */
interface DrainedFindings {
  readonly hangs: HangFindings;
  /** Absent if unknown. */
  readonly drained?: DrainedComparison;
}

/**
 * Explores the states with empty buffers completely, if the exploration is known to end. A robust
 * program has the same states with empty buffers as under SC. Two states count as different if they
 * differ in the locations of threads, up to local steps, in registers that may still be read or
 * that users see at ends, or in memory.
 */
export async function lookAtDrained(
  program: Program,
  { sc, tso, robustness }: Pick<ReachResult, 'sc' | 'tso' | 'robustness'>,
  isFaulty: boolean,
  budget: Budget,
): Promise<DrainedFindings> {
  if (isFaulty) return { hangs: { kind: 'unknown', why: { kind: 'faults' } } };
  const model: MemoryModel = robustness === 'robust' ? 'SC' : 'TSO';
  const { incomplete } = model === 'SC' || sc.incomplete !== undefined ? sc : tso;
  if (incomplete === 'buffer') return { hangs: { kind: 'unknown', why: { kind: 'buffer' } } };
  if (incomplete !== undefined) return open(incomplete);
  const observation = drainedObservation(program);
  const exploration = new PackedExploration(program, { model, observation });
  const end = await exploration.explore(budget, () => true);
  if (exploration.faults.length > 0) return { hangs: { kind: 'unknown', why: { kind: 'faults' } } };
  if (end !== 'complete') return open(end === 'endless' || end === 'done' ? 'undecided' : end);
  const found = await statesAtRest(program, new DrainedGraph(program, exploration), budget);
  if (typeof found === 'string') return open(found);
  const { rests, firstDelayed } = found;
  const hangs: HangFindings = {
    kind: 'found',
    hangs: findHangs(program, exploration, rests).map(({ state, ...hang }) => ({
      ...hang,
      state: visibleState(program, state),
    })),
    underSc: lostUnderSc(rests),
    atRest: waitingStates(program, exploration, rests),
    left: leftThreads(rests),
  };
  if (firstDelayed === undefined) return { hangs, drained: { kind: 'same' } };
  const { state, computation } = exploration.runTo(firstDelayed);
  return {
    hangs,
    drained: { kind: 'differs', state: visibleState(program, state), computation },
  };
}

/** The states at rest in which threads wait, as users can tell them apart; those of SC first. */
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
    // What a thread knows that has not ended is nothing that users see.
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

/** The threads that wait where the process has ended, each once: as under SC, if it may so. */
function leftThreads(rests: readonly AtRest[]): readonly LeftThread[] {
  const found = new Map<ThreadId, LeftThread>();
  for (const { left, isSequential } of rests)
    for (const waiting of left)
      if (isSequential ? !found.get(waiting.thread)?.isSequential : !found.has(waiting.thread))
        found.set(waiting.thread, { waiting, isSequential });
  return [...found.values()].sort((a, b) => a.waiting.thread - b.waiting.thread);
}

function open(reason: UnknownReason): DrainedFindings {
  return { hangs: { kind: 'unknown', why: { kind: 'limit', reason } } };
}
