import type { Budget } from '@fencewright/ground/base/budget.js';
import {
  DrainedGraph,
  drainedObservation,
} from '@fencewright/engines/exploration/drained-graph.js';
import { PackedExploration } from '@fencewright/engines/exploration/packed-exploration.js';
import type { Program } from '@fencewright/model/program/program.js';
import { findHangs, lostUnderSc } from '@fencewright/engines/progress/find-hangs.js';
import { statesAtRest } from '@fencewright/engines/progress/states-at-rest.js';
import type { MemoryModel } from '@fencewright/model/semantics/machine.js';
import type { DrainedComparison } from '@fencewright/model/verdict/answer-of-reach.js';
import type { HangFindings } from '@fencewright/model/verdict/hang.js';
import type { ReachResult } from '@fencewright/model/verdict/reach-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/unknown-reason.js';
import { visibleState } from './reach-under.js';

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
  };
  if (firstDelayed === undefined) return { hangs, drained: { kind: 'same' } };
  const { state, computation } = exploration.runTo(firstDelayed);
  return {
    hangs,
    drained: { kind: 'differs', state: visibleState(program, state), computation },
  };
}

function open(reason: UnknownReason): DrainedFindings {
  return { hangs: { kind: 'unknown', why: { kind: 'limit', reason } } };
}
