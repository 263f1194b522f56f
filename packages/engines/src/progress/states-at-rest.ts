import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import {
  type DrainedGraph,
  type UndelayedSteps,
  withoutLuck,
} from '../exploration/drained-graph.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import type { WaitingThread } from '@fencewright/model/verdict/hang.js';
import { type BottomComponent, bottomComponents } from './bottom-components.js';

/** How a program comes to rest: what its threads do from some state on, without store buffers. */
export interface AtRest {
  /** The first of the states, by its number in the exploration. */
  readonly state: number;
  readonly isSequential: boolean;
  /** The threads that never get on any more, in the order of threads. */
  readonly lost: readonly WaitingThread[];
  /** All that have not ended, those that serve included, in the same order. */
  readonly ways: readonly WaitingThread[];
}

/** All ways to come to rest, and whether TSO reaches a drained state that SC does not. */
export interface RestingStates {
  readonly rests: readonly AtRest[];
  readonly firstDelayed: number | undefined;
}

/** Whether no way leads from the start of a thread to an end: it serves others for ever. */
export function serves({ initial, transitions }: Thread): boolean {
  const reached = new Set([initial]);
  // Additions during the iteration are visited too.
  for (const place of reached)
    for (const { from, to } of transitions) if (from === place) reached.add(to);
  return [...reached].every((place) => transitions.some(({ from }) => from === place));
}

/**
 * How a program comes to rest, from a complete exploration. A thread gets on when it is at its end;
 * one that serves, when a step of it changes memory that others access.
 */
export async function statesAtRest(
  program: Program,
  graph: DrainedGraph,
  budget: Budget,
): Promise<RestingStates | Exhaustion> {
  const components = await bottomComponents(graph, budget);
  if (typeof components === 'string') return components;
  const { bottoms, firstDelayed } = components;
  const isServer = program.threads.map(serves);
  const rests = bottoms.flatMap((bottom) => atRest(program, graph, bottom, isServer) ?? []);
  return { rests: rests.sort((a, b) => a.state - b.state), firstDelayed };
}

/** `undefined` where an execution is cut off, and nothing is said of it. */
function atRest(
  program: Program,
  graph: DrainedGraph,
  { states, isSequential }: BottomComponent,
  isServer: readonly boolean[],
): AtRest | undefined {
  const { exploration } = graph;
  const isCutOff = states.some((state) =>
    exploration.automata.some((automaton, thread) =>
      automaton.isCutOff(exploration.search.node(state, thread)),
    ),
  );
  if (isCutOff) return undefined;
  const hasEnded = states.every((state) => graph.hasEnded(state));
  const ways = hasEnded
    ? []
    : program.threads.flatMap((_, thread) => howItRests(graph, states, thread) ?? []);
  return {
    state: states.reduce((a, b) => Math.min(a, b)),
    isSequential,
    lost: ways.filter(({ kind, thread }) => kind !== 'endless' || !at(isServer, thread)),
    ways,
  };
}

/** What a thread does in a bottom component; `undefined` if it has ended. */
function howItRests(
  graph: DrainedGraph,
  states: readonly number[],
  thread: ThreadId,
): WaitingThread | undefined {
  const { exploration } = graph;
  const automaton = at(exploration.automata, thread);
  const nodes = states.map((state) => exploration.search.node(state, thread));
  if (nodes.every((node) => automaton.node(node).kind === 'end')) return undefined;
  const moves = states.map((state): UndelayedSteps => graph.stepsOf(state, thread));
  const isBusy = nodes.every((node) => automaton.isBusy(node));
  // Where a thread goes on by itself, it does not wait.
  const waiting = isBusy ? nodes : nodes.filter((node) => !automaton.isBusy(node));
  const places = new Set(waiting.map((node) => automaton.node(node).state.location));
  const reads = new Set(moves.flatMap((move) => [...move.reads]));
  const changes = moves.some(({ steps }) => withoutLuck(steps).some((step) => step.changes));
  return {
    thread,
    kind: changes ? 'endless' : isBusy ? 'busy' : 'waits',
    places: [...places].sort((a, b) => a - b),
    reads: [...reads].sort((a, b) => a - b),
  };
}
