import { wordAt } from '@fencewright/ground/base/at.js';
import { outcomeSize, type ProductTables } from '@fencewright/ground/product/tables.js';
import type { TransitionId } from '@fencewright/model/program/ids.js';
import { cellBit, type AttackStarts } from '../automata/attack-starts.js';
import type { AttackerAutomaton, DelayTarget } from '../automata/attacker-automaton.js';
import type { OpenAttacks } from './open-attacks.js';

/** The attacker's next node after the first load from memory, if this load need not be the last. */
interface AttackerContinuation {
  readonly outcome: number;
  /** The node that the attacker's automaton reaches by the load. */
  readonly node: number;
  /** The id of the loaded cell's value, as read by the attacker. */
  readonly held: number;
}

/**
 * A load from memory, or an access to a mailbox, that the attacker can make first after its first
 * delayed store.
 */
interface FirstLoad {
  readonly action: number;
  readonly cell: number;
  /**
   * The nodes from which the attacker can go on after this load towards the end of an undecided
   * attack. Indexed by the id of the cell's value; computed on demand.
   */
  readonly continuations: (readonly AttackerContinuation[] | undefined)[];
}

/** A first delayed store with which an open attack can begin. */
export interface OpenStart {
  readonly action: number;
  readonly store: TransitionId;
  /** The position of the attacker's next node in the result of `AttackerAutomaton.enter`. */
  readonly entry: number;
  /** The node of the attacker's automaton after delaying the first store. */
  readonly node: number;
  readonly target: DelayTarget;
  /**
   * The loads that can end an undecided attack if the attacker has loaded nothing from memory since
   * the delayed store. `bit` is the `cellBit` of the loaded cell.
   */
  readonly lastLoads: readonly {
    readonly load: TransitionId;
    readonly cell: number;
    readonly bit: number;
  }[];
  readonly firstLoads: readonly FirstLoad[];
}

/**
 * Finds the first delayed stores with which open attacks can begin, for each node of a sequential
 * automaton.
 */
export class OpenStarts {
  readonly #all: AttackStarts;
  readonly #attacker: AttackerAutomaton;
  readonly #attackerNumber: number;
  readonly #tables: ProductTables;
  readonly #open: OpenAttacks;
  #starts: (readonly OpenStart[] | undefined)[] = [];

  constructor(
    all: AttackStarts,
    attacker: AttackerAutomaton,
    attackerNumber: number,
    tables: ProductTables,
    open: OpenAttacks,
  ) {
    this.#all = all;
    this.#attacker = attacker;
    this.#attackerNumber = attackerNumber;
    this.#tables = tables;
    this.#open = open;
  }

  /** Returns the attacks that may start at a node; empty for most nodes. */
  at(node: number): readonly OpenStart[] {
    return (this.#starts[node] ??= this.#compute(node));
  }

  /** Removes the cached results; to be called when an attack has been decided. */
  forget(): void {
    this.#starts = [];
  }

  /**
   * Returns the attacker's next nodes after a load that reads the value with id `value`, for open
   * attacks.
   */
  continuations(
    start: OpenStart,
    first: FirstLoad,
    value: number,
  ): readonly AttackerContinuation[] {
    return (first.continuations[value] ??= this.#continue(start, first, value));
  }

  #compute(node: number): readonly OpenStart[] {
    return this.#all.at(node).flatMap(({ action, store, entries }) => {
      if (!this.#open.hasOpen(store)) return [];
      return entries.map((entry): OpenStart => {
        const loads = this.#attacker.loads(entry.node);
        return {
          action,
          store,
          entry: entry.index,
          node: entry.node,
          target: entry.target,
          lastLoads: loads.flatMap(({ transition: load, cell, isEnd }) =>
            isEnd && this.#open.isOpen(store, load) ? [{ load, cell, bit: cellBit(cell) }] : [],
          ),
          firstLoads: loads.map(({ cell }, index) => ({ action: index, cell, continuations: [] })),
        };
      });
    });
  }

  #continue(
    start: OpenStart,
    { action }: FirstLoad,
    value: number,
  ): readonly AttackerContinuation[] {
    const list = this.#tables.outcomes(this.#attackerNumber, start.node, action, value);
    const { memory } = this.#tables;
    return Array.from({ length: wordAt(memory, list) }, (_, outcome) => {
      const entry = list + 1 + outcomeSize * outcome;
      return { outcome, held: wordAt(memory, entry), node: wordAt(memory, entry + 1) };
    }).filter(({ node }) =>
      this.#attacker.reachableLoads(node).some((load) => this.#open.isOpen(start.store, load)),
    );
  }
}
