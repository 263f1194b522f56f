import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import { scheduledSteps, type ScheduledStep } from '../robustness/lift-witness.js';
import type { ScheduledWrite } from './directed-program.js';
import type { DirectedMove } from './directed-states.js';
import type { DirectedSearch } from './directed-search.js';

/** A move of a directed search, translated into steps of the program. */
interface PathEvent {
  readonly thread: ThreadId;
  readonly steps: readonly ScheduledStep[];
  /**
   * The write of the move; `undefined` if the move does not write to memory, or comes after the
   * attack's last load.
   */
  readonly write: ScheduledWrite | undefined;
  /** The number of the state before the move, in the search. */
  readonly from: number;
}

/** The moves to a complete attack, and the state of the search before the first move. */
export interface DirectedPath {
  readonly start: number;
  readonly events: readonly PathEvent[];
}

/** Returns the path to the goal of a search; the search must have reached the goal. */
export function pathToGoal(search: DirectedSearch): DirectedPath {
  const { states, goal } = search;
  if (!goal) throw new InternalError('a path to a goal that no search has reached');
  const events = [pathMove(search, goal.from, goal.move)];
  let state = goal.from;
  for (let from = states.parent(state); from >= 0; from = states.parent(state)) {
    events.push(eventOf(search, from, state));
    state = from;
  }
  return { start: state, events: events.reverse() };
}

function eventOf(search: DirectedSearch, from: number, to: number): PathEvent {
  const { states, attacker, directed } = search;
  const { program, automata } = directed;
  const move = states.move(to);
  const { thread, action, outcome } = move;
  if (states.phase(from) === 3) return pathMove(search, from, move);
  const node = states.node(from, thread);
  const isDelayed = states.phase(to) === 2;
  if (thread !== attacker.thread || states.phase(to) === 1) {
    const { sequential } = at(automata.threads, thread);
    const { cell, step } = at(sequential.actions(node), action);
    const value = cell < 0 ? 0 : states.value(from, cell);
    const { written, nodes } = sequential.continuation(node, action, value);
    const steps = scheduledSteps(program, thread, at(nodes, outcome).path, false);
    const place = directed.placeOf(thread, step.id);
    const write = written === undefined ? undefined : { thread, place };
    return { thread, steps, write, from };
  }
  const { automaton } = attacker;
  const path = !isDelayed
    ? at(lastLoadsOf(search, from), outcome).path
    : states.phase(from) === 1
      ? at(automaton.enter(node, action), outcome).path
      : at(automaton.explainedOutcomes(node, action, valueRead(search, from, action)), outcome)
          .path;
  const steps = scheduledSteps(program, thread, path, isDelayed);
  return { thread, steps, write: undefined, from };
}

function valueRead({ states, attacker }: DirectedSearch, state: number, action: number): number {
  const { thread, automaton } = attacker;
  return states.value(state, at(automaton.loads(states.node(state, thread)), action).cell);
}

function lastLoadsOf(search: DirectedSearch, state: number) {
  const { states, attacker, attack } = search;
  const node = states.node(state, attacker.thread);
  const end = attacker.automaton.endAt(node, attack.load);
  return end ? attacker.automaton.lastLoads(node, attack.load, states.value(state, end.cell)) : [];
}

function pathMove(search: DirectedSearch, from: number, move: DirectedMove): PathEvent {
  const { states, directed } = search;
  const { thread, action, outcome } = move;
  const { path } = at(directed.automata.threads, thread);
  const node = states.node(from, thread);
  const cell = at(path.actionCells(node), action);
  const value = cell < 0 ? 0 : states.value(from, cell);
  const taken = at(path.explainedOutcomes(node, action, value), outcome).path;
  const steps = scheduledSteps(directed.program, thread, taken, false);
  return { thread, steps, write: undefined, from };
}
