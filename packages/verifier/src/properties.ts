import type { Automata, Expression, Property, StateExpression } from './automata.js';
import type { Claim } from './claim.js';
import { evaluate } from './evaluate.js';
import { Fault } from './operators.js';
import type { Machine, State } from './machine.js';

/**
 * Returns the condition with its leaves (registers, cells, locations) replaced by the values in a
 * state.
 */
function inState(machine: Machine, condition: StateExpression, state: State): Expression {
  const constant = (value: number | boolean): Expression => ({
    kind: 'constant',
    value: Number(value),
  });
  switch (condition.kind) {
    case 'constant':
      return condition;
    case 'at':
      return constant(state.locations[condition.thread] === condition.location);
    case 'ended':
      return constant(machine.hasEnded(state, condition.thread));
    case 'drained':
      return constant(state.buffers[condition.thread]!.length === 0);
    case 'register':
      return constant(state.registers[condition.thread]![condition.register]!);
    case 'memory':
      return constant(state.memory.get(condition.address) ?? 0);
    case 'unary':
      return { ...condition, operand: inState(machine, condition.operand, state) };
    case 'binary':
      return {
        ...condition,
        left: inState(machine, condition.left, state),
        right: inState(machine, condition.right, state),
      };
  }
}

/** Whether a state is final: all threads have ended and all buffers are empty. */
function isFinal(machine: Machine, state: State): boolean {
  return state.locations.every(
    (_, thread) => machine.hasEnded(state, thread) && state.buffers[thread]!.length === 0,
  );
}

/**
 * A goal of repairs that single states and steps decide: that a `never` or `finally` property
 * holds, that no final state satisfies the condition of an `exists`, or that no assertion fails.
 */
export type StateGoal =
  { readonly kind: 'property'; readonly property: Property } | { readonly kind: 'assertions' };

/**
 * A goal of repairs. `progress`: threads wait for ever only if they do so under SC, too. The
 * remaining goals are those of `StateGoal`.
 */
export type Goal = StateGoal | { readonly kind: 'progress' };

/** Returns the claim of a certificate that proves the goals. */
export function claimedOf(
  goals: readonly Goal[],
): Pick<Claim, 'properties' | 'assertions' | 'progress'> {
  return {
    ...(goals.some(({ kind }) => kind === 'progress') && { progress: true }),
    properties: goals.flatMap((goal) => (goal.kind === 'property' ? [goal.property.name] : [])),
    assertions: goals.some(({ kind }) => kind === 'assertions'),
  };
}

/** Returns the goals in words. */
export function goalsInWords(goals: readonly Goal[]): string {
  const words = goals.map((goal) => {
    if (goal.kind === 'assertions') return 'no assertion fails';
    if (goal.kind === 'progress') return 'threads wait for ever only as they do under SC';
    const { name, kind } = goal.property;
    if (kind === 'exists') return `'${name}' is not reached`;
    return `'${name}' holds${kind === 'finally' ? ' in every final state' : ''}`;
  });
  return words.join(', ');
}

/**
 * Whether a state of the machine violates one of the properties; `'unknown'` if a condition faults
 * and no property is violated for certain. Buffers may be nonempty; `memory` in a condition means
 * memory without buffers.
 */
export function violatesProperty(
  machine: Machine,
  goals: readonly Goal[],
  state: State,
): boolean | 'unknown' {
  let unknown = false;
  for (const goal of goals) {
    if (goal.kind !== 'property') continue;
    const { kind, condition } = goal.property;
    if ((kind === 'finally' || kind === 'exists') && !isFinal(machine, state)) continue;
    try {
      const value = evaluate(inState(machine, condition, state), [], []);
      if (kind === 'finally' ? value === 0 : value !== 0) return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      unknown = true;
    }
  }
  return unknown ? 'unknown' : false;
}

/**
 * Returns all properties with the given names, if all are of kinds that forbid states; `undefined`
 * if a name belongs to no property or to a property of another kind.
 */
export function propertiesNamed(
  { properties }: Automata,
  names: readonly string[],
): readonly Property[] | undefined {
  const found = names.map((name) => properties.filter((property) => property.name === name));
  const isGoal = ({ kind }: Property): boolean => ['never', 'finally', 'exists'].includes(kind);
  return found.every((some) => some.length > 0 && some.every(isGoal)) ? found.flat() : undefined;
}
