/** Returns a number with its noun, such as `1 attack` or `2 attacks`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Returns the start of a conclusion about repairs, such as `with the 2 chosen fences of cost 3`.
 */
export function withChosen(
  { chosen, cost }: { readonly chosen: readonly unknown[]; readonly cost: number },
  noun: 'fence' | 'repair',
): string {
  if (chosen.length === 0) return `without a ${noun}`;
  const which = chosen.length === 1 ? `chosen ${noun}` : `${chosen.length} chosen ${noun}s`;
  return `with the ${which} of cost ${cost}`;
}
