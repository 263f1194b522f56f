import type { ProductSearch } from '@fencewright/ground/product/product-search.js';
import type { Program } from '@fencewright/model/program/program.js';
import { leastActions, witnessOfSchedule, type ScheduledStep } from '../robustness/lift-witness.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { compareWitnesses, type FoundWitness, type Turn } from './round-outcome.js';
import { writeSchedule, type WitnessEvidence } from './search-witness.js';
import type { SequentialAutomaton } from '../automata/sequential-automaton.js';

/**
 * Returns a lower bound on the number of actions that the thread at position `component` has made
 * when it gets to `state`. Of each node that the thread leaves on the way, the least number of
 * actions to leave the node is counted.
 */
function leastActionsOf(
  search: ProductSearch,
  state: number,
  component: number,
  cost: (node: number) => number,
): number {
  let sum = 0;
  let after = search.node(state, component);
  for (let at = search.table.parent(state); at >= 0; at = search.table.parent(at)) {
    const node = search.node(at, component);
    if (node !== after) sum += cost(node);
    after = node;
  }
  return sum;
}

/** Returns the least number of actions with which a thread leaves a node: a store counts as two. */
function leastActionsAt(sequential: SequentialAutomaton, node: number): number {
  return sequential.actions(node).every(({ effect }) => effect.kind === 'store') ? 2 : 1;
}

/**
 * Returns a lower bound on the number of actions of an attack's witness: the memory accesses of the
 * attacker, and one access of another thread. The states on the search's path to the attack are
 * enough for the bound, so the instructions between these states are not computed.
 */
function leastActionsOfTrail(evidence: WitnessEvidence): number {
  const { automata, attack, trail, sequential, groups } = evidence;
  const seed =
    trail.kind === 'direct'
      ? trail.start
      : trail.seeds.at(-1 - firstParent(trail.search, trail.state));
  const own = automata.threads[attack.thread]?.sequential;
  if (!seed || !own) return 0;
  // Threads with equal code change positions, so the attacker's actions are not counted.
  const isGrouped = groups.all.some((members) => members.includes(attack.thread));
  const before = isGrouped
    ? 0
    : leastActionsOf(sequential, seed.state, attack.thread, (node) => leastActionsAt(own, node));
  const delayed =
    trail.kind === 'direct'
      ? 0
      : 1 + leastActionsOf(trail.search, trail.state, attack.thread, () => 1);
  const firstStore = 2;
  const lastLoad = 1;
  const helper = 1;
  return before + firstStore + delayed + lastLoad + helper;
}

function firstParent(search: ProductSearch, state: number): number {
  let at = state;
  while (at >= 0) at = search.table.parent(at);
  return at;
}

/**
 * Keeps the shortest witness of the feasible attacks that `offer` receives; among equally short
 * witnesses, the first. Only witnesses that may be shorter than the known witness are built and
 * replayed.
 */
export class ShortestWitness {
  best: FoundWitness | undefined;
  readonly #program: Program;
  readonly #happensBefore: HappensBefore;
  readonly #replayAll: boolean;

  /** Begins without a witness. With `replayAll`, every witness is built and replayed. */
  constructor(program: Program, happensBefore: HappensBefore, replayAll: boolean) {
    this.#program = program;
    this.#happensBefore = happensBefore;
    this.#replayAll = replayAll;
  }

  /**
   * Receives a feasible attack, and keeps the attack's witness if it is the shortest so far. If two
   * witnesses of one turn are equally short, the one received first is kept.
   */
  offer(evidence: WitnessEvidence, turn: Turn): void {
    const { attack } = evidence;
    if (!this.#isOpen(leastActionsOfTrail(evidence), turn)) return;
    this.offerSchedule(attack, writeSchedule(evidence), turn);
  }

  /** Receives a feasible attack with the steps of an execution. */
  offerSchedule(attack: Attack, schedule: readonly ScheduledStep[], turn: Turn): void {
    if (!this.#isOpen(leastActions(this.#program, attack, schedule), turn)) return;
    const witness = witnessOfSchedule(this.#program, attack, schedule, this.#happensBefore);
    if (this.#isBetter(witness.computation.length, turn)) this.best = { witness, turn };
  }

  #isOpen(least: number, turn: Turn): boolean {
    return this.#replayAll || this.#isBetter(least, turn);
  }

  #isBetter(length: number, turn: Turn): boolean {
    return !this.best || compareWitnesses(length, turn, this.best) < 0;
  }
}
