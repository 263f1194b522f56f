import { at, wordAt } from '@fencewright/ground/base/at.js';
import { outcomeSize } from '@fencewright/ground/product/tables.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { DirectedAttacker, DirectedProgram, ScheduledWrite } from './directed-program.js';

/**
 * The nodes at which a thread may be at one time: between two writes, when no cell changes value,
 * the thread may have made any number of loads.
 */
export interface NodeSet {
  readonly thread: ThreadId;
  /** Whether the thread is the attacker, and has delayed the first store. */
  readonly isDelaying: boolean;
  /** The nodes of the thread's automaton, ascending. */
  readonly nodes: readonly number[];
  /** The cells that the thread can access next from some node of the set. */
  readonly cells: ReadonlySet<number>;
}

/** A write that a thread may make next, and the nodes of the thread after the write. */
interface NextWrite {
  readonly write: ScheduledWrite;
  readonly cell: number;
  readonly written: number;
  readonly nodes: number[];
}

/** Returns the value that a cell holds. */
type Memory = (cell: number) => number;

/**
 * The sets of nodes at which a thread may be after any number of loads, with a number for each set.
 */
export class NodeSets {
  /** The number of nodes in all sets computed, repeated sets included, as a measure of work. */
  work = 0;
  readonly #directed: DirectedProgram;
  readonly #attacker: DirectedAttacker;
  readonly #sets: NodeSet[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(directed: DirectedProgram, attacker: DirectedAttacker) {
    this.#directed = directed;
    this.#attacker = attacker;
  }

  at(number: number): NodeSet {
    return at(this.#sets, number);
  }

  /**
   * Returns the number of the set of nodes that a thread reaches by loads from some nodes. With
   * `isDelaying`, all nodes are nodes of the attacker after the delayed store.
   */
  close(thread: ThreadId, isDelaying: boolean, nodes: readonly number[], memory: Memory): number {
    const { number, source, isBlind } = this.#automaton(thread, isDelaying);
    const all = new Set(nodes);
    const cells = new Set<number>();
    // The loop also visits elements added during the loop.
    for (const node of all)
      for (const [action, cell] of source.actionCells(node).entries()) {
        if (cell < 0) continue;
        cells.add(cell);
        if (isBlind(node, action)) continue;
        const value = memory(cell);
        for (const { written, next } of this.#outcomes(number, node, action, value))
          if (written === value) all.add(next);
      }
    this.work += all.size;
    const sorted = [...all].sort((a, b) => a - b);
    const name = `${thread}${isDelaying ? '*' : ':'}${sorted.join()}`;
    let known = this.#numbers.get(name);
    if (known === undefined) {
      known = this.#sets.push({ thread, isDelaying, nodes: sorted, cells }) - 1;
      this.#numbers.set(name, known);
    }
    return known;
  }

  /** Returns the possible writes of a thread from the nodes of a set, one for each instruction. */
  writes({ thread, nodes }: NodeSet, memory: Memory): readonly NextWrite[] {
    const { number } = this.#automaton(thread, false);
    const { sequential } = at(this.#directed.automata.threads, thread);
    const writes = new Map<number, NextWrite>();
    for (const node of nodes)
      for (const [action, { cell, step, effect }] of sequential.actions(node).entries()) {
        if (cell < 0 || effect.kind === 'load') continue;
        const value = memory(cell);
        const place = this.#directed.placeOf(thread, step.id);
        for (const { written, next } of this.#outcomes(number, node, action, value)) {
          if (effect.kind !== 'store' && written === value) continue;
          const known = writes.get(place);
          if (!known) writes.set(place, { write: { thread, place }, cell, written, nodes: [next] });
          else if (known.cell === cell && known.written === written) known.nodes.push(next);
        }
      }
    return [...writes.values()];
  }

  #automaton(thread: ThreadId, isDelaying: boolean) {
    const { sequential, sequentialNumber } = at(this.#directed.automata.threads, thread);
    return isDelaying
      ? { number: this.#attacker.number, source: this.#attacker.automaton, isBlind: () => false }
      : {
          number: sequentialNumber,
          source: sequential,
          isBlind: (node: number, action: number) => sequential.isBlind(node, action),
        };
  }

  #outcomes(number: number, node: number, action: number, value: number) {
    const { valueTables: tables } = this.#directed.automata;
    const list = tables.outcomes(number, node, action, value);
    return Array.from({ length: wordAt(tables.memory, list) }, (_, i) => ({
      written: wordAt(tables.memory, list + 1 + outcomeSize * i),
      next: wordAt(tables.memory, list + 2 + outcomeSize * i),
    }));
  }
}
