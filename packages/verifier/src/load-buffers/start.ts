import type { Automata } from '../automata.js';
import { initialValues } from '../initial-memory.js';
import type { StateGoal } from '../properties.js';
import { leavesOf } from './bad-states.js';
import type { Cone } from './cone.js';
import type { ThreadGraphs } from './thread-graphs.js';

/** Returns the initial configuration of all executions. */
export function startOf(
  { symbols, threads }: Automata,
  { initials }: ThreadGraphs,
  cones: readonly Cone[],
): Cone {
  const initial = initialValues(symbols);
  const mentioned = cones.flatMap(({ memory }) => [...memory.keys()]);
  return {
    places: initials.map(({ location, registers }) => ({ location, registers })),
    memory: new Map(mentioned.map((address) => [address, initial(address)])),
    words: threads.map(() => []),
    lock: null,
    frozen: false,
    stored: threads.map(() => null),
  };
}

/** Returns the registers that occur in the goals, by thread. */
export function registersSeen(
  { threads }: Automata,
  goals: readonly StateGoal[],
): readonly Set<number>[] {
  const seen = threads.map(() => new Set<number>());
  for (const goal of goals)
    if (goal.kind === 'property')
      for (const leaf of leavesOf(goal.property.condition))
        if (leaf.kind === 'register') seen[leaf.thread]!.add(leaf.register);
  return seen;
}
