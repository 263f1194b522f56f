import { wordAt } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { DrainedGraph } from '../exploration/drained-graph.js';

/** A strongly connected set of states that no step leaves. */
export interface BottomComponent {
  /** The states of the component, in no particular order. */
  readonly states: readonly number[];
  /** Whether some execution under SC reaches the states of the component. */
  readonly isSequential: boolean;
}

/** The bottom components that steps without store buffers reach from drained states. */
interface DrainedComponents {
  readonly bottoms: readonly BottomComponent[];
  /**
   * The first drained state (with empty store buffers) not reached under SC; absent if SC reaches
   * all drained states.
   */
  readonly firstDelayed: number | undefined;
}

const stepsPerCheckpoint = 2048;

interface SearchFrame {
  readonly state: number;
  readonly next: readonly number[];
  taken: number;
  /** Whether some step leads from the component of the state to another component. */
  leaves: boolean;
}

/** Returns, for each state, whether SC reaches it, steps of chance included; indexed by state. */
async function sequentialStates(
  graph: DrainedGraph,
  budget: Budget,
): Promise<Uint8Array | Exhaustion> {
  const { states: count, bytes } = graph.exploration;
  const isReached = new Uint8Array(count);
  isReached[0] = 1;
  const open = [0];
  let turns = 0;
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (++turns % stepsPerCheckpoint === 0) {
      const exhaustion = await budget.checkpoint(0, bytes + count + 16 * open.length);
      if (exhaustion) return exhaustion;
    }
    for (const to of graph.next(state, true)) {
      if (isReached[to] === 1) continue;
      isReached[to] = 1;
      open.push(to);
    }
  }
  return isReached;
}

/**
 * Returns the bottom components of a graph of drained states, by Tarjan's algorithm. The search
 * begins at the initial state: the states visited from the initial state are the states reachable
 * under SC.
 */
export async function bottomComponents(
  graph: DrainedGraph,
  budget: Budget,
): Promise<DrainedComponents | Exhaustion> {
  const { exploration } = graph;
  const sequential = graph.hasLuck ? await sequentialStates(graph, budget) : undefined;
  if (typeof sequential === 'string') return sequential;
  const isSequential = (state: number, root: number): boolean =>
    sequential ? sequential[state] === 1 : root === 0;
  const count = exploration.states;
  /**
   * The position of each state in the order of visits, from 1; 0 if unvisited. Indexed by state.
   */
  const visited = new Int32Array(count);
  /**
   * The number that Tarjan's algorithm keeps for each state: the earliest visit of a state known to
   * be on a cycle with the state. Indexed by state.
   */
  const low = new Int32Array(count);
  const isOpen = new Uint8Array(count);
  const bytes = exploration.bytes + 9 * count;
  const open: number[] = [];
  const frames: SearchFrame[] = [];
  const bottoms: BottomComponent[] = [];
  let visits = 0;
  let turns = 0;
  let firstDelayed: number | undefined;

  const enter = (state: number): void => {
    visited[state] = low[state] = ++visits;
    isOpen[state] = 1;
    open.push(state);
    frames.push({ state, next: graph.next(state, false), taken: 0, leaves: false });
  };
  const lower = (state: number, to: number): void => {
    low[state] = Math.min(wordAt(low, state), to);
  };
  const close = ({ state, leaves }: SearchFrame, root: number): void => {
    const before = frames.at(-1);
    const isRoot = low[state] === visited[state];
    // Leaving a component counts as leaving its root.
    if (before && !isRoot) lower(before.state, wordAt(low, state));
    if (before && (isRoot || leaves)) before.leaves = true;
    if (!isRoot) return;
    const states = open.splice(open.lastIndexOf(state));
    for (const one of states) isOpen[one] = 0;
    if (!leaves) bottoms.push({ states, isSequential: isSequential(state, root) });
  };

  for (let root = 0; root < count; root++) {
    if (visited[root] !== 0 || !graph.has(root)) continue;
    if (!isSequential(root, root)) firstDelayed ??= root;
    enter(root);
    for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
      if (++turns % stepsPerCheckpoint === 0) {
        const exhaustion = await budget.checkpoint(0, bytes + 16 * open.length);
        if (exhaustion) return exhaustion;
      }
      const { state, next } = frame;
      const to = next[frame.taken++];
      if (to === undefined) {
        frames.pop();
        close(frame, root);
      } else if (visited[to] === 0) enter(to);
      else if (isOpen[to] === 1) lower(state, wordAt(visited, to));
      else frame.leaves = true;
    }
  }
  return { bottoms, firstDelayed };
}
