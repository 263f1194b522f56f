import type { ReachedFacts, Fact, FactComponent } from './reached-facts.js';
import type { SequentialAutomaton } from '../automata/sequential-automaton.js';

/** A thread besides the attacker, with an automaton and the facts about the automaton's nodes. */
export interface Helper {
  readonly sequential: SequentialAutomaton;
  readonly component: FactComponent;
}

/**
 * The distance of a helper that can join the happens-before path, but needs another helper to
 * complete the path.
 */
export const noDirectPath = 100;

/**
 * The numbers of steps by which threads get from nodes to an access of a cell, by control flow
 * alone. The distances to each cell are computed once.
 */
export class PathDistances {
  readonly #facts: ReachedFacts;
  /**
   * By component and cell, the distance from each node to an access of the cell; the inner array is
   * indexed by fact.
   */
  readonly #known = new Map<FactComponent, Int32Array[]>();

  constructor(facts: ReachedFacts) {
    this.#facts = facts;
  }

  /** Returns the distance from a node to an access of the cell; -1 if no path leads there. */
  toAccess({ component }: Helper, node: number, cell: number): number {
    return this.#from(component, component.nodes[node], cell);
  }

  /**
   * Returns the least distance from a node to an access of `target` for a thread whose next access
   * joins the happens-before path, by writing the cell `written` or by taking the bus lock;
   * `noDirectPath` if the thread joins but reaches no access of `target`; -1 if it cannot join.
   */
  afterJoining({ sequential, component }: Helper, node: number, written: number, target: number) {
    let least = -1;
    sequential.actions(node).forEach(({ cell, effect }, action) => {
      const joins = effect.kind === 'lock' || (cell === written && effect.kind !== 'load');
      if (!joins) return;
      for (const { node: next } of component.actions[node]?.[action]?.outcomes.values() ?? []) {
        const direct = this.#from(component, next, target);
        const distance = direct < 0 ? noDirectPath : 1 + direct;
        if (least < 0 || distance < least) least = distance;
      }
    });
    return least;
  }

  #from(component: FactComponent, fact: Fact | undefined, cell: number): number {
    if (fact === undefined) return -1;
    let known = this.#known.get(component);
    if (!known) this.#known.set(component, (known = []));
    return (known[cell] ??= this.#distances(component, cell))[fact] ?? -1;
  }

  #distances({ nodes, actions }: FactComponent, target: number): Int32Array {
    const distances = new Int32Array(this.#facts.count).fill(-1);
    const before = new Map<Fact, Fact[]>();
    const queue: Fact[] = [];
    actions.forEach((own, node) => {
      const fact = nodes[node]!;
      for (const { cell, outcomes } of own) {
        if (cell === target && distances[fact] !== 0) {
          distances[fact] = 0;
          queue.push(fact);
        }
        for (const { node: next } of outcomes.values()) {
          const known = before.get(next);
          if (known) known.push(fact);
          else before.set(next, [fact]);
        }
      }
    });
    for (const fact of queue)
      for (const from of before.get(fact) ?? [])
        if (distances[from] === -1) {
          distances[from] = distances[fact]! + 1;
          queue.push(from);
        }
    return distances;
  }
}
