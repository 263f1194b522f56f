import type { Budget } from '@fencewright/ground/base/budget.js';
import { exploreInTwo } from '@fencewright/engines/exploration/explore-in-two.js';
import { observationOfProperties } from '@fencewright/engines/exploration/observation.js';
import type { PackedExploration } from '@fencewright/engines/exploration/packed-exploration.js';
import { watchPacked } from '@fencewright/engines/exploration/watch-property.js';
import type { Program, Property } from '@fencewright/model/program/program.js';
import { exploreMachine } from '@fencewright/model/semantics/explore-machine.js';
import { type FaultyStep, flush, isFinal } from '@fencewright/model/semantics/machine.js';
import type { BufferedModel } from '@fencewright/model/trace/memory-model.js';
import { decidesProperty } from '@fencewright/model/semantics/property.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { RestGoal } from '@fencewright/model/verdict/fence-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/unknown-reason.js';

/**
 * The requirements for every execution of a program: `never` and `finally` properties hold, no
 * state asked for by an `exists` property is reached, and with `assertions` all assertions of the
 * program hold.
 */
export interface PropertyGoal {
  readonly properties: readonly Property[];
  readonly assertions: boolean;
  /** The goals for the states in which the program comes to rest. */
  readonly rest?: readonly RestGoal[];
  /** The `progress` properties of the program that have to hold. */
  readonly progress?: readonly Property[];
}

/** A computation of a program by which the program misses a goal. */
export type Violation =
  /** The last action of the computation fails an assertion. */
  | { readonly kind: 'assertion'; readonly computation: Computation }
  /**
   * All buffers are empty after the computation and the program is at rest, but the state misses a
   * goal.
   */
  | {
      readonly kind: 'rest';
      /** The name of the goal that the program misses: a `RestGoal`, or a `progress` property. */
      readonly goal: string;
      readonly computation: Computation;
    }
  /** The state after the computation violates the property. */
  | {
      readonly kind: 'property';
      readonly property: Property;
      readonly computation: Computation;
      readonly state: MachineState;
    };

export interface ViolationSearch {
  readonly violation: Violation | undefined;
  readonly incomplete: UnknownReason | undefined;
  readonly faults: readonly FaultyStep[];
}

/**
 * Returns a property of the goal violated by a state of the program; `undefined` if there is none.
 */
export function violatedProperty(
  program: Program,
  properties: readonly Property[],
  state: MachineState,
): Property | undefined {
  const final = isFinal(compileProgram(program), state);
  return properties.find((property) => decidesProperty(program, property, state, final));
}

/**
 * Extends the computation of a violated property by steps that empty all buffers, as fewer repairs
 * prevent the longer computation. Returns the violation unchanged if the state after these steps
 * violates no property. Returns violations of other kinds unchanged.
 */
function settled(program: Program, { properties }: PropertyGoal, violation: Violation): Violation {
  if (violation.kind !== 'property') return violation;
  let { state } = violation;
  const computation = [...violation.computation];
  for (let thread = 0; thread < state.buffers.length; thread++)
    for (let step = flush(state, thread); step; step = flush(state, thread)) {
      computation.push(...step.actions);
      ({ state } = step);
    }
  const property = violatedProperty(program, properties, state);
  return property ? { kind: 'property', property, computation, state } : violation;
}

export interface ViolationOptions {
  /**
   * Whether the program is first explored under TSO, before a backward search; default true. No
   * result depends on this option.
   */
  readonly explores?: boolean;
}

/**
 * The maximum numbers of states of successive explorations under TSO; a backward search runs after
 * each exploration.
 */
const turns = [2_000, 20_000, 200_000] as const;

/**
 * An exploration with more states than the last turn allows is given up if a buffer has more than
 * this number of stores: the buffer may then grow for ever.
 */
const mostStores = 16;

/**
 * Searches for a violation of the goal backwards, over load buffers of any length. `none` if there
 * is no violation, `undefined` if the search is inconclusive.
 */
async function findBackwards(
  program: Program,
  { properties, assertions }: PropertyGoal,
  budget: Budget,
): Promise<Violation | 'none' | undefined> {
  const { LoadBufferSearch } =
    await import('@fencewright/engines/load-buffers/load-buffer-search.js');
  const search = new LoadBufferSearch(program);
  for (const property of properties) {
    const answer = await search.decide(property, budget);
    if (answer.kind === 'unknown') return undefined;
    if (answer.kind === 'reachable')
      return { kind: 'property', property, computation: answer.computation, state: answer.state };
  }
  const asserted = assertions ? program.threads : [];
  for (const [thread, { transitions }] of asserted.entries())
    for (const [transition, { instruction }] of transitions.entries()) {
      if (instruction.kind !== 'assert') continue;
      const answer = await search.fails(thread, transition, budget);
      if (answer.kind === 'unknown') return undefined;
      if (answer.kind === 'reachable')
        return { kind: 'assertion', computation: answer.computation };
    }
  return 'none';
}

/**
 * Finds a computation under `model` that misses the goal. If found by exploration, the computation
 * is a shortest one, apart from stores that reach memory at its end. If buffers grow without bound,
 * a backward search decides.
 */
export async function findViolation(
  model: BufferedModel,
  program: Program,
  goal: PropertyGoal,
  budget: Budget,
  { explores = true }: ViolationOptions = {},
): Promise<ViolationSearch> {
  if (model === 'TSO' && !explores) {
    const violation = await findBackwards(program, goal, budget);
    if (violation === undefined) return { violation, incomplete: 'states', faults: [] };
    const found = violation === 'none' ? undefined : settled(program, goal, violation);
    return { violation: found, incomplete: undefined, faults: [] };
  }
  for (const states of model === 'TSO' ? turns : []) {
    // If few states of the budget are left, the exploration after the loop gets them all.
    if (budget.room(0) < 3 * states) break;
    const part = budget.part(states);
    const found = await explore(model, program, goal, part);
    budget.finishPart(part);
    if (found.incomplete !== 'states' || found.violation || found.faults.length > 0) return found;
    const own = budget.part(states);
    const violation = await findBackwards(program, goal, own);
    budget.finishPart(own);
    if (violation === 'none') return { ...found, violation: undefined, incomplete: undefined };
    if (violation) return { ...found, violation: settled(program, goal, violation) };
  }
  // A limit of the user's is the only one. Without a limit, a buffer may grow for ever.
  const isBounded = budget.room(0) < Number.POSITIVE_INFINITY || model !== 'TSO';
  return explore(model, program, goal, budget, isBounded ? undefined : turns.at(-1));
}

/**
 * Explores all states and returns the first violation. States are packed, unless a thread may
 * compute without end and without an access to memory. With `mayGrowUntil`, the exploration is
 * given up at this number of states if a buffer has more than `mostStores` stores.
 */
async function explore(
  model: BufferedModel,
  program: Program,
  goal: PropertyGoal,
  budget: Budget,
  mayGrowUntil = Number.POSITIVE_INFINITY,
): Promise<ViolationSearch> {
  const observation = observationOfProperties(program, goal.properties);
  const found = await exploreInTwo(
    program,
    { model, observation },
    budget,
    (exploration, part) => firstIn(program, goal, exploration, part, mayGrowUntil),
    (first) => first?.incomplete !== 'states' || first.violation !== undefined,
  );
  const { violation, ...search } = found ?? (await firstByMachine(model, program, goal, budget));
  return { violation: violation && settled(program, goal, violation), ...search };
}

/** Returns the first violation of an exploration; `undefined` if a thread computes without end. */
async function firstIn(
  program: Program,
  { properties, assertions }: PropertyGoal,
  exploration: PackedExploration,
  budget: Budget,
  mayGrowUntil: number,
): Promise<ViolationSearch | undefined> {
  const watches = properties.map((property) => watchPacked(program, property, exploration));
  const isFailed = (): boolean => assertions && exploration.hasFailed;
  let next = 0;
  let isGivenUp = false;
  const end = await exploration.explore(budget, (states) => {
    for (; next < states; next++) {
      const final = exploration.isFinal(next) ? exploration.unpack(next) : undefined;
      for (const { look } of watches) look(next, final);
    }
    isGivenUp = states > mayGrowUntil && exploration.longestBuffer > mostStores;
    return !isGivenUp && !isFailed() && !watches.some((watch) => watch.isDecided());
  });
  if (end === 'endless') return undefined;
  const { faults } = exploration;
  const isWhole = end === 'complete' || (end === 'done' && !isGivenUp);
  const incomplete = isWhole ? undefined : end === 'done' ? 'states' : end;
  if (isFailed()) {
    const [failure] = exploration.failures();
    const { computation } = failure!.run;
    return { violation: { kind: 'assertion', computation }, incomplete, faults };
  }
  for (const [i, watch] of watches.entries()) {
    if (!watch.isDecided()) continue;
    const { computation, state } = watch.conclude()!;
    const property = properties[i]!;
    return { violation: { kind: 'property', property, computation, state }, incomplete, faults };
  }
  return { violation: undefined, incomplete, faults };
}

/**
 * Searches for a violation by exploring all states of the machine; the violation found is a
 * shortest one.
 */
async function firstByMachine(
  model: BufferedModel,
  program: Program,
  goal: PropertyGoal,
  budget: Budget,
): Promise<ViolationSearch> {
  const code = compileProgram(program);
  const found: Violation[] = [];
  const { incomplete, faults } = await exploreMachine(model, program, budget, {
    onState({ state, computation }) {
      if (found.length > 0) return;
      const final = isFinal(code, state);
      const property = goal.properties.find((one) => decidesProperty(program, one, state, final));
      if (property) found.push({ kind: 'property', property, computation: computation(), state });
    },
    onFailedAssertion(_, computation) {
      if (found.length === 0 && goal.assertions)
        found.push({ kind: 'assertion', computation: computation() });
    },
    isDone: () => found.length > 0,
  });
  const [violation] = found;
  return { violation, incomplete, faults };
}
