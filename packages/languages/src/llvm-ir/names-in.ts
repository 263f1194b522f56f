/** Calls `found` with the name of each operand of a kind within IR, once for each occurrence. */
export function forEachName(
  node: unknown,
  kind: 'global' | 'local',
  found: (name: string) => void,
): void {
  if (Array.isArray(node)) for (const each of node) forEachName(each, kind, found);
  else if (typeof node === 'object' && node !== null) {
    const { kind: own, name } = node as { readonly kind?: unknown; readonly name?: string };
    if (own === kind) found(name!);
    for (const each of Object.values(node))
      if (typeof each === 'object') forEachName(each, kind, found);
  }
}
