import { at } from '../base/at.js';
import type { ProductSearch, ProductState } from './product-search.js';
import { goalNode, type AutomatonSource } from './tables.js';

/** One action of one component of a product of automata. */
export interface ProductMove {
  readonly component: number;
  readonly node: number;
  readonly action: number;
  /**
   * The value id that the cell of the action holds before the action; 0 if the action has no cell.
   */
  readonly value: number;
  /** The index of the outcome of the move, among the outcomes of its action. */
  readonly outcome: number;
}

/** The moves of the components that lead from one stored state of a product search to the next. */
interface ExplainedStep {
  /**
   * The moves in the order of execution; several if the search did not store intermediate states.
   */
  readonly moves: readonly ProductMove[];
  /**
   * By position of a component after the moves and the sorting of symmetric groups, the position of
   * the component before the moves.
   */
  readonly places: readonly number[];
}

/**
 * Returns the nodes of components, sorted in ascending order within every group, and for each
 * position the position that its node had before.
 */
export function sortGroups(
  nodes: readonly number[],
  groups: readonly (readonly number[])[],
): { readonly nodes: readonly number[]; readonly places: readonly number[] } {
  const places = nodes.map((_, place) => place);
  for (const group of groups) {
    const sorted = [...group].sort((a, b) => at(nodes, a) - at(nodes, b));
    group.forEach((place, i) => (places[place] = sorted[i] ?? place));
  }
  return { nodes: places.map((place) => at(nodes, place)), places };
}

interface PartialStep {
  readonly state: ProductState;
  readonly moves: readonly ProductMove[];
}

/** Whether two lists of cell values are equal; missing cells hold 0. */
function sameValues(a: readonly number[], b: readonly number[]): boolean {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) if ((a[i] ?? 0) !== (b[i] ?? 0)) return false;
  return true;
}

/**
 * Finds the moves by which `search` got from state `from` to state `to`, or from `from` to the
 * goal; `undefined` if there are none. `sources` are the automata of the components.
 */
export function explainStep(
  search: ProductSearch,
  sources: readonly AutomatonSource[],
  groups: readonly (readonly number[])[],
  from: number,
  to: number | 'goal',
): ExplainedStep | undefined {
  const target = to === 'goal' ? undefined : search.state(to);
  const matches = ({ nodes, values }: ProductState): readonly number[] | undefined => {
    if (!target || !sameValues(values, target.values)) return undefined;
    const sorted = sortGroups(nodes, groups);
    return sameValues(sorted.nodes, target.nodes) ? sorted.places : undefined;
  };
  const attempt = (component: number, { state, moves }: PartialStep): ExplainedStep | undefined => {
    const node = at(state.nodes, component);
    const source = sources[component];
    const cells = source?.actionCells(node) ?? [];
    for (const [action, cell] of cells.entries()) {
      const value = cell < 0 ? 0 : (state.values[cell] ?? 0);
      const outcomes = source?.outcomes(node, action, value) ?? [];
      for (const [outcome, result] of outcomes.entries()) {
        const done = [...moves, { component, node, action, value, outcome }];
        if (result.node === goalNode) {
          if (!target) return { moves: done, places: state.nodes.map((_, place) => place) };
          continue;
        }
        const values = [...state.values];
        if (cell >= 0) {
          while (values.length <= cell) values.push(0);
          values[cell] = result.value;
        }
        const next = { nodes: state.nodes.with(component, result.node), values };
        const places = result.transient ? undefined : matches(next);
        if (places) return { moves: done, places };
        const further = result.transient
          ? attempt(component, { state: next, moves: done })
          : undefined;
        if (further) return further;
      }
    }
    return undefined;
  };
  const start = { state: search.state(from), moves: [] };
  const { nodes } = start.state;
  const exclusive = nodes.findIndex((node, component) => sources[component]?.isExclusive(node));
  for (let component = 0; component < sources.length; component++) {
    if (exclusive >= 0 && component !== exclusive) continue;
    const step = attempt(component, start);
    if (step) return step;
  }
  return undefined;
}

/**
 * Returns the numbers of the states on the path by which the search reached `state`, oldest first,
 * `state` included; the parent of the first state is negative.
 */
export function ancestors(search: ProductSearch, state: number): number[] {
  const path: number[] = [];
  for (let at = state; at >= 0; at = search.table.parent(at)) path.push(at);
  return path.reverse();
}
