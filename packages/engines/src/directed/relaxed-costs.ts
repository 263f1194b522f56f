import { wordAt } from '@fencewright/ground/base/at.js';
import type { Fact, ReachedFacts } from './reached-facts.js';

/** A step of the relaxation: if all premises hold, all conclusions do, at the cost of the step. */
export interface RelaxedStep {
  readonly premises: readonly Fact[];
  readonly conclusions: readonly Fact[];
  readonly cost: number;
}

/** The maximum cost of a fact: higher costs count as this cost. */
const mostCost = (1 << 15) - 1;

/** Returns the steps of the relaxation: one for each action and outcome of each component. */
export function relaxedSteps(facts: ReachedFacts): RelaxedStep[] {
  const steps: RelaxedStep[] = [];
  const sets = new Map<string, Fact>();
  /**
   * Returns the premise that a cell holds one of `values`. Returns no premise if the cell can hold
   * no other values, since the premise then always holds.
   */
  const oneOf = (cell: number, values: readonly number[]): readonly Fact[] => {
    const all = values.toSorted((a, b) => a - b);
    if (all.length === facts.valuesOf(cell)) return [];
    if (all.length === 1) return [facts.value(cell, all[0]!)];
    const name = `${cell}:${all.join()}`;
    let known = sets.get(name);
    if (known === undefined) {
      sets.set(name, (known = facts.fresh()));
      for (const value of all)
        steps.push({ premises: [facts.value(cell, value)], conclusions: [known], cost: 0 });
    }
    return [known];
  };
  for (const { nodes, actions } of facts.components)
    actions.forEach((own, node) => {
      for (const { cell, isBlind, outcomes } of own)
        for (const { node: next, written, values } of outcomes.values())
          steps.push({
            premises: [nodes[node]!, ...(isBlind ? [] : oneOf(cell, values))],
            conclusions: written < 0 ? [next] : [next, written],
            cost: 1,
          });
    });
  return steps;
}

/**
 * The costs of facts, beginning with the facts of a state. A step costs the costs of all premises
 * plus the step's cost. This is the additive heuristic of planning: Bonet and Geffner, Planning as
 * heuristic search, Artificial Intelligence 129, 2001.
 */
export class RelaxedCosts {
  readonly #cost: Int32Array;
  /**
   * The start of each fact's entries in `#users`, the list of the steps in which a fact is a
   * premise: fact `f` has the entries from `#usersAt[f]` to before `#usersAt[f + 1]`.
   */
  readonly #usersAt: Int32Array;
  readonly #users: Int32Array;
  readonly #premises: Uint8Array;
  readonly #left: Uint8Array;
  readonly #sum: Int32Array;
  readonly #own: Int32Array;
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  /**
   * A queue of facts by cost: the last entry of each cost, and for each entry the previous entry.
   */
  readonly #last = new Int32Array(mostCost + 1).fill(-1);
  readonly #before: Int32Array;
  readonly #fact: Int32Array;
  #entries = 0;
  #greatest = 0;

  constructor(facts: number, steps: readonly RelaxedStep[]) {
    const uses = steps.reduce((sum, { premises }) => sum + premises.length, 0);
    const effects = steps.reduce((sum, { conclusions }) => sum + conclusions.length, 0);
    this.#cost = new Int32Array(facts);
    this.#premises = Uint8Array.from(steps, ({ premises }) => premises.length);
    this.#left = new Uint8Array(steps.length);
    this.#sum = new Int32Array(steps.length);
    this.#own = Int32Array.from(steps, ({ cost }) => cost);
    this.#first = Int32Array.from(steps, ({ conclusions: [first = -1] }) => first);
    this.#second = Int32Array.from(steps, ({ conclusions: [, second = -1] }) => second);
    this.#usersAt = new Int32Array(facts + 1);
    this.#users = new Int32Array(uses);
    this.#before = new Int32Array(facts + effects);
    this.#fact = new Int32Array(facts + effects);
    for (const { premises } of steps) for (const fact of premises) this.#usersAt[fact + 1]!++;
    for (let f = 0; f < facts; f++) this.#usersAt[f + 1]! += this.#usersAt[f]!;
    const next = this.#usersAt.slice();
    steps.forEach(({ premises }, step) => {
      for (const fact of premises) this.#users[next[fact]!++] = step;
    });
  }

  /** Starts a new computation of costs, from a state in which no fact holds. */
  begin(): void {
    this.#last.fill(-1, 0, this.#greatest + 1);
    this.#cost.fill(-1);
    this.#left.set(this.#premises);
    this.#sum.fill(0);
    this.#entries = 0;
    this.#greatest = 0;
  }

  /**
   * Makes a fact hold in the state with which the costs begin; a fact below 0 is unknown, and
   * ignored.
   */
  hold(fact: Fact): void {
    if (fact >= 0) this.#offer(fact, 0);
  }

  /**
   * Returns the cost of a fact; -1 if no steps lead to the fact. May be called only once after each
   * call of `begin`.
   */
  costOf(goal: Fact): number {
    for (let cost = 0; cost <= this.#greatest; cost++)
      for (let entry = this.#last[cost]!; entry >= 0; entry = this.#last[cost]!) {
        this.#last[cost] = wordAt(this.#before, entry);
        const fact = wordAt(this.#fact, entry);
        if (wordAt(this.#cost, fact) !== cost) continue;
        if (fact === goal) return cost;
        this.#use(fact, cost);
        // The queue may have a second entry of the fact at this cost; the loop then skips that
        // entry.
        this.#cost[fact] = -2 - cost;
      }
    return -1;
  }

  #use(fact: Fact, cost: number): void {
    const end = this.#usersAt[fact + 1]!;
    for (let use = this.#usersAt[fact]!; use < end; use++) {
      const step = this.#users[use]!;
      const sum = (this.#sum[step]! += cost);
      if (--this.#left[step]! > 0) continue;
      const whole = Math.min(sum + this.#own[step]!, mostCost);
      this.#offer(this.#first[step]!, whole);
      if (this.#second[step]! >= 0) this.#offer(this.#second[step]!, whole);
    }
  }

  #offer(fact: Fact, cost: number): void {
    const known = this.#cost[fact]!;
    if (known < -1 || (known >= 0 && known <= cost)) return;
    this.#cost[fact] = cost;
    const entry = this.#entries++;
    this.#fact[entry] = fact;
    this.#before[entry] = this.#last[cost]!;
    this.#last[cost] = entry;
    if (cost > this.#greatest) this.#greatest = cost;
  }
}
