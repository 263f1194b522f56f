import { at } from '@fencewright/ground/base/at.js';
import { evaluateExpression, ExecutionFault } from '@fencewright/model/program/evaluate.js';
import { selfRegister } from '@fencewright/model/program/expression.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { InstantiatedProgram } from '@fencewright/model/program/instantiate.js';
import type {
  Invariant,
  InvariantExpression,
  InvariantLeaf,
  SharedSymbol,
} from '@fencewright/model/program/program.js';
import { bindings, isAboutCells } from '../obligations/invariant-terms.js';
import type { ProofProgram } from '../steps/proof-program.js';

/** A thread in a sampled state of an instance. */
export interface SampledThread {
  /** The thread of the templates of which the sampled thread is a copy. */
  readonly thread: ThreadId;
  readonly self: number;
  readonly location: LocationId;
  /**
   * The values of the thread's registers, indexed by `RegisterId`; dead registers are 0 in samples.
   */
  readonly registers: readonly number[];
  /** Whether the thread is at a location without leaving transitions. */
  readonly hasEnded: boolean;
}

/**
 * The parts of a state of a machine that invariants can mention; the machine runs an instance of a
 * program.
 */
interface InstanceState {
  readonly locations: readonly LocationId[];
  readonly registers: readonly (readonly number[])[];
  readonly memory: ReadonlyMap<number, number>;
  readonly lockHolder?: ThreadId | undefined;
}

/**
 * A state that some small instance reaches under SC, with all threads at resting places. Samples
 * only refute claims.
 */
export interface SampledState {
  readonly memory: ReadonlyMap<number, number>;
  readonly threads: readonly SampledThread[];
}

/**
 * Returns a state of an instance as a sample; `undefined` if a thread has the bus lock, or is at no
 * resting place of its template. `templateOf` has the template of each thread of the instance.
 */
export function toSampledState(
  { threads: steps, templates }: ProofProgram,
  { program, templateOf }: InstantiatedProgram,
  { locations, registers, memory, lockHolder }: InstanceState,
): SampledState | undefined {
  if (lockHolder !== undefined) return undefined;
  const threads = locations.map((location, id): SampledThread => {
    const thread = at(templateOf, id);
    const { transitions } = at(templates.threads, thread);
    return {
      thread,
      self: at(program.threads, id).copy?.index ?? 0,
      location,
      registers: at(registers, id),
      hasEnded: !transitions.some(({ from }) => from === location),
    };
  });
  const areAtRest = threads.every(
    ({ thread, location }) => steps[thread]?.places.includes(location) === true,
  );
  return areAtRest ? { memory, threads } : undefined;
}

/**
 * Evaluates an expression of an invariant in a sampled state, with `everyIndex` as the index that
 * represents all indices. Returns `undefined` if the instance lacks a cell that the expression
 * names, or on a fault.
 */
export function evaluateInSample(
  expression: InvariantExpression,
  symbols: readonly SharedSymbol[],
  { memory }: SampledState,
  bound: readonly SampledThread[],
  everyIndex = 0,
): number | undefined {
  const valueOf = (leaf: InvariantLeaf): number => {
    switch (leaf.kind) {
      case 'at':
        return bound[leaf.binder]?.location === leaf.location ? 1 : 0;
      case 'ended':
        return bound[leaf.binder]?.hasEnded === true ? 1 : 0;
      case 'register': {
        const thread = bound[leaf.binder];
        return leaf.register === selfRegister
          ? (thread?.self ?? 0)
          : (thread?.registers[leaf.register] ?? 0);
      }
      case 'cell': {
        const { base, length } = at(symbols, leaf.symbol);
        const index = leaf.index ? evaluateExpression(leaf.index, valueOf) : 0;
        if (index < 0 || index >= length) throw new ExecutionFault('index');
        return memory.get(base + index) ?? 0;
      }
      case 'every-index':
        return everyIndex;
    }
  };
  try {
    return evaluateExpression(expression, valueOf);
  } catch (error) {
    if (error instanceof ExecutionFault) return undefined;
    throw error;
  }
}

/**
 * Whether the invariant is false in a sampled state for some choice of threads; an expression that
 * faults counts as true.
 */
export function brokenInSample(
  { templates }: ProofProgram,
  invariant: Invariant,
  state: SampledState,
): boolean {
  const { symbols } = templates;
  const { condition } = invariant;
  const indices = isAboutCells(condition) ? Math.max(...symbols.map(({ length }) => length)) : 1;
  return bindings(invariant, state.threads).some((bound) =>
    Array.from({ length: indices }, (_, index) => index).some(
      (index) => evaluateInSample(condition, symbols, state, bound, index) === 0,
    ),
  );
}
