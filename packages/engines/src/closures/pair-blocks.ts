import { at } from '@fencewright/ground/base/at.js';
import { goalNode } from '@fencewright/ground/product/tables.js';
import type { ItemSet } from './pair-relation.js';
import type { PairStates } from './pair-states.js';
import type { PairStep } from './pair-steps.js';
import type { TabulatedActions } from './tabulated-actions.js';

/** The state of a thread inside a lock block. */
interface InBlock {
  readonly node: number;
  /**
   * The contents found by the thread in cells, as items: for each cell, the content at the first
   * access in the block.
   */
  readonly found: readonly number[];
  /** The contents that the thread inside the lock block has left in the accessed cells so far. */
  readonly left: PairStep['left'];
  readonly together: ItemSet;
}

interface BlockWalker {
  readonly states: PairStates;
  readonly actions: TabulatedActions;
  /**
   * Returns the component of a cell. Also registers the lock block as a reader of the cell: the
   * block is executed again whenever further contents of the cell are found.
   */
  readonly readsCell: (cell: number) => number;
  /** Counts a unit of work; throws if the limit on work is reached. */
  readonly spend: () => void;
}

/**
 * Returns the steps of a thread at `item` through the lock block begun by `action`: one step for
 * each path through the block and each combination of contents. No other thread moves meanwhile.
 */
export function throughBlock(
  { states, actions, readsCell, spend }: BlockWalker,
  item: number,
  action: number,
): readonly PairStep[] {
  const component = states.component(item);
  if (component.kind === 'cell') return [];
  const { automaton } = component;
  const { relation } = states;
  const steps: PairStep[] = [];
  const seen = new Set<string>();
  const pending: InBlock[] = [];
  const reach = (state: InBlock): void => {
    spend();
    const { node, found, left, together } = state;
    if (node === goalNode || !actions.isExclusive(automaton, node)) {
      steps.push({ item, found, together, next: node, left });
      return;
    }
    const name = `${node}:${found.join()}:${left.map(({ content }) => content).join()}`;
    if (seen.has(name)) return;
    seen.add(name);
    pending.push(state);
  };
  const access = (state: InBlock, action: number, cell: number): void => {
    const finds = (place: number, inBlock: InBlock): void => {
      const { content } = at(inBlock.left, place);
      actions.eachOutcome(automaton, state.node, action, content, (after, node) => {
        reach({ ...inBlock, node, left: inBlock.left.with(place, { cell, content: after }) });
      });
    };
    const place = state.left.findIndex((held) => held.cell === cell);
    if (place >= 0) {
      finds(place, state);
      return;
    }
    for (const other of relation.membersIn(state.together, readsCell(cell))) {
      spend();
      finds(state.left.length, {
        node: state.node,
        found: [...state.found, other],
        left: [...state.left, { cell, content: states.node(other) }],
        together: relation.together(state.together, other),
      });
    }
  };
  const start = { found: [], left: [], together: relation.related(item) };
  actions.eachOutcome(automaton, states.node(item), action, 0, (_, node) => {
    reach({ ...start, node });
  });
  for (let state = pending.pop(); state; state = pending.pop()) {
    const inside = state;
    actions.at(automaton, inside.node).forEach(({ cell }, action) => {
      if (cell >= 0) access(inside, action, cell);
      else
        actions.eachOutcome(automaton, inside.node, action, 0, (_, node) => {
          reach({ ...inside, node });
        });
    });
  }
  return steps;
}
