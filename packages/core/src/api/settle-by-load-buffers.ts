import type { Budget } from '@fencewright/ground/base/budget.js';
import { LoadBufferSearch } from '@fencewright/engines/load-buffers/load-buffer-search.js';
import type { Program } from '@fencewright/model/program/program.js';
import { claimsExistence } from '@fencewright/model/program/property.js';
import type {
  FailedAssertion,
  ModelReach,
  PropertyVerdict,
} from '@fencewright/model/verdict/reach-result.js';
import { finalStateKey, visibleState } from './reach-under.js';

/** Decides the properties that an exploration left open; returns the verdicts on all properties. */
async function settleProperties(
  program: Program,
  { properties }: ModelReach,
  search: LoadBufferSearch,
  budget: Budget,
): Promise<readonly PropertyVerdict[]> {
  const settled: PropertyVerdict[] = [];
  for (const [i, own] of properties.entries()) {
    const property = program.properties[i];
    if (own.verdict !== 'unknown' || !property) {
      settled.push(own);
      continue;
    }
    const answer = await search.decide(property, budget);
    const [found, absent] = claimsExistence(property)
      ? (['holds', 'violated'] as const)
      : (['violated', 'holds'] as const);
    const settledBy = 'load-buffers';
    if (answer.kind === 'unknown') settled.push(own);
    else if (answer.kind === 'unreachable') settled.push({ ...own, verdict: absent, settledBy });
    else settled.push({ ...own, verdict: found, settledBy, computation: answer.computation });
  }
  return settled;
}

/** Finds assertions that can fail; `areAll` tells whether all such assertions were found. */
async function findFailures(
  program: Program,
  { failedAssertions }: ModelReach,
  search: LoadBufferSearch,
  budget: Budget,
): Promise<{ readonly failed: readonly FailedAssertion[]; readonly areAll: boolean }> {
  const failed = [...failedAssertions];
  const isKnown = (t: number, id: number): boolean =>
    failed.some(({ thread, transition }) => thread === t && transition === id);
  let areAll = true;
  for (const [thread, { transitions }] of program.threads.entries())
    for (const [transition, { instruction }] of transitions.entries()) {
      if (instruction.kind !== 'assert' || isKnown(thread, transition)) continue;
      const answer = await search.fails(thread, transition, budget);
      if (answer.kind === 'unknown') areAll = false;
      else if (answer.kind === 'reachable')
        failed.push({ thread, transition, computation: answer.computation });
    }
  return { failed, areAll };
}

async function findFinalStates(
  program: Program,
  { finalStates }: ModelReach,
  search: LoadBufferSearch,
  budget: Budget,
): Promise<Pick<ModelReach, 'finalStates'> & { readonly areAll: boolean }> {
  const known = new Map(finalStates.map((state) => [finalStateKey(state), state]));
  for (;;) {
    const answer = await search.findFinalState(
      (state) => known.has(finalStateKey(visibleState(program, state))),
      budget,
    );
    if (answer.kind === 'reachable') {
      const state = visibleState(program, answer.state);
      known.set(finalStateKey(state), state);
      continue;
    }
    const sorted = [...known].sort(([a], [b]) => (a < b ? -1 : 1));
    return { finalStates: sorted.map(([, state]) => state), areAll: answer.kind === 'unreachable' };
  }
}

/**
 * Decides, as far as possible, the questions that an incomplete exploration under TSO left open
 * (properties, assertions, final states), by a backward search over load buffers. The answers hold
 * for buffers of any length. Every violation found has been replayed.
 */
export async function settleByLoadBuffers(
  program: Program,
  tso: ModelReach,
  budget: Budget,
): Promise<ModelReach> {
  const search = new LoadBufferSearch(program);
  const properties = await settleProperties(program, tso, search, budget);
  const { failed, areAll } = await findFailures(program, tso, search, budget);
  const ends = await findFinalStates(program, tso, search, budget);
  // The search finds final states in which all threads have ended, none without some thread.
  const areAllCreated = program.threads.every(({ created }) => created === undefined);
  const knowsAll = areAll && ends.areAll && areAllCreated;
  const { finalStates } = ends;
  return {
    ...tso,
    ...(knowsAll && { settledBy: 'load-buffers' }),
    ...(areAll && { assertionsSettledBy: 'load-buffers' }),
    finalStates,
    properties: properties.map((own, i) => {
      const isVacuous = ends.areAll && areAllCreated && finalStates.length === 0;
      const isFinally = program.properties[i]?.kind === 'finally' && own.verdict === 'holds';
      return isVacuous && isFinally ? { ...own, isVacuous: true as const } : own;
    }),
    failedAssertions: failed,
  };
}
