import { stronglyConnected } from '@fencewright/ground/base/strongly-connected.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';

/** A step from one state to another, in the graph of all states of a program. */
export interface Edge {
  readonly to: number;
  readonly thread: ThreadId;
  /**
   * The cell of which the step reads an old store; absent if the step reads no old store. No thread
   * is obliged to read an old store.
   */
  readonly oldCell?: number | undefined;
  /** The cell that the step writes; absent if the step writes no cell. */
  readonly writtenCell?: number | undefined;
}

/** By number of a state, the steps from the state. */
export type StepsOfStates = ReadonlyMap<number, readonly Edge[]>;

function componentsOf(edges: StepsOfStates): readonly (readonly number[])[] {
  return stronglyConnected(edges.keys(), (state) =>
    edges.get(state)!.flatMap(({ to }) => (edges.has(to) ? [to] : [])),
  );
}

/**
 * Whether an execution can stay in the states of `inside` for ever although each thread that can
 * take a step has to take one at some time. So each thread needs a step between states of `inside`,
 * or a state of `inside` in which it has no step but reads of old stores: no thread is obliged to
 * take these.
 */
function areSettled(edges: StepsOfStates, inside: ReadonlySet<number>, threads: number): boolean {
  const settled = new Set<ThreadId>();
  for (const state of inside) {
    const leaving = edges.get(state)!;
    for (let thread = 0; thread < threads; thread++) {
      const own = leaving.filter((edge) => edge.thread === thread);
      if (own.every(({ oldCell }) => oldCell !== undefined) || own.some(({ to }) => inside.has(to)))
        settled.add(thread);
    }
  }
  return settled.size === threads;
}

/**
 * Returns the states in which an execution can stay for ever, in a single state or on a cycle: each
 * thread takes steps, or is not obliged to take one. `edges` maps each state to the steps from it.
 * A state without an entry in `edges` is never in the result.
 */
export function lastingStates(edges: StepsOfStates, threads: number): ReadonlySet<number> {
  const found = new Set<number>();
  for (const component of componentsOf(edges))
    if (areSettled(edges, new Set(component), threads))
      for (const state of component) found.add(state);
  return found;
}

/**
 * Whether an execution can repeat a cycle for ever that has two properties. First, the cycle
 * contains a read of an old store, or a state that no interleaving reaches. Second, the cycle
 * contains a state that interleavings reach, but in which no interleaving can stay for ever. An
 * execution can read old stores of a cell for ever only if threads store to the cell again and
 * again.
 */
export function lastsOtherwise(
  edges: StepsOfStates,
  threads: number,
  {
    isUnexplained,
    isTransient,
  }: Record<'isUnexplained' | 'isTransient', (state: number) => boolean>,
): boolean {
  const parts = [edges];
  for (let part = parts.pop(); part; part = parts.pop())
    for (const component of componentsOf(part)) {
      const steps = new Map(component.map((state) => [state, part.get(state)!]));
      const inner = [...steps.values()].flat().filter(({ to }) => steps.has(to));
      const written = new Set(inner.map(({ writtenCell }) => writtenCell));
      const isVain = ({ to, oldCell }: Edge): boolean =>
        oldCell !== undefined && steps.has(to) && !written.has(oldCell);
      if (inner.some(isVain)) {
        for (const [state, own] of steps)
          steps.set(
            state,
            own.map((edge) => (isVain(edge) ? { ...edge, to: -1 } : edge)),
          );
        parts.push(steps);
        continue;
      }
      const isOther =
        component.some(isUnexplained) || inner.some(({ oldCell }) => oldCell !== undefined);
      if (isOther && component.some(isTransient) && areSettled(part, new Set(component), threads))
        return true;
    }
  return false;
}
