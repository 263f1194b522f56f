import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { exploreInTwo } from '@fencewright/engines/exploration/explore-in-two.js';
import { observationOf } from '@fencewright/engines/exploration/observation.js';
import type {
  PackedExploration,
  PackedOptions,
} from '@fencewright/engines/exploration/packed-exploration.js';
import { watchPacked } from '@fencewright/engines/exploration/watch-property.js';
import type { Program, Property } from '@fencewright/model/program/program.js';
import { claimsExistence } from '@fencewright/model/program/property.js';
import {
  exploreMachine,
  machineStateKey,
  type ExplorationBounds,
  type MachineVisitor,
} from '@fencewright/model/semantics/explore-machine.js';
import { type FaultyStep, isFinal, isStuck } from '@fencewright/model/semantics/machine.js';
import { memoryModels, type MemoryModel } from '@fencewright/model/trace/memory-model.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import { isCreated } from '@fencewright/model/program/is-created.js';
import { decidesProperty } from '@fencewright/model/semantics/property.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type {
  FailedAssertion,
  ModelReach,
  PropertyVerdict,
} from '@fencewright/model/verdict/reach-result.js';

/** The states reached under one memory model, and the faults found. */
export interface ReachUnder {
  readonly reach: ModelReach;
  readonly faults: readonly FaultyStep[];
}

/** The facts found while exploring states. */
interface StateFindings {
  readonly states: number;
  readonly incomplete: Exhaustion | undefined;
  readonly isBounded: boolean;
  readonly faults: readonly FaultyStep[];
  /** The final states that were reached, by `finalStateKey`. */
  readonly finalStates: ReadonlyMap<string, MachineState>;
  /** By index of `Program.properties`: a computation that decides the property, if there is one. */
  readonly deciding: readonly (Computation | undefined)[];
  readonly failedAssertions: readonly FailedAssertion[];
}

/**
 * Returns the state with hidden registers set to 0, and with the values that users see of threads
 * that have not been created.
 */
export function visibleState(program: Program, state: MachineState): MachineState {
  return {
    ...state,
    registers: state.registers.map((values, t) => {
      const thread = at(program.threads, t);
      const isThere = isCreated(thread, at(state.locations, t), state.memory);
      return values.map((value, r) => {
        const { hidden, ifNotCreated = value } = at(thread.registers, r);
        if (hidden) return 0;
        return isThere ? value : ifNotCreated;
      });
    }),
  };
}

/**
 * Returns a string that is equal for two final states iff registers and memory are equal,
 * regardless of the locations of threads.
 */
export function finalStateKey({ lockHolder: _held, ...state }: MachineState): string {
  return machineStateKey({ ...state, locations: [] });
}

/**
 * Explores states in packed form; returns `undefined` if a thread may compute for ever without
 * accessing memory, and for heavy fences under TSO.
 */
function findPacked(
  model: MemoryModel,
  program: Program,
  budget: Budget,
  { buffer }: ExplorationBounds,
): Promise<StateFindings | undefined> {
  const { hasBuffers } = memoryModels[model];
  if (hasBuffers && hasHeavyFences(program)) return Promise.resolve(undefined);
  const options: PackedOptions = {
    model,
    observation: observationOf(program),
    ...(hasBuffers && buffer !== undefined && { buffer }),
  };
  return exploreInTwo(
    program,
    options,
    budget,
    (exploration, part) => findIn(program, exploration, part),
    (found) => found?.incomplete !== 'states',
  );
}

async function findIn(
  program: Program,
  exploration: PackedExploration,
  budget: Budget,
): Promise<StateFindings | undefined> {
  const finalStates = new Map<string, MachineState>();
  const valuations = new Set<string>();
  // Final states with equal valuations answer all questions in the same way.
  const isNew = (state: number): boolean => {
    const before = valuations.size;
    return valuations.add(exploration.valuationOf(state)).size > before;
  };
  const watches = program.properties.map((property) => watchPacked(program, property, exploration));
  let next = 0;
  const end = await exploration.explore(budget, (states) => {
    for (; next < states; next++) {
      const isAsked = exploration.isFinal(next) && isNew(next);
      const final = isAsked ? exploration.unpack(next) : undefined;
      if (final) {
        const state = visibleState(program, final);
        const key = finalStateKey(state);
        if (!finalStates.has(key)) finalStates.set(key, state);
      }
      for (const { look } of watches) look(next, final);
    }
    return true;
  });
  if (end === 'endless') return undefined;
  return {
    states: exploration.states,
    incomplete: end === 'complete' || end === 'done' ? undefined : end,
    isBounded: exploration.isCut,
    faults: exploration.faults,
    finalStates,
    deciding: watches.map((one) => one.conclude()?.computation),
    failedAssertions: exploration.failures().map(({ thread, transition, run }) => ({
      thread,
      transition,
      computation: run.computation,
    })),
  };
}

/**
 * Returns the findings of exploring the states one by one with the machine of the definition: final
 * states, failed assertions, and computations that decide properties.
 */
async function findByMachine(
  model: MemoryModel,
  program: Program,
  budget: Budget,
  bounds: ExplorationBounds,
): Promise<StateFindings> {
  const code = compileProgram(program);
  const finalStates = new Map<string, MachineState>();
  const failed = new Map<string, FailedAssertion>();
  const deciding = program.properties.map((): Computation | undefined => undefined);
  const visitor: MachineVisitor = {
    onState({ state, computation }) {
      const final = isFinal(code, state);
      if (final) {
        const shown = visibleState(program, state);
        finalStates.set(finalStateKey(shown), shown);
      }
      const stuck = (): boolean => isStuck(model, code, state);
      program.properties.forEach((property, i) => {
        if (!deciding[i] && decidesProperty(program, property, state, final, stuck))
          deciding[i] = computation();
      });
    },
    onFailedAssertion({ thread, transition }, computation) {
      const key = `${thread}.${transition}`;
      if (!failed.has(key)) failed.set(key, { thread, transition, computation: computation() });
    },
  };
  const { states, incomplete, isBounded, faults } = await exploreMachine(
    model,
    program,
    budget,
    visitor,
    bounds,
  );
  const failedAssertions = [...failed.values()];
  return { states, incomplete, isBounded, faults, finalStates, deciding, failedAssertions };
}

function conclude(
  property: Property,
  computation: Computation | undefined,
  { isComplete, ends }: { readonly isComplete: boolean; readonly ends: boolean },
): PropertyVerdict {
  const { name, kind } = property;
  const [found, absent] = claimsExistence(property)
    ? (['holds', 'violated'] as const)
    : (['violated', 'holds'] as const);
  return {
    property: name,
    verdict: computation ? found : isComplete ? absent : 'unknown',
    ...(isComplete && kind === 'finally' && !ends && { isVacuous: true as const }),
    ...(computation && { computation }),
  };
}

/**
 * Explores a program under a memory model: with packed states, or with the machine itself if a
 * thread may compute for ever without accessing memory, or for heavy fences under TSO. All
 * computations in the result are computations of the machine.
 */
export async function reachUnder(
  model: MemoryModel,
  program: Program,
  budget: Budget,
  bounds: ExplorationBounds = {},
): Promise<ReachUnder> {
  const found =
    (await findPacked(model, program, budget, bounds)) ??
    (await findByMachine(model, program, budget, bounds));
  return { reach: toReach(program, found, bounds), faults: found.faults };
}

/**
 * Explores as `reachUnder` does, but with the machine of the definition: the reference for packed
 * states.
 */
export async function reachByMachine(
  model: MemoryModel,
  program: Program,
  budget: Budget,
  bounds: ExplorationBounds = {},
): Promise<ReachUnder> {
  const found = await findByMachine(model, program, budget, bounds);
  return { reach: toReach(program, found, bounds), faults: found.faults };
}

function toReach(program: Program, found: StateFindings, bounds: ExplorationBounds): ModelReach {
  const bounded = found.isBounded ? 'buffer' : undefined;
  const isFaulty = found.faults.length > 0;
  const incomplete = found.incomplete ?? (isFaulty ? 'unsupported' : bounded);
  const ends = found.finalStates.size > 0;
  const sorted = [...found.finalStates].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    states: found.states,
    ...(incomplete && { incomplete }),
    ...(incomplete === 'buffer' && { buffer: bounds.buffer }),
    finalStates: sorted.map(([, state]) => state),
    properties: program.properties.map((property, i) =>
      conclude(property, at(found.deciding, i), { isComplete: incomplete === undefined, ends }),
    ),
    failedAssertions: found.failedAssertions,
  };
}
