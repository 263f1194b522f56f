/** The names in a node of the syntax of LLVM IR. */
interface NamedNode {
  readonly kind?: string;
  readonly name?: string;
}

/**
 * Returns the syntax tree with nodes replaced: each node for which `change` returns another node.
 * `change` is not called for parts of a replaced node, nor for spans. Unchanged parts are shared
 * with the given tree.
 */
export function changedNodes<N>(tree: N, change: (node: NamedNode) => object | undefined): N {
  const visit = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) {
      let copy: unknown[] | undefined;
      for (const [i, each] of node.entries()) {
        const found = visit(each);
        if (found !== each) (copy ??= [...(node as readonly unknown[])])[i] = found;
      }
      return copy ?? node;
    }
    const changed = change(node);
    if (changed) return changed;
    let copy: Record<string, unknown> | undefined;
    for (const key of Object.keys(node)) {
      const each = (node as Readonly<Record<string, unknown>>)[key];
      if (key === 'span' || typeof each !== 'object') continue;
      const found = visit(each);
      if (found !== each) (copy ??= { ...node })[key] = found;
    }
    return copy ?? node;
  };
  return visit(tree) as N;
}
