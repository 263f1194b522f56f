import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { Program } from '@fencewright/model/program/program.js';
import { initialState } from '@fencewright/model/semantics/machine.js';
import { evaluateStateExpression } from '@fencewright/model/semantics/state-expression.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { C11Claim } from '@fencewright/model/verdict/c11-result.js';
import { compileC11, type ThreadPoint } from './c11-steps.js';
import type { C11Cells } from './cells.js';
import { searchInterleavings } from './interleavings.js';

/** The results of a search through the interleavings of a program. */
export interface InterleavingOutcomes {
  /** Whether some assertion fails; `undefined` if not known. */
  readonly fails: boolean | undefined;
  /**
   * By property, whether the `exists` or `finally` holds; `undefined` if unknown, and for other
   * kinds of properties.
   */
  readonly claims: readonly (boolean | undefined)[];
}

/**
 * Returns the machine state in which all threads have ended at the given places (location and
 * registers); `memory` is indexed by position in `addresses`.
 */
export function finalState(
  program: Program,
  { addresses }: C11Cells,
  places: readonly ThreadPoint[],
  memory: ArrayLike<number>,
): MachineState {
  const initial = initialState(program);
  return {
    ...initial,
    locations: places.map(({ location }) => location),
    registers: places.map(({ registers }) => registers),
    memory: new Map([
      ...initial.memory,
      ...addresses.map((address, cell) => [address, memory[cell]!] as const),
    ]),
  };
}

/**
 * Searches the interleavings of a program for failing assertions, and for the final states
 * described by the program's properties. Throws the exceptions of steps.
 */
export async function outcomesOfInterleavings(
  program: Program,
  model: C11Model,
  budget: Budget,
): Promise<InterleavingOutcomes> {
  const code = compileC11(program, 'asked');
  const found = await searchInterleavings(code, model, budget);
  const { table, failures, incomplete, program: monitored } = found;
  const { memory, sequential } = monitored.layout;
  const isMet = program.properties.map(() => false);
  for (let index = 0; index < table.size; index++) {
    const row = table.get(index);
    const places = program.threads.flatMap((_, thread) => monitored.placeOf(row, thread) ?? []);
    const hasEnded = ({ location }: ThreadPoint, thread: number): boolean =>
      at(at(code.code.threads, thread), location).length === 0;
    if (places.length < program.threads.length || !places.every(hasEnded)) continue;
    const values = row.subarray(memory, sequential);
    const state = finalState(program, monitored.cells, places, values);
    for (const [property, { kind, condition }] of program.properties.entries())
      if (kind === 'exists' || kind === 'finally')
        isMet[property] ||=
          (evaluateStateExpression(program, condition, state) !== 0) === (kind === 'exists');
  }
  return {
    fails: failures.length > 0 ? true : incomplete ? undefined : false,
    claims: program.properties.map(({ kind }, property) => {
      if (kind !== 'exists' && kind !== 'finally') return undefined;
      return at(isMet, property) ? kind === 'exists' : incomplete ? undefined : kind === 'finally';
    }),
  };
}

/**
 * Returns an answer for each property `exists` and `finally`, concluded from the results about
 * interleavings: every interleaving is an execution of C11. `areFinalsOfSC` tells whether,
 * conversely, every final state of C11 is a final state of an interleaving.
 */
export function claimsOfInterleavings(
  { properties }: Program,
  { claims }: InterleavingOutcomes,
  areFinalsOfSC: boolean,
): readonly C11Claim[] {
  return properties.flatMap(({ kind }, property): readonly C11Claim[] => {
    if (kind !== 'exists' && kind !== 'finally') return [];
    const underSC = claims[property];
    if (underSC === undefined) return [{ property, answer: 'unknown' }];
    const isDecided = areFinalsOfSC || underSC === (kind === 'exists');
    const answer = !isDecided ? 'unknown' : underSC ? 'holds' : 'fails';
    return [{ property, answer, underSC }];
  });
}
