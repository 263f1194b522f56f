import { wordAt } from '@fencewright/ground/base/at.js';
import {
  actionRecord,
  blindRow,
  nodeRecord,
  outcomeSize,
  type ProductTables,
} from '@fencewright/ground/product/tables.js';

/** An action of a node, with its cell; the cell is -1 for `lock`. */
interface TabulatedAction {
  readonly cell: number;
  /** Whether the action has equal outcomes for all contents of the accessed cell. */
  readonly isBlind: boolean;
}

/** The actions of nodes and their outcomes, for closures; the actions are cached. */
export class TabulatedActions {
  readonly #tables: ProductTables;
  /** The actions that were computed so far, indexed by automaton, then by node. */
  readonly #actions: (readonly TabulatedAction[] | undefined)[][] = [];

  constructor(tables: ProductTables) {
    this.#tables = tables;
  }

  at(automaton: number, node: number): readonly TabulatedAction[] {
    const nodes = (this.#actions[automaton] ??= []);
    return (nodes[node] ??= this.#read(automaton, node));
  }

  isExclusive(automaton: number, node: number): boolean {
    const record = this.#tables.node(automaton, node);
    return this.#tables.memory[record + nodeRecord.exclusive] === 1;
  }

  /**
   * Calls `take` for each outcome of an action. `take` receives the cell's new content and the next
   * node.
   */
  eachOutcome(
    automaton: number,
    node: number,
    action: number,
    content: number,
    take: (after: number, next: number) => void,
  ): void {
    const list = this.#tables.outcomes(automaton, node, action, content);
    const count = wordAt(this.#tables.memory, list);
    for (let i = 0; i < count; i++) {
      // `take` may replace the memory of the tables, so the memory is read again for each outcome.
      const entry = list + 1 + outcomeSize * i;
      take(wordAt(this.#tables.memory, entry), wordAt(this.#tables.memory, entry + 1));
    }
  }

  #read(automaton: number, node: number): readonly TabulatedAction[] {
    const record = this.#tables.node(automaton, node);
    const { memory } = this.#tables;
    return Array.from({ length: wordAt(memory, record + nodeRecord.count) }, (_, action) => {
      const offset = record + nodeRecord.actions + nodeRecord.actionSize * action;
      return {
        cell: wordAt(memory, offset + actionRecord.cell),
        isBlind: memory[offset + actionRecord.rowCapacity] === blindRow,
      };
    });
  }
}
