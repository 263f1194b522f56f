import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { judgeRun } from '@fencewright/model/events/judge-run.js';
import { replayEventRun } from '@fencewright/model/events/replay-event-run.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import type { EventViolation, RunEdge } from '@fencewright/model/trace/event-violation.js';
import type { Criterion, EventWitness } from '@fencewright/model/verdict/event-check-result.js';
import type { RunConflict, RunJudgement } from '@fencewright/model/verdict/event-judgement.js';

/** Returns how a run violates a criterion; `undefined` if the run satisfies the criterion. */
function violationOf(
  { accesses, againstDfsOrder, cycleOfEvents, happensBeforeCycle }: RunJudgement,
  criterion: Criterion,
): EventViolation | undefined {
  if (criterion === 'tso')
    return happensBeforeCycle && { kind: 'happens-before', edges: happensBeforeCycle };
  const placeOf = (access: number): number => {
    const { action, storedAt = action } = at(accesses, access);
    return storedAt;
  };
  const edge = ({ first, second }: RunConflict): RunEdge => ({
    from: placeOf(first),
    to: placeOf(second),
  });
  if (againstDfsOrder && criterion !== 'serialisability')
    return { kind: 'dfs-order', ...edge(againstDfsOrder) };
  if (!cycleOfEvents || criterion === 'determinism') return undefined;
  return {
    kind: 'event-cycle',
    edges: cycleOfEvents.map((order) =>
      order.kind === 'conflict'
        ? { ...edge(order.conflict), relation: 'conflict' }
        : { from: order.cause.passed, to: order.cause.begun, relation: 'cause' },
    ),
  };
}

/**
 * Returns the run as a witness if the machine can do the run, action by action, and the run has no
 * explanation by the definitions; otherwise `undefined`.
 */
export function eventWitnessOf(
  program: EventProgram,
  run: EventRun,
  criterion: Criterion,
  isPostingFenced: boolean,
): EventWitness | undefined {
  const needsBuffers = criterion === 'tso' || criterion === 'tsoSerial';
  const semantics = needsBuffers ? 'multi-tso' : 'multi-sc';
  const replay = replayEventRun(program, run, semantics, { postingFenced: isPostingFenced });
  if (replay.kind === 'impossible') return undefined;
  const violation = violationOf(judgeRun(program, run), criterion);
  return violation && { semantics, run, violation };
}

/**
 * Returns the witness for a claimed violation; all witnesses against programs of events are made
 * here. Throws `InternalError` if the run is no violation.
 */
export function verifiedEventWitness(...claim: Parameters<typeof eventWitnessOf>): EventWitness {
  const witness = eventWitnessOf(...claim);
  if (!witness) throw new InternalError('a witness cannot be replayed or violates nothing');
  return witness;
}
