import type { Program, Property } from '@fencewright/model/program/program.js';
import { mentionsOf } from '@fencewright/model/program/property.js';
import { isFinal, isStuck } from '@fencewright/model/semantics/machine.js';
import { decidesProperty } from '@fencewright/model/semantics/property.js';
import { replay } from '@fencewright/model/semantics/replay.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { ModelReach, PropertyVerdict } from '@fencewright/model/verdict/reach-result.js';

function hasLocks({ threads }: Program): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => instruction.kind === 'lock'),
  );
}

/**
 * Whether TSO says the same of the property as SC, given that the program is robust: no TSO
 * computation has a cycle in its happens-before, so each has a trace of SC ([BDM13] Lemma 1; lock
 * blocks are single nodes, and of a block that has not ended nothing leads to others, so it may
 * come last). Executions without faults are meant: SC has none, and then neither has TSO.
 *
 * - `finally`, `exists`: in a final state all buffers are empty, so an SC computation of the same
 *   trace ends in the same registers and memory.
 * - `never` over memory: take a TSO computation to a state with memory m, and leave out what each
 *   thread does from its first store on that is still pending, early loads included. Buffers are
 *   first in, first out, so none of that has reached memory, and no other thread depends on it.
 *   What is left is a computation with empty buffers and the same m, and SC has one of the same
 *   trace: m is a memory of SC.
 * - `never` over places and registers: flush all buffers. Threads stay where they are, and the rest
 *   is as above. With lock blocks a buffer may have to wait for a lock that is held, and SC has to
 *   order the store before or after that block: then this says nothing.
 * - Memory together with places or registers is another matter: in `thread a { x = 1; }` the state
 *   with `a` at its end and `x` 0 is one of TSO only, and the program is robust. So are empty
 *   buffers.
 * - `stuck`: buffers are empty, and the state is one of SC. What is left to do is the same, unless
 *   the bus lock is held (see `isStuck`).
 */
export function isSettledByRobustness(program: Program, { kind, condition }: Property): boolean {
  switch (kind) {
    case 'finally':
    case 'exists':
      return true;
    case 'never': {
      const { memory, threads, buffers } = mentionsOf(condition);
      if (buffers) return false;
      return !threads || (!memory && !hasLocks(program));
    }
    case 'stuck':
      return !hasLocks(program);
  }
}

/** Whether TSO has the computation of SC, and decides the property at its end. */
function decidesUnderTso(program: Program, property: Property, computation: Computation): boolean {
  const state = replay(program, computation)?.at(-1);
  if (!state) return false;
  const code = compileProgram(program);
  return decidesProperty(program, property, state, isFinal(code, state), () =>
    isStuck('TSO', code, state),
  );
}

/**
 * What an incomplete exploration under TSO has left open, settled by what was found under SC: an
 * execution of SC is one of TSO.
 */
export function addFoundUnderSc(
  program: Program,
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
      return decidesUnderTso(program, property, computation)
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
 * The same for a robust program whose SC states are all known: TSO has no other final states and
 * fails no other assertions, for each is passed with the same registers in an SC computation of the
 * same trace. (Stores that are pending at that moment can be left out, or flushed if they are of
 * the same thread; if another thread holds the bus lock, so can its block, of which nobody has seen
 * anything.)
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
