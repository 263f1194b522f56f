import { at } from '@fencewright/ground/base/at.js';
import {
  goalNode,
  type AutomatonSource,
  type Outcome,
} from '@fencewright/ground/product/tables.js';
import type { LocalStep } from './local-closure.js';
import type { AccessLevels, Mark, MarkedAccess } from './access-levels.js';
import type { CellDirectory } from './cell-directory.js';
import type { MarkedCells } from './marked-cells.js';
import type { Continuation, GuessedNode, SequentialAutomaton } from './sequential-automaton.js';

/**
 * A cell, and the cell's mark before the helper's current lock block. A helper is a thread besides
 * the attacker.
 */
type OuterMark = readonly [cell: number, cellMark: Mark];

/** A local state of a helper (a thread other than the attacker) after the attack's last load. */
interface PathNode {
  readonly sequential: number;
  readonly onPath: boolean;
  /**
   * Whether the helper has accessed the target, the cell of the first delayed store, in its current
   * lock block. The happens-before path is complete once the block is on the path and the lock is
   * released.
   */
  readonly targetAccessed: boolean;
  /**
   * Inside a lock block that is not on the path yet: the cells that the helper has accessed in the
   * block, in ascending order, each with its mark before the block.
   */
  readonly outer: readonly OuterMark[];
}

const nothing: readonly OuterMark[] = [];

/**
 * The number of nodes of the automaton for one local state of a helper: the helper is on the
 * happens-before path or not, and its lock block has accessed the target or not.
 */
const keysPerNode = 4;

function withOuterMark(
  outer: readonly OuterMark[],
  cell: number,
  cellMark: Mark,
): readonly OuterMark[] {
  const others = outer.filter(([other]) => other !== cell);
  return [...others, [cell, cellMark] as const].sort(([a], [b]) => a - b);
}

/**
 * The result of an access by a helper (a thread other than the attacker), and the instructions
 * executed.
 */
interface PathOutcome extends Outcome {
  readonly path: readonly LocalStep[];
}

/**
 * A helper after the attack's last load ([BDM13] Fig. 7). Off the happens-before path, the helper
 * can only join the path, either directly or inside a lock block; the whole lock block is then on
 * the path. On the path, the helper runs freely and its accesses raise the marks of cells.
 */
export class PathAutomaton implements AutomatonSource {
  readonly #sequential: SequentialAutomaton;
  readonly #cells: CellDirectory;
  readonly #marks: MarkedCells;
  readonly #levels: AccessLevels;
  readonly #nodes: PathNode[] = [
    { sequential: 0, onPath: false, targetAccessed: false, outer: nothing },
  ];
  readonly #numbers: (number | undefined)[] = [];
  readonly #numbersInBlocks = new Map<string, number>();

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

  /** Returns the node of a helper off the path, for the given node of its sequential automaton. */
  offPath(sequential: number): number {
    return (
      this.#numbers[sequential * keysPerNode] ??
      this.#number({ sequential, onPath: false, targetAccessed: false, outer: nothing })
    );
  }

  /** Returns the helper's state at a node; `undefined` for an unknown node. */
  helper(node: number): PathNode | undefined {
    return this.#nodes[node];
  }

  actionCells(node: number): readonly number[] {
    return this.#sequential.actionCells(at(this.#nodes, node).sequential);
  }

  isExclusive(node: number): boolean {
    return this.#sequential.isExclusive(at(this.#nodes, node).sequential);
  }

  outcomes(node: number, action: number, value: number): readonly Outcome[] {
    return this.explainedOutcomes(node, action, value);
  }

  /**
   * Returns the nodes after an access, each with the executed instructions, in the order in which
   * the method `outcomes` returns the nodes. Before the access, the cell holds the pair of value
   * and mark with number `marked`.
   */
  explainedOutcomes(node: number, action: number, marked: number): readonly PathOutcome[] {
    const from = this.#nodes[node];
    const taken = from && this.#sequential.actions(from.sequential)[action];
    if (!taken) return [];
    const { cell, effect } = taken;
    // No heavy fence is completed here: it would have to wait for the attacker.
    if (effect.kind === 'heavy-fence') return [];
    const held = cell < 0 ? 0 : this.#marks.value(cell, marked);
    const cellMark = cell < 0 ? 0 : this.#marks.mark(cell, marked);
    const levels = this.#levels;
    const guessed = levels.countsValues
      ? this.#sequential.guessedNodes(from.sequential, action, held)
      : undefined;
    const { written, nodes: plain } = this.#sequential.continuation(from.sequential, action, held);
    const nodes: readonly (Continuation['nodes'][number] & Partial<GuessedNode>)[] =
      guessed ?? plain;
    const access: MarkedAccess = {
      reads: effect.kind !== 'store',
      held,
      written: written === undefined ? undefined : this.#cells.id(cell, written),
    };
    const locked = this.#sequential.isExclusive(from.sequential);
    const outerMark = from.outer.find(([other]) => other === cell)?.[1] ?? cellMark;
    const onPath = from.onPath || (cell >= 0 && levels.joins(outerMark, access));
    if (!onPath && cell >= 0 && !locked) return [];
    // A lock block is one step. If one of its accesses is on the path, the block's earlier accesses
    // are on the path too.
    const outer =
      onPath || cell < 0
        ? nothing
        : withOuterMark(from.outer, cell, levels.after(outerMark, access, false));
    return nodes.flatMap(({ node: next, path, admits }): PathOutcome[] => {
      const own = admits ? { ...access, admits } : access;
      const targetAccessed =
        from.targetAccessed || (cell >= 0 && levels.meetsTarget(cellMark, own));
      const holdsLock = this.#sequential.isExclusive(next);
      if (onPath && targetAccessed && !holdsLock)
        return [{ value: 0, node: goalNode, transient: false, path }];
      // A lock block that stays off the path can equally run before the attack's last load.
      if (!onPath && !holdsLock) return [];
      return [
        {
          value:
            cell < 0
              ? 0
              : this.#marks.id(cell, access.written ?? held, levels.after(cellMark, own, true)),
          node: this.#number({ sequential: next, onPath, targetAccessed, outer }),
          transient: this.#sequential.isTransient(next),
          path,
        },
      ];
    });
  }

  #number(node: PathNode): number {
    const { sequential, onPath, targetAccessed, outer } = node;
    if (sequential === 0) return 0;
    const key = sequential * keysPerNode + (onPath ? 2 : 0) + (targetAccessed ? 1 : 0);
    const inBlock = outer.length > 0 ? `${key}:${outer.join(';')}` : undefined;
    const known = inBlock === undefined ? this.#numbers[key] : this.#numbersInBlocks.get(inBlock);
    if (known !== undefined) return known;
    const number = this.#nodes.push(node) - 1;
    if (inBlock === undefined) this.#numbers[key] = number;
    else this.#numbersInBlocks.set(inBlock, number);
    return number;
  }
}
