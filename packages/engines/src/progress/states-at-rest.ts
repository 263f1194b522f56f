import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { type DrainedGraph, withoutLuck } from '../exploration/drained-graph.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import { type ProgressGoal, progressGoal } from '@fencewright/model/program/property.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import type { WaitingThread } from '@fencewright/model/verdict/hang.js';
import { type BottomComponent, bottomComponents } from './bottom-components.js';

/**
 * A way in which a program comes to rest: what each thread does for ever from some state on, if no
 * store waits in a buffer any more.
 */
export interface AtRest {
  /** The number, in the exploration, of one state of the program at rest: the first found. */
  readonly state: number;
  readonly isSequential: boolean;
  /** The threads that make no progress once the program is at rest, in the order of threads. */
  readonly lost: readonly WaitingThread[];
  /**
   * All threads that have not ended when the program is at rest, in the order of threads, including
   * serving threads.
   */
  readonly ways: readonly WaitingThread[];
  /**
   * The serving threads that change memory again and again. Changes of cells that no other thread
   * accesses count, too.
   */
  readonly working: readonly ThreadId[];
  /** The indices of the `progress` properties that fail once the program is at rest. */
  readonly missed: readonly number[];
  /**
   * If the process has ended, the threads that were still waiting then, in the order of threads;
   * otherwise empty.
   */
  readonly left: readonly WaitingThread[];
}

/** Whether, in a program at rest, all threads have ended or wait for ever. */
export function isQuiet({ ways }: AtRest): boolean {
  return ways.every(({ kind }) => kind !== 'endless');
}

/**
 * The states at rest of a program, and the first drained state (with empty buffers) that TSO
 * reaches but SC does not.
 */
interface RestingStates {
  readonly rests: readonly AtRest[];
  readonly firstDelayed: number | undefined;
}

/** Whether the thread is written to run for ever: no path leads from its start to an end. */
export function serves({ initial, transitions }: Thread): boolean {
  const reached = new Set([initial]);
  // The loop also visits elements added during the loop.
  for (const place of reached)
    for (const { from, to } of transitions) if (from === place) reached.add(to);
  return [...reached].every((place) => transitions.some(({ from }) => from === place));
}

/**
 * Returns the ways in which a program comes to rest; `graph` has all drained states of the program.
 * A thread makes progress by reaching the thread's end; a serving thread makes progress by a step
 * that changes memory accessed by other threads. Returns the exhausted limit if `budget` does not
 * suffice.
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

/**
 * Describes how a program comes to rest in a bottom component. `undefined` if an execution ends in
 * the component because an `assume` excludes it: then nothing is known.
 */
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
  // A call such as `exit` stops the other threads at their current locations.
  const isStopped = hasEnded && states.some((state) => graph.isStopped(state));
  const rest = isStopped
    ? []
    : isServer.flatMap((serves, thread) => howItRests(graph, states, thread, serves) ?? []);
  const ways = hasEnded ? [] : rest;
  const lost = ways.filter(({ kind, thread }) => kind !== 'endless' || !at(isServer, thread));
  const isMissed = ({ thread, locations }: ProgressGoal): boolean => {
    const isThere = (one: WaitingThread): boolean => one.thread === thread;
    if (!locations) return lost.some(isThere);
    return ways.some(isThere) && !comesTo(graph, states, thread, locations);
  };
  return {
    state: states.reduce((a, b) => Math.min(a, b)),
    ...{ isSequential, lost, ways },
    working: [...program.threads.keys()].filter(
      (thread) =>
        at(isServer, thread) &&
        states.some((state) =>
          withoutLuck(graph.stepsOf(state, thread).steps).some(({ to }) =>
            graph.changesMemory(state, to),
          ),
        ),
    ),
    missed: program.properties.flatMap((property, index) => {
      const goal = progressGoal(property);
      return goal && isMissed(goal) ? [index] : [];
    }),
    left: hasEnded ? rest.filter(({ kind }) => kind === 'waits') : [],
  };
}

/**
 * Whether a thread reaches one of `locations` in a bottom component by steps that do not depend on
 * chance.
 */
function comesTo(
  graph: DrainedGraph,
  states: readonly number[],
  thread: ThreadId,
  locations: readonly LocationId[],
): boolean {
  return states.some((state) =>
    withoutLuck(graph.stepsOf(state, thread).steps).some(({ passes }) =>
      locations.some((location) => passes.has(location)),
    ),
  );
}

/**
 * Describes how a thread waits in a bottom component; `undefined` if the thread has ended or was
 * never created. If the thread is a serving thread (`isServer`) that changes memory for ever, it
 * does not wait: the result then leaves out its locations and the cells that it reads.
 */
function howItRests(
  graph: DrainedGraph,
  states: readonly number[],
  thread: ThreadId,
  isServer: boolean,
): WaitingThread | undefined {
  const { exploration } = graph;
  const automaton = at(exploration.automata, thread);
  const nodes = states.map((state) => exploration.search.node(state, thread));
  if (states.every((state) => exploration.isGone(state, thread))) return undefined;
  const changes = states.some((state) =>
    withoutLuck(graph.stepsOf(state, thread).steps).some(({ to }) =>
      graph.changes(thread, state, to),
    ),
  );
  if (changes && isServer) return { thread, kind: 'endless', places: [], reads: [] };
  const isBusy = nodes.every((node) => automaton.isBusy(node));
  // Nodes at which the thread can continue alone are not places of waiting.
  const waiting = isBusy ? nodes : nodes.filter((node) => !automaton.isBusy(node));
  const places = new Set(waiting.map((node) => automaton.node(node).state.location));
  const reads = new Set(states.flatMap((state) => [...graph.stepsOf(state, thread).reads]));
  return {
    thread,
    kind: changes ? 'endless' : isBusy ? 'busy' : 'waits',
    places: [...places].sort((a, b) => a - b),
    reads: [...reads].sort((a, b) => a - b),
  };
}
