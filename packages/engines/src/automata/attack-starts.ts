import type { TransitionId } from '@fencewright/model/program/ids.js';
import type { AttackerAutomaton, DelayTarget } from './attacker-automaton.js';
import type { SequentialAutomaton } from './sequential-automaton.js';

/** A node of the attacker's automaton after delaying the first store. */
export interface StartEntry {
  /** The position of the node in the result of `AttackerAutomaton.enter`. */
  readonly index: number;
  readonly node: number;
  readonly target: DelayTarget;
}

/** A store at some node of the sequential automaton that can be the first delayed store. */
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

/** The last bit in a set of cells, a 32-bit word: all cells from this number on share the bit. */
const lastBit = 30;

/**
 * The bit of a cell in a set of cells. In large programs several cells share a bit, so that a set
 * may seem to contain a cell that it does not contain, but never the reverse.
 */
export function cellBit(cell: number): number {
  return 1 << Math.min(cell, lastBit);
}

/**
 * For each node of a sequential automaton, a set of cells: an access of one of them lets a thread
 * at the node join the happens-before path. For a node before a lock block, the set has all cells.
 */
export class JoinableCells {
  readonly #sequential: SequentialAutomaton;
  readonly #sets: (number | undefined)[] = [];

  constructor(sequential: SequentialAutomaton) {
    this.#sequential = sequential;
  }

  /**
   * Returns, as a set of `cellBit`s, the cells of which an access lets a thread at the node join
   * the happens-before path.
   */
  at(node: number): number {
    return (this.#sets[node] ??= this.#compute(node));
  }

  #compute(node: number): number {
    let set = 0;
    for (const { cell, effect } of this.#sequential.actions(node)) {
      if (effect.kind === 'lock') return -1;
      if (effect.kind === 'heavy-fence') continue;
      if (effect.kind !== 'load') set |= cellBit(cell);
    }
    return set;
  }
}
