import type { Automata, StateExpression } from '../automata.js';
import type { Budget } from '../budget.js';
import { uses } from '../control-flow.js';
import { subtermsOf } from '../liveness.js';
import { Machine, type State } from '../machine.js';
import { type StateGoal, violatesProperty } from '../properties.js';
import { agreesOnLock } from './before.js';
import type { Cone, Cones } from './cone.js';
import type { ThreadNode, ThreadGraphs } from './thread-graphs.js';

type BadStateLeaf = Extract<
  StateExpression,
  { kind: 'at' | 'ended' | 'drained' | 'register' | 'memory' }
>;

/** Returns the leaves of a condition: the registers, cells, locations and buffers mentioned. */
export function leavesOf(condition: StateExpression): readonly BadStateLeaf[] {
  return subtermsOf(condition).flatMap((part) =>
    part.kind === 'constant' || part.kind === 'unary' || part.kind === 'binary' ? [] : [part],
  );
}

/**
 * The part of a configuration known so far, in a search for a configuration that violates a goal.
 */
interface Known {
  readonly cone: Cone;
  readonly nodes: ReadonlyMap<number, ThreadNode>;
}

/**
 * A thread, a cell or a buffer on which a goal depends: the list of its possible states, each as a
 * function that adds the state to the known part of a configuration.
 */
type Part = readonly ((known: Known) => Known)[];

function threadAt(thread: number, nodes: readonly ThreadNode[]): Part {
  return nodes.map((node) => ({ cone, nodes: known }) => {
    const { location, registers } = node;
    const places = cone.places.with(thread, { location, registers });
    return { cone: { ...cone, places }, nodes: new Map(known).set(thread, node) };
  });
}

function cellHolding(address: number, values: Iterable<number>): Part {
  return [...values].map((value) => ({ cone, nodes }) => {
    return { cone: { ...cone, memory: new Map(cone.memory).set(address, value) }, nodes };
  });
}

function bufferOf(thread: number): Part {
  return [true, false].map((hasStored) => ({ cone, nodes }) => {
    return { cone: { ...cone, stored: cone.stored.with(thread, hasStored) }, nodes };
  });
}

/** Searches for configurations that violate a goal and lie outside of the cones. */
export class BadStates {
  readonly #machine: Machine;
  readonly #graphs: ThreadGraphs;
  readonly #cones: Cones;
  readonly #budget: Budget;
  readonly #hasLocks: boolean;

  constructor(automata: Automata, graphs: ThreadGraphs, cones: Cones, budget: Budget) {
    this.#machine = new Machine(automata);
    this.#graphs = graphs;
    this.#cones = cones;
    this.#budget = budget;
    this.#hasLocks = uses(automata, ({ kind }) => kind === 'lock');
  }

  /**
   * Returns a configuration outside of the cones that violates the goal; `undefined` if there is
   * none. If the budget ends first, returns some configuration, which need not violate the goal.
   */
  outside(goal: StateGoal): Cone | undefined {
    if (goal.kind === 'assertions') return this.#failureOutside();
    const { kind, condition } = goal.property;
    const isFinal = kind !== 'never';
    const leaves = leavesOf(condition);
    const seesStores = leaves.some((leaf) => leaf.kind === 'memory' || leaf.kind === 'drained');
    const frozen = !isFinal && (seesStores || this.#hasLocks);
    const parts = [...this.#threads(leaves, isFinal), ...this.#others(leaves, isFinal)];
    return this.#search(parts, this.#anything(frozen), (known) => {
      const state = this.#stateOf(known);
      return violatesProperty(this.#machine, [goal], state) !== false;
    });
  }

  /**
   * Returns a configuration outside of the cones in which an assertion fails; `undefined` if there
   * is none. Pending stores can reach memory without any thread moving, unless another thread holds
   * the bus lock.
   */
  #failureOutside(): Cone | undefined {
    const { codes, nodes } = this.#graphs;
    for (const [thread, code] of codes.entries()) {
      const failing = nodes[thread]!.filter((node) =>
        code.leaving(node).some((transition) => code.fails(node, transition)),
      );
      const part = threadAt(thread, failing);
      const found = this.#search([part], this.#anything(this.#hasLocks), () => true);
      if (found) return found;
    }
    return undefined;
  }

  #anything(frozen: boolean): Known {
    const { codes } = this.#graphs;
    const cone: Cone = {
      places: codes.map(() => null),
      memory: new Map(),
      words: codes.map(() => []),
      lock: null,
      frozen,
      stored: codes.map(() => null),
    };
    return { cone, nodes: new Map() };
  }

  /**
   * Returns the threads that the leaves of a condition mention; for final states all threads, each
   * at its end.
   */
  #threads(leaves: readonly BadStateLeaf[], isFinal: boolean): readonly Part[] {
    return this.#graphs.nodes.flatMap((nodes, thread): readonly Part[] => {
      if (isFinal) {
        const ends = nodes.filter((node) => this.#graphs.codes[thread]!.leaving(node).length === 0);
        return [threadAt(thread, ends)];
      }
      const isSeen = leaves.some(
        (leaf) => leaf.kind !== 'memory' && leaf.kind !== 'drained' && leaf.thread === thread,
      );
      return isSeen ? [threadAt(thread, nodes)] : [];
    });
  }

  /**
   * Returns the addresses and buffers that the leaves of a condition mention; in final states
   * buffers are empty.
   */
  #others(leaves: readonly BadStateLeaf[], isFinal: boolean): readonly Part[] {
    const addresses = leaves.flatMap((leaf) => (leaf.kind === 'memory' ? [leaf.address] : []));
    const drained = leaves.flatMap((leaf) => (leaf.kind === 'drained' ? [leaf.thread] : []));
    const { initial } = this.#machine;
    return [
      ...[...new Set(addresses)].map((address) => {
        const values = this.#graphs.values.get(address) ?? [initial.memory.get(address) ?? 0];
        return cellHolding(address, values);
      }),
      ...(isFinal ? [] : [...new Set(drained)]).map(bufferOf),
    ];
  }

  #search(
    [part, ...rest]: readonly Part[],
    known: Known,
    isBad: (known: Known) => boolean,
  ): Cone | undefined {
    if (this.#budget.spend(1) !== undefined) return known.cone;
    const open = this.#uncovered(known);
    if (!open) return undefined;
    if (!part) return isBad(known) ? open : undefined;
    for (const add of part) {
      const found = this.#search(rest, add(known), isBad);
      if (found) return found;
    }
    return undefined;
  }

  /**
   * Returns the known part of a configuration, completed by a holder of the bus lock, or by none,
   * such that no cone contains the result; `undefined` if no choice of the holder works.
   */
  #uncovered({ cone, nodes }: Known): Cone | undefined {
    return [null, ...cone.places.keys()]
      .map((lock): Cone => ({ ...cone, lock }))
      .filter((one) => [...nodes].every(([thread, node]) => agreesOnLock(one, thread, node)))
      .find((one) => this.#mayHold(one) && !this.#cones.contain(one));
  }

  /**
   * Whether the holder of the bus lock in the cone is a thread with a lock block, or there is no
   * holder.
   */
  #mayHold({ lock }: Cone): boolean {
    return lock === null || this.#graphs.nodes[lock]!.some(({ holds }) => holds);
  }

  /**
   * Returns a state with the known values, for evaluating a goal; the goal does not depend on the
   * rest of the state.
   */
  #stateOf({ cone, nodes }: Known): State {
    const { initial } = this.#machine;
    const waiting = [{ id: 0, address: 0, value: 0 }];
    return {
      ...initial,
      locations: initial.locations.map((at, thread) => nodes.get(thread)?.location ?? at),
      registers: initial.registers.map((own, thread) => nodes.get(thread)?.registers ?? own),
      memory: cone.memory,
      buffers: cone.stored.map((stored) => (stored === true ? waiting : [])),
    };
  }
}
