import type { Budget, Exhaustion } from '../base/budget.js';
import type { Program, Property } from '../program/program.js';
import { exploreMachine } from '../reach/explore-machine.js';
import { type FaultyStep, flush, isFinal, type MemoryModel } from '../semantics/machine.js';
import { decidesProperty } from '../semantics/property.js';
import { compileProgram } from '../semantics/thread-code.js';
import type { Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';

/**
 * What has to hold in every execution: `never` and `finally` properties, and with `assertions` all
 * assertions of the program.
 */
export interface PropertyGoal {
  readonly properties: readonly Property[];
  readonly assertions: boolean;
}

/** How a program misses a goal. */
export type Violation =
  /** The last action fails an assertion. */
  | { readonly kind: 'assertion'; readonly computation: Computation }
  /** The state behind the computation violates the property. */
  | {
      readonly kind: 'property';
      readonly property: Property;
      readonly computation: Computation;
      readonly state: MachineState;
    };

export interface ViolationSearch {
  readonly violation: Violation | undefined;
  readonly incomplete: Exhaustion | undefined;
  readonly faults: readonly FaultyStep[];
}

/** A property that a state of the program violates. */
export function violatedProperty(
  program: Program,
  properties: readonly Property[],
  state: MachineState,
): Property | undefined {
  const final = isFinal(compileProgram(program), state);
  return properties.find((property) => decidesProperty(program, property, state, final));
}

/**
 * The violation with all buffers emptied behind it, where it is one still: fewer repairs prevent
 * that.
 */
function settled(program: Program, { properties }: PropertyGoal, violation: Violation): Violation {
  if (violation.kind === 'assertion') return violation;
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

/**
 * A computation under `model` that misses the goal: a shortest one, but for stores that reach
 * memory at its end.
 */
export async function findViolation(
  model: MemoryModel,
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
  return { violation: violation && settled(program, goal, violation), incomplete, faults };
}
