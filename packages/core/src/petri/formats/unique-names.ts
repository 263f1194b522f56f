/** Identifiers of letters, digits and underscores, one for each of `names` and all different; names that fit stay. */
export function identifiersFor(names: readonly string[], taken: Iterable<string> = []): string[] {
  const used = new Set(taken);
  return names.map((name) => {
    const letters = name.replace(/[^A-Za-z0-9_]+/g, '_');
    const stem = /^[A-Za-z_]/.test(letters) ? letters : `p_${letters}`;
    let candidate = stem;
    for (let number = 2; used.has(candidate); number++) candidate = `${stem}_${number}`;
    used.add(candidate);
    return candidate;
  });
}
