import { goalNode, type AutomatonSource, type Outcome } from '../product/tables.js';
import type { LocalStep } from './local-closure.js';
import type { AccessLevels, MarkedAccess } from './access-levels.js';
import type { CellDirectory } from './cell-directory.js';
import type { MarkedCells } from './marked-cells.js';
import type { SequentialAutomaton } from './sequential-automaton.js';

/** A helper after the attack's last load. */
interface PathNode {
  readonly sequential: number;
  readonly onPath: boolean;
  /** Inside a lock block: the target was accessed on the path; the goal counts once the lock is released. */
  readonly targetAccessed: boolean;
}

/** An outcome and the instructions that it executes. */
export interface PathOutcome extends Outcome {
  readonly path: readonly LocalStep[];
}

/**
 * A helper in the last phase of an attack ([BDM13] Fig. 7): off the happens-before path it can only join it, or go through a lock
 * block in which it joins; on the path it runs freely and raises levels. Cells hold marked values.
 */
export class PathAutomaton implements AutomatonSource {
  readonly #sequential: SequentialAutomaton;
  readonly #cells: CellDirectory;
  readonly #marks: MarkedCells;
  readonly #levels: AccessLevels;
  readonly #nodes: PathNode[] = [{ sequential: 0, onPath: false, targetAccessed: false }];
  readonly #numbers: (number | undefined)[] = [];

  constructor(
    sequential: SequentialAutomaton,
    cells: CellDirectory,
    marks: MarkedCells,
    levels: AccessLevels,
  ) {
    this.#sequential = sequential;
    this.#cells = cells;
    this.#marks = marks;
    this.#levels = levels;
  }

  /** The node of a helper that stands at a node of its sequential automaton and is not on the path. */
  offPath(sequential: number): number {
    return this.#number({ sequential, onPath: false, targetAccessed: false });
  }

  actionCells(node: number): readonly number[] {
    return this.#sequential.actionCells(this.#nodes[node]?.sequential ?? 0);
  }

  isExclusive(node: number): boolean {
    return this.#sequential.isExclusive(this.#nodes[node]?.sequential ?? 0);
  }

  outcomes(node: number, action: number, value: number): readonly Outcome[] {
    return this.explainedOutcomes(node, action, value);
  }

  /** The outcomes, in the order of `outcomes`, with the instructions behind them. */
  explainedOutcomes(node: number, action: number, marked: number): readonly PathOutcome[] {
    const from = this.#nodes[node];
    const taken = from && this.#sequential.actions(from.sequential)[action];
    if (!taken) return [];
    const { cell, effect } = taken;
    const held = cell < 0 ? 0 : this.#marks.value(cell, marked);
    const itsMark = cell < 0 ? 0 : this.#marks.mark(cell, marked);
    const outcomes = this.#sequential.outcomes(from.sequential, action, held);
    const { written, nodes } = this.#sequential.continuation(from.sequential, action, held);
    const access: MarkedAccess = {
      reads: effect.kind !== 'store',
      held,
      written: written === undefined ? undefined : this.#cells.id(cell, written),
    };
    const levels = this.#levels;
    const onPath = from.onPath || (cell >= 0 && levels.joins(itsMark, access));
    const locked = this.#sequential.isExclusive(from.sequential);
    if (!onPath && cell >= 0 && !locked) return [];
    const meetsTarget = onPath && cell >= 0 && levels.meetsTarget(itsMark, access);
    const targetAccessed = from.targetAccessed || meetsTarget;
    const newMark = cell < 0 ? 0 : levels.after(itsMark, access, onPath);
    return outcomes.flatMap((outcome, i): PathOutcome[] => {
      const path = nodes[i]?.path ?? [];
      const holdsLock = this.#sequential.isExclusive(outcome.node);
      if (targetAccessed && !holdsLock)
        return [{ value: 0, node: goalNode, transient: false, path }];
      // A lock block without a step on the path could as well have come before the attack's last load.
      if (!onPath && !holdsLock) return [];
      return [
        {
          value: cell < 0 ? 0 : this.#marks.id(cell, outcome.value, newMark),
          node: this.#number({ sequential: outcome.node, onPath, targetAccessed }),
          transient: outcome.transient,
          path,
        },
      ];
    });
  }

  #number(node: PathNode): number {
    if (node.sequential === 0) return 0;
    const key = node.sequential * 4 + (node.onPath ? 2 : 0) + (node.targetAccessed ? 1 : 0);
    const known = this.#numbers[key];
    if (known !== undefined) return known;
    const number = this.#nodes.push(node) - 1;
    this.#numbers[key] = number;
    return number;
  }
}
