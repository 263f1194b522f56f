/** Yields all sets of `size` of the first `count` numbers. */
export function* subsets(count: number, size: number): Generator<readonly number[]> {
  if (size === 0) yield [];
  else
    for (let last = size - 1; last < count; last++)
      for (const rest of subsets(last, size - 1)) yield [...rest, last];
}
