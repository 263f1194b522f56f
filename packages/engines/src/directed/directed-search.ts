import { at, wordAt } from '@fencewright/ground/base/at.js';
import {
  actionRecord,
  goalNode,
  nodeRecord,
  outcomeSize,
  type ProductTables,
} from '@fencewright/ground/product/tables.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { DirectedAttacker, DirectedProgram } from './directed-program.js';
import { noDirectPath } from './path-distances.js';
import { DirectedStates, type DirectedMove, type AttackPhase } from './directed-states.js';

/**
 * The number added to the rank of a state without new facts. States of small rank come first, so
 * states with new facts do.
 */
export const oldRank = 1 << 16;
/**
 * The size of the tables in bytes at which a search ends, since the values of a program can grow
 * for ever.
 */
const mostTableBytes = 2 ** 27;
/** The number of states stored between two checks of the tables' size. */
const statesPerLook = 64;

/** The cells of the first delayed store and of the last load of the attack. */
interface AttackCells {
  readonly target: number;
  readonly load: number;
}

/** A first state of a search, with the cells of the attack if the state is in the third phase. */
export interface DirectedStart {
  readonly phase: AttackPhase;
  readonly nodes: readonly number[];
  readonly values: readonly number[];
  readonly cells?: AttackCells;
}

const noMove: DirectedMove = { thread: -1, action: 0, outcome: 0 };

/** Returns the state with which the third phase begins, directly after the last load. */
export function behindLoad(
  { automata }: DirectedProgram,
  { thread, automaton }: DirectedAttacker,
  nodes: readonly number[],
  values: readonly number[],
  { cell, last }: LastAccess,
): DirectedStart {
  const target = automaton.target(at(nodes, thread));
  const markOf = (other: number) =>
    other === target.cell ? target.mark : other === cell ? last.mark : 0;
  return {
    phase: 3,
    nodes: nodes.map((node, t) => (t === thread ? 0 : at(automata.threads, t).path.offPath(node))),
    values: values.map((value, other) =>
      automata.marks.id(other, other === cell ? last.held : value, markOf(other)),
    ),
    cells: { target: target.cell, load: cell },
  };
}

/** One possible result of the last access of an attack. */
interface LastAccess {
  readonly cell: number;
  readonly last: ReturnType<DirectedAttacker['automaton']['lastLoads']>[number];
}

/**
 * A best-first search for one attack, through all three phases. States are expanded in the order of
 * their distance to the goal in the relaxation (`ReachedFacts`). But a state with a fact that no
 * earlier state of the same distance has comes before all states without such a fact. The search
 * finds attacks and refutes none.
 */
export class DirectedSearch {
  readonly states: DirectedStates;
  /**
   * The last move of the complete attack, and the number of the state before that move; `undefined`
   * until the attack is found.
   */
  goal: { readonly from: number; readonly move: DirectedMove } | undefined;
  readonly directed: DirectedProgram;
  readonly attacker: DirectedAttacker;
  readonly attack: Attack;
  /** By number of a state in the third phase, the cells of the attack. */
  readonly #cells = new Map<number, AttackCells>();
  /** By distance to the goal, the facts of all states found so far with this distance. */
  readonly #seen = new Map<number, Set<number>>();

  readonly #isActive: (thread: number) => boolean;

  /**
   * Creates a search in which only the threads selected by `isActive` run; by default all threads.
   */
  constructor(
    directed: DirectedProgram,
    attacker: DirectedAttacker,
    attack: Attack,
    isActive: (thread: number) => boolean = () => true,
  ) {
    this.#isActive = isActive;
    this.directed = directed;
    this.attacker = attacker;
    this.attack = attack;
    const { valueTables, threads } = directed.automata;
    this.states = new DirectedStates(threads.length, valueTables.cells);
  }

  /** Adds a state; returns the state's number, or -1 if the state is known or the table is full. */
  begin(start: DirectedStart): number {
    return this.#put(start, -1, noMove);
  }

  /** Searches up to `limit` stored states; returns whether the attack is complete. */
  run(limit: number): boolean {
    const { states } = this;
    while (!this.goal && states.count < limit) {
      const state = states.pop();
      if (state < 0 || (state % statesPerLook === 0 && this.#areTablesFull)) break;
      this.#expand(state);
    }
    return this.goal !== undefined;
  }

  get #areTablesFull(): boolean {
    const { valueTables, markTables } = this.directed.automata;
    return valueTables.bytes + markTables.bytes > mostTableBytes;
  }

  #put({ phase, nodes, values, cells }: DirectedStart, parent: number, move: DirectedMove): number {
    const { row } = this.states;
    row.fill(0);
    row[0] = phase;
    row.set(nodes, 1);
    row.set(values.slice(0, this.states.cells), 1 + nodes.length);
    return this.#add(parent, move, cells);
  }

  /**
   * Stores the state in `row`, reached from `parent` by `move`, and queues the state unless the
   * goal is out of reach. Returns its number, or -1 if it is known or the table is full. `cells`
   * are given in the third phase only.
   */
  #add(parent: number, move: DirectedMove, cells: AttackCells | undefined): number {
    const { states } = this;
    const state = states.add(parent, move);
    if (state < 0) return state;
    if (cells) this.#cells.set(state, cells);
    const distance = cells ? this.#pathDistance(state, cells) : this.#distance();
    if (distance >= 0) states.push(state, this.#isNew(distance) ? distance : oldRank + distance);
    return state;
  }

  /**
   * Returns the cost of the goal from the state in `row`, in the first two phases; -1 if out of
   * reach.
   */
  #distance(): number {
    const { attacker, directed } = this;
    const { row, threads, cells } = this.states;
    const { costs } = attacker;
    const goal = attacker.goals.get(this.attack.load);
    const allowed = attacker.allowed.get(this.attack.store);
    if (goal === undefined || allowed === undefined) return -1;
    costs.begin();
    for (let t = 0; t < threads; t++) {
      const isDelaying = row[0] === 2 && t === attacker.thread;
      const { nodes } = isDelaying ? attacker.component : at(directed.helpers, t).component;
      costs.hold(nodes[row[1 + t]!] ?? -1);
    }
    for (let cell = 0; cell < cells; cell++)
      costs.hold(attacker.facts.value(cell, row[1 + threads + cell]!));
    costs.hold(allowed);
    return costs.costOf(goal);
  }

  /**
   * Returns the least number of steps that a helper still has to make in the third phase; -1 if no
   * helper can join the path.
   */
  #pathDistance(state: number, { target, load }: AttackCells): number {
    const { distances, helpers, automata } = this.directed;
    let least = -1;
    for (const [t, helper] of helpers.entries()) {
      const path = at(automata.threads, t).path.helper(this.states.node(state, t));
      if (t === this.attacker.thread || !path) continue;
      const { sequential, onPath } = path;
      const isUnderWay = onPath || helper.sequential.isExclusive(sequential);
      const distance = isUnderWay
        ? distances.toAccess(helper, sequential, target)
        : distances.afterJoining(helper, sequential, load, target);
      const known = isUnderWay && distance < 0 ? noDirectPath : distance;
      if (known >= 0 && (least < 0 || known < least)) least = known;
    }
    return least;
  }

  /** Whether the state in `row` has a fact new among the states at the given distance. */
  #isNew(distance: number): boolean {
    let seen = this.#seen.get(distance);
    if (!seen) this.#seen.set(distance, (seen = new Set()));
    const { row } = this.states;
    const before = seen.size;
    for (let i = 1; i < row.length; i++) seen.add((row[i]! * 4 + row[0]!) * row.length + i);
    return seen.size > before;
  }

  #expand(state: number): void {
    const { states, attacker, directed } = this;
    const { automata } = directed;
    const phase = states.phase(state);
    const isAttacker = (t: number): boolean => phase > 1 && t === attacker.thread;
    const holder = automata.threads.findIndex(({ sequential, path }, t) => {
      const node = states.node(state, t);
      return !isAttacker(t) && (phase === 3 ? path : sequential).isExclusive(node);
    });
    const isFree = holder < 0;
    for (const [t, own] of automata.threads.entries()) {
      if (!this.#isActive(t) || (!isFree && holder !== t)) continue;
      if (phase === 3) {
        if (!isAttacker(t)) this.#step(state, t, automata.markTables, own.pathNumber);
      } else if (isAttacker(t)) this.#step(state, t, automata.valueTables, attacker.number);
      else {
        const number = phase === 2 ? own.delayedNumber : own.sequentialNumber;
        this.#step(state, t, automata.valueTables, number);
      }
    }
    if (isFree && phase === 1) this.#beginDelay(state);
    if (isFree && phase === 2) this.#endDelay(state);
  }

  /** Adds the states after all actions of one thread. */
  #step(state: number, thread: number, tables: ProductTables, automaton: number): void {
    const { states } = this;
    const { row } = states;
    const node = states.node(state, thread);
    const record = tables.node(automaton, node);
    const actions = wordAt(tables.memory, record + nodeRecord.count);
    for (let action = 0; action < actions; action++) {
      const place = record + nodeRecord.actions + nodeRecord.actionSize * action;
      const cell = wordAt(tables.memory, place + actionRecord.cell);
      const value = cell < 0 ? 0 : states.value(state, cell);
      const list = tables.outcomes(automaton, node, action, value);
      const outcomes = wordAt(tables.memory, list);
      for (let outcome = 0; outcome < outcomes; outcome++) {
        const entry = list + 1 + outcomeSize * outcome;
        const next = wordAt(tables.memory, entry + 1);
        const move = { thread, action, outcome };
        if (next === goalNode) {
          this.goal ??= { from: state, move };
          return;
        }
        if (cell >= states.cells) continue;
        states.load(state);
        row[1 + thread] = next;
        if (cell >= 0) row[1 + states.threads + cell] = wordAt(tables.memory, entry);
        this.#add(state, move, this.#cells.get(state));
      }
    }
  }

  #beginDelay(state: number): void {
    const { states } = this;
    const { thread, starts } = this.attacker;
    for (const { action, store, entries } of starts.at(states.node(state, thread))) {
      if (store !== this.attack.store) continue;
      for (const { node, index } of entries) {
        states.load(state);
        states.row[0] = 2;
        states.row[1 + thread] = node;
        this.#add(state, { thread, action, outcome: index }, undefined);
      }
    }
  }

  #endDelay(state: number): void {
    const { states, attacker, directed } = this;
    const { thread, automaton } = attacker;
    const { load } = this.attack;
    const node = states.node(state, thread);
    const end = automaton.endAt(node, load);
    if (!end) return;
    const nodes = Array.from({ length: states.threads }, (_, t) => states.node(state, t));
    const values = Array.from({ length: states.cells }, (_, cell) => states.value(state, cell));
    const { cell } = end;
    const lasts = automaton.lastLoads(node, load, states.value(state, cell));
    for (const [outcome, last] of lasts.entries()) {
      const start = behindLoad(directed, attacker, nodes, values, { cell, last });
      this.#put(start, state, { thread, action: 0, outcome });
    }
  }
}
