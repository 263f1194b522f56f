import {
  hasPart,
  keyOf,
  selfRegister,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { MemoryLayout } from './memory-layout.js';
import { drains, type OperationEdge, type Operation } from './operation.js';

/** The edge of a load, or of a guess (a load that may return any value its condition allows). */
export type LoadEdge = OperationEdge & {
  readonly operation: Operation & { readonly kind: 'load' | 'guess' };
};
export type StoreEdge = OperationEdge & {
  readonly operation: Operation & { readonly kind: 'store' };
};

export function isLoad(edge: OperationEdge): edge is LoadEdge {
  return edge.operation.kind === 'load' || edge.operation.kind === 'guess';
}

export function isStore(edge: OperationEdge): edge is StoreEdge {
  return edge.operation.kind === 'store';
}

/**
 * Returns a name for the cell at an address, if this thread always means one fixed cell by the
 * address: numbers, and map cells whose index consists of constants and `self`. `undefined`
 * otherwise.
 */
function fixedCell({ cellAt }: MemoryLayout, address: Expression): string | undefined {
  const { variable, index } = cellAt(address);
  if (!index) return String(variable);
  return isFixed(index) ? `${variable}[${keyOf(index)}]` : undefined;
}

function isFixed(expression: Expression): boolean {
  return !hasPart(expression, (part) => part.kind === 'register' && part.register !== selfRegister);
}

/**
 * Returns the loads reachable by control flow from after the store, without draining the store
 * buffer and without a store to the loaded cell since: loads from memory while the store may be
 * delayed. Nothing is assumed about cells with changing addresses. The store's own cell counts as
 * stored to from the start ([BEMT18] Sect. 4, "buffer-free reachable"; the proof of Theorem 1 needs
 * that no delayed store is to the cell read).
 */
export function bufferFreeLoads(
  store: StoreEdge,
  edges: readonly OperationEdge[],
  memory: MemoryLayout,
): readonly LoadEdge[] {
  const found = new Set<LoadEdge>();
  const seen = new Set<string>();
  const own = fixedCell(memory, store.operation.address);
  const pending: { at: LocationId; stored: readonly string[] }[] = [];
  const visit = (at: LocationId, stored: readonly string[]): void => {
    const key = `${at}|${stored.join()}`;
    if (seen.has(key)) return;
    seen.add(key);
    pending.push({ at, stored });
  };
  visit(store.to, own === undefined ? [] : [own]);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { at, stored } = next;
    for (const edge of edges) {
      if (edge.from !== at || drains(edge.operation)) continue;
      const cell =
        'address' in edge.operation ? fixedCell(memory, edge.operation.address) : undefined;
      if (isLoad(edge) && (cell === undefined || !stored.includes(cell))) found.add(edge);
      const isNew = isStore(edge) && cell !== undefined && !stored.includes(cell);
      visit(edge.to, isNew ? [...stored, cell].sort() : stored);
    }
  }
  return edges.filter((edge): edge is LoadEdge => found.has(edge as LoadEdge));
}
