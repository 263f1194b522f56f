import { hasKind } from '@fencewright/model/program/has-kind.js';
import type { Program, Property } from '@fencewright/model/program/program.js';
import { mentionsOf } from '@fencewright/model/program/property.js';
import { isFinal, isStuck } from '@fencewright/model/semantics/machine.js';
import type { RelaxedModel } from '@fencewright/model/trace/memory-model.js';
import { decidesProperty } from '@fencewright/model/semantics/property.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { ModelReach, PropertyVerdict } from '@fencewright/model/verdict/reach-result.js';

/**
 * Whether the property has equal verdicts under TSO and SC, given that the program is robust: no
 * TSO computation has a happens-before cycle, so each has a trace of SC ([BDM13] Lemma 1; lock
 * blocks are single nodes, and no edge leaves a block that has not ended, so such a block may come
 * last). Only executions without faults count: SC has no faults, and then TSO has none either.
 *
 * - `finally`, `exists`: in a final state all buffers are empty, so an SC computation of equal
 *   trace ends in equal registers and memory.
 * - `never` over memory: take a TSO computation to a state with memory m, and leave out all steps
 *   of each thread from the thread's first still pending store on, early loads included. Buffers
 *   are first in, first out, so no store left out has reached memory, and no thread depends on
 *   the steps left out. The remaining computation has empty buffers and memory m, and SC has a
 *   computation of equal trace: m is a memory of SC.
 * - `never` over places and registers: flush all buffers. Threads stay at their locations, and the
 *   argument for `never` over memory applies. With lock blocks a buffer may have to wait for a held
 *   lock, and SC has to order the store before or after the lock block: the argument then fails.
 * - Memory together with places or registers is not settled: in `thread a { x = 1; }` only TSO has
 *   the state with `a` at the end and `x` 0, and the program is robust. Empty buffers are not
 *   settled either.
 * - `stuck`: buffers are empty, and the state is a state of SC. Both models have equal next steps,
 *   unless the bus lock is held (see `isStuck`).
 * - `progress`: the states with empty buffers are those of SC, and what follows them has no
 *   buffers.
 */
export function isSettledByRobustness(program: Program, { kind, condition }: Property): boolean {
  switch (kind) {
    case 'finally':
    case 'exists':
    case 'progress':
      return true;
    case 'never': {
      const { memory, threads, buffers } = mentionsOf(condition);
      if (buffers) return false;
      return !threads || (!memory && !hasKind(program.threads, 'lock'));
    }
    case 'stuck':
      return !hasKind(program.threads, 'lock');
  }
}

/**
 * Whether the SC computation is also possible under the model and decides the property in its last
 * state.
 */
function decidesUnder(
  model: RelaxedModel,
  program: Program,
  property: Property,
  computation: Computation,
): boolean {
  const state = replayStates(program, computation, model)?.at(-1);
  if (!state) return false;
  const code = compileProgram(program);
  return decidesProperty(program, property, state, isFinal(code, state), () =>
    isStuck(model, code, state),
  );
}

/**
 * Decides questions left open by an incomplete exploration under a model with store buffers with
 * the findings under SC: an execution of SC is an execution of the model.
 */
export function addFoundUnderSc(
  program: Program,
  model: RelaxedModel,
  sc: ModelReach,
  tso: ModelReach,
  keyOf: (state: ModelReach['finalStates'][number]) => string,
): ModelReach {
  const known = new Set(tso.finalStates.map(keyOf));
  const isKnown = (thread: number, transition: number): boolean =>
    tso.failedAssertions.some((one) => one.thread === thread && one.transition === transition);
  const finalStates = [
    ...tso.finalStates,
    ...sc.finalStates.filter((state) => !known.has(keyOf(state))),
  ].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return {
    ...tso,
    finalStates,
    properties: tso.properties.map((own, i): PropertyVerdict => {
      const other = sc.properties[i];
      const property = program.properties[i];
      if (own.verdict !== 'unknown' || !other?.computation || !property) return own;
      const { verdict, computation } = other;
      return decidesUnder(model, program, property, computation)
        ? { ...own, verdict, computation }
        : own;
    }),
    failedAssertions: [
      ...tso.failedAssertions,
      ...sc.failedAssertions.filter(({ thread, transition }) => !isKnown(thread, transition)),
    ],
  };
}

/**
 * Settles all open questions of a robust program with fully known SC states. TSO has no further
 * final states and fails no further assertions, for an SC computation of equal trace passes each
 * assertion with equal registers. (Stores pending at the assertion can be left out, or flushed if
 * they belong to the asserting thread. If another thread holds the bus lock, the lock block can be
 * left out too, as no thread has seen any effect of the block.)
 */
export function completeByRobustness(
  program: Program,
  sc: ModelReach,
  tso: ModelReach,
): ModelReach {
  return {
    ...tso,
    settledBy: 'robustness',
    properties: tso.properties.map((own, i): PropertyVerdict => {
      const other = sc.properties[i];
      const property = program.properties[i];
      if (own.verdict !== 'unknown' || !other || !property) return own;
      if (!isSettledByRobustness(program, property)) return own;
      const { computation: _, ...rest } = other;
      return { ...rest, settledBy: 'robustness' };
    }),
  };
}
