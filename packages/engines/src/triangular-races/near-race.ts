import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { computationTo } from '@fencewright/model/semantics/explore-machine.js';
import { initialState, successorsOf } from '@fencewright/model/semantics/machine.js';
import { compileProgram, type ProgramCode } from '@fencewright/model/semantics/thread-code.js';
import { afterAction, type RaceSearchNode } from './find-race-by-machine.js';
import type { PossibleRace } from './possible-races.js';
import { raceAt, type RaceSearch, type Unfenced } from './race-at.js';

/** The maximum number of states of a search for near races. */
const mostStates = 64;

/**
 * Finds a triangular race for which the loading thread runs alone up to its load, and then one
 * other thread runs alone up to its access. `undefined` if the search finds no such race. There may
 * be other races; the search may also have stopped at `mostStates` states, or at the fewer states
 * that the budget allows.
 */
export function findNearRace(
  program: Program,
  possible: readonly PossibleRace[],
  budget: Budget,
): RaceSearch | undefined {
  if (budget.room(0) < mostStates) return undefined;
  const code = compileProgram(program);
  const start: RaceSearchNode = {
    state: initialState(program),
    unfenced: program.threads.map((): Unfenced => []),
    before: undefined,
    step: undefined,
  };
  const loads = new Map<ThreadId, Set<number>>();
  for (const { thread, load } of possible)
    loads.set(thread, (loads.get(thread) ?? new Set<number>()).add(load));
  let states = 0;
  for (const [loader, own] of loads)
    for (const waiting of runAlone(code, start, loader)) {
      if (++states >= mostStates) return undefined;
      if (!hasLoad(code, waiting, loader, own)) continue;
      for (const other of program.threads.keys()) {
        if (other === loader) continue;
        for (const node of runAlone(code, waiting, other)) {
          if (++states >= mostStates) return undefined;
          for (const step of successorsOf('SC', code, node.state, loader).steps) {
            const race = raceAt(code, { ...node, computation: () => computationTo(node) }, step);
            if (!race) continue;
            budget.finishSearch(states, 0);
            return { race, states, faults: [] };
          }
        }
      }
    }
  return undefined;
}

/**
 * Whether one of the thread's next instructions is a load that may be part of a triangular race.
 */
function hasLoad(
  { threads }: ProgramCode,
  { state }: RaceSearchNode,
  loader: ThreadId,
  loads: ReadonlySet<number>,
): boolean {
  const leaving = at(threads, loader)[at(state.locations, loader)] ?? [];
  return leaving.some(({ id }) => loads.has(id));
}

/**
 * Yields the nodes that steps of the thread alone reach, `start` first; about `mostStates` nodes at
 * most.
 */
function* runAlone(
  code: ProgramCode,
  start: RaceSearchNode,
  thread: ThreadId,
): Generator<RaceSearchNode> {
  const nodes = [start];
  // The loop also visits elements added during the loop.
  for (const node of nodes) {
    yield node;
    if (nodes.length > mostStates) continue;
    for (const step of successorsOf('SC', code, node.state, thread).steps) {
      const after = step.actions.reduce(afterAction, at(node.unfenced, thread));
      const unfenced = node.unfenced.with(thread, after);
      nodes.push({ state: step.state, unfenced, before: node, step });
    }
  }
}
