import type { TransitionId } from '@fencewright/model/program/ids.js';
import type { AttackerAutomaton, DelayTarget } from './attacker-automaton.js';
import type { SequentialAutomaton } from './sequential-automaton.js';

/** The attacker after delaying its first store. */
export interface StartEntry {
  /** Index into the result of `AttackerAutomaton.enter`. */
  readonly index: number;
  readonly node: number;
  readonly target: DelayTarget;
}

/** A store that can be the first delayed store at some node. */
interface AttackStart {
  readonly action: number;
  readonly store: TransitionId;
  readonly entries: readonly StartEntry[];
}

/**
 * For each node of a sequential automaton, the attacks that can start at the node; each is computed
 * once.
 */
export class AttackStarts {
  readonly #sequential: SequentialAutomaton;
  readonly #attacker: AttackerAutomaton;
  readonly #starts: (readonly AttackStart[] | undefined)[] = [];

  constructor(sequential: SequentialAutomaton, attacker: AttackerAutomaton) {
    this.#sequential = sequential;
    this.#attacker = attacker;
  }

  /**
   * The attacks that can start at a node; empty for most nodes. A thread that holds the bus lock
   * cannot delay a store past the lock block.
   */
  at(node: number): readonly AttackStart[] {
    return (this.#starts[node] ??= this.#compute(node));
  }

  #compute(node: number): readonly AttackStart[] {
    if (this.#sequential.isExclusive(node)) return [];
    return this.#sequential.actions(node).flatMap(({ step, effect }, action) => {
      if (effect.kind !== 'store') return [];
      const entries = this.#attacker.enter(node, action).map((entry, index) => ({
        index,
        node: entry.node,
        target: this.#attacker.target(entry.node),
      }));
      return entries.length > 0 ? [{ action, store: step.id, entries }] : [];
    });
  }
}

/** All cells from this number on share a bit. */
const lastBit = 30;

/** The bit of a cell in a set of cells; sets may say yes too often for large programs, never no. */
export function cellBit(cell: number): number {
  return 1 << Math.min(cell, lastBit);
}

/**
 * For each node of a sequential automaton, the cells whose first access on the happens-before path
 * the node can make; all cells in front of a lock block.
 */
export class JoinableCells {
  readonly #sequential: SequentialAutomaton;
  readonly #sets: (number | undefined)[] = [];

  constructor(sequential: SequentialAutomaton) {
    this.#sequential = sequential;
  }

  /** A set of `cellBit`s. */
  at(node: number): number {
    return (this.#sets[node] ??= this.#compute(node));
  }

  #compute(node: number): number {
    let set = 0;
    for (const { cell, effect } of this.#sequential.actions(node)) {
      if (effect.kind === 'lock') return -1;
      if (effect.kind !== 'load') set |= cellBit(cell);
    }
    return set;
  }
}
