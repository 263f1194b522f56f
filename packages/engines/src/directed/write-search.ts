import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { DirectedAttacker, DirectedProgram, ScheduledWrite } from './directed-program.js';
import { oldRank } from './directed-search.js';
import { DirectedStates } from './directed-states.js';
import { NodeSets, type NodeSet } from './node-sets.js';
import { ScheduledRun, type CarriedAttack, type WriteSchedule } from './write-schedule.js';

/**
 * The number that stands for an action in the move by which the attacker delays its first store.
 */
const delay = -1;

/**
 * A best-first search for the write schedule of one attack. Between two writes, memory is fixed, so
 * loads need no separate states: a state has, for each thread, the set of all nodes reached by
 * loads. If the attacker reaches the last load by a schedule, the schedule is run to look for the
 * happens-before path. The search finds attacks and refutes none.
 */
export class WriteSearch {
  /**
   * The states of the search; in place of a thread's node, a state has the number of a set of nodes
   * in `NodeSets`.
   */
  readonly states: DirectedStates;
  /**
   * The attack with the steps of an execution, and the write schedule; `undefined` until the attack
   * is found.
   */
  found: { readonly carried: CarriedAttack; readonly schedule: WriteSchedule } | undefined;
  readonly #directed: DirectedProgram;
  readonly #attacker: DirectedAttacker;
  readonly #attack: Attack;
  readonly #sets: NodeSets;
  /** By distance to the goal, the facts of all states found so far with this distance. */
  readonly #seen = new Map<number, Set<number>>();
  #workOfRuns = 0;

  constructor(directed: DirectedProgram, attacker: DirectedAttacker, attack: Attack) {
    this.#directed = directed;
    this.#attacker = attacker;
    this.#attack = attack;
    this.#sets = new NodeSets(directed, attacker);
    const { threads, valueTables } = directed.automata;
    this.states = new DirectedStates(threads.length, valueTables.cells);
  }

  /** The number of nodes that threads have entered and of states stored, as a measure of work. */
  get work(): number {
    return this.states.count + this.#sets.work + this.#workOfRuns;
  }

  /**
   * Searches from the initial state, with at most `mostWork` units of work; returns whether the
   * attack was found.
   */
  run(mostWork: number): boolean {
    const { states } = this;
    states.row.fill(0);
    states.row[0] = 1;
    for (const [thread, { sequential }] of this.#directed.helpers.entries()) {
      const nodes = sequential.initialNodes().map(({ node }) => node);
      states.row[1 + thread] = this.#sets.close(thread, false, nodes, () => 0);
    }
    this.#add(-1, { thread: 0, action: delay, outcome: 0 });
    while (!this.found && this.work < mostWork) {
      const state = states.pop();
      if (state < 0) break;
      if (states.phase(state) === 2) this.#complete(state);
      if (!this.found) this.#expand(state);
    }
    return this.found !== undefined;
  }

  #setOf(state: number, thread: ThreadId): NodeSet {
    return this.#sets.at(this.states.node(state, thread));
  }

  #expand(state: number): void {
    const { states } = this;
    const memory = (cell: number): number => states.value(state, cell);
    for (let thread = 0; thread < states.threads; thread++) {
      const set = this.#setOf(state, thread);
      if (set.isDelaying) continue;
      for (const { write, cell, written, nodes } of this.#sets.writes(set, memory)) {
        if (cell >= states.cells) continue;
        const after = (other: number): number => (other === cell ? written : memory(other));
        states.load(state);
        states.row[1 + states.threads + cell] = written;
        for (let other = 0; other < states.threads; other++) {
          const otherSet = this.#setOf(state, other);
          const isChanged = other === thread || otherSet.cells.has(cell);
          const from = other === thread ? nodes : otherSet.nodes;
          if (isChanged)
            states.row[1 + other] = this.#sets.close(other, otherSet.isDelaying, from, after);
        }
        this.#add(state, { thread, action: write.place, outcome: 0 });
      }
    }
    if (states.phase(state) === 1) this.#beginDelay(state, memory);
  }

  #beginDelay(state: number, memory: (cell: number) => number): void {
    const { states } = this;
    const { thread, starts } = this.#attacker;
    const nodes = this.#setOf(state, thread).nodes.flatMap((node) =>
      starts
        .at(node)
        .filter(({ store }) => store === this.#attack.store)
        .flatMap(({ entries }) => entries.map((entry) => entry.node)),
    );
    if (nodes.length === 0) return;
    states.load(state);
    states.row[0] = 2;
    states.row[1 + thread] = this.#sets.close(thread, true, nodes, memory);
    this.#add(state, { thread, action: delay, outcome: 0 });
  }

  /**
   * Stores the state in `row`, reached from `parent` by `move`, and queues the state unless it is
   * known or the goal is out of reach.
   */
  #add(parent: number, move: Parameters<DirectedStates['add']>[1]): void {
    const { states } = this;
    const state = states.add(parent, move);
    if (state < 0) return;
    const distance = this.#distance();
    if (distance >= 0) states.push(state, this.#isNew(distance) ? distance : oldRank + distance);
  }

  /**
   * Returns the cost of the goal (the attack's last load) from the state in `row`; -1 if it is out
   * of reach.
   */
  #distance(): number {
    const { row, threads, cells } = this.states;
    const { costs, facts, component, goals, allowed } = this.#attacker;
    const goal = goals.get(this.#attack.load);
    const mayDelay = allowed.get(this.#attack.store);
    if (goal === undefined || mayDelay === undefined) return -1;
    costs.begin();
    for (let t = 0; t < threads; t++) {
      const { nodes, isDelaying } = this.#sets.at(row[1 + t]!);
      const own = isDelaying ? component : at(this.#directed.helpers, t).component;
      for (const node of nodes) costs.hold(own.nodes[node] ?? -1);
    }
    for (let cell = 0; cell < cells; cell++)
      costs.hold(facts.value(cell, row[1 + threads + cell]!));
    costs.hold(mayDelay);
    return costs.costOf(goal);
  }

  /**
   * Whether the state in `row` has a fact, such as a value of a cell or a node of a thread, that no
   * earlier state at the same distance to the goal has.
   */
  #isNew(distance: number): boolean {
    let seen = this.#seen.get(distance);
    if (!seen) this.#seen.set(distance, (seen = new Set()));
    const { row, threads } = this.states;
    const before = seen.size;
    const note = (place: number, value: number): unknown =>
      seen.add((value * 2 + (row[0]! - 1)) * row.length + place);
    for (let t = 0; t < threads; t++)
      for (const node of this.#sets.at(row[1 + t]!).nodes) note(1 + t, node);
    for (let i = 1 + threads; i < row.length; i++) note(i, row[i]!);
    return seen.size > before;
  }

  /**
   * Executes the write schedule that leads to a state, if the attacker may be at its last load in
   * the state.
   */
  #complete(state: number): void {
    const { load } = this.#attack;
    const { thread, automaton } = this.#attacker;
    const isAtEnd = this.#setOf(state, thread).nodes.some((node) => automaton.endAt(node, load));
    if (!isAtEnd) return;
    const schedule = this.#scheduleOf(state);
    const run = new ScheduledRun(this.#directed, this.#attacker, this.#attack.store);
    const [carried] = run.run(schedule, (other) => other === load);
    this.#workOfRuns += run.work;
    if (carried) this.found = { carried, schedule: { ...schedule, joiner: carried.joiner } };
  }

  #scheduleOf(last: number): WriteSchedule {
    const { states } = this;
    const writes: ScheduledWrite[] = [];
    let late = 0;
    for (let state = last; states.parent(state) >= 0; state = states.parent(state)) {
      const { thread, action } = states.move(state);
      if (action !== delay) writes.push({ thread, place: action });
      else late = writes.length;
    }
    const attacker = this.#attacker.thread;
    const delayedAfter = writes.length - late;
    return { attacker, writes: writes.reverse(), delayedAfter, joiner: attacker };
  }
}
