/**
 * Marks in texts that a compiler reads first: addresses of prefetches, which make no code, and
 * which no program has.
 */
const firstMark = 0x4643_0000_0000n;
const mostMarks = 0x1_0000_0000n;

/** The address that is the mark of a number, from 0 on. */
export function markAddress(index: number): bigint {
  return firstMark + BigInt(index);
}

/** The number of the mark that an address is. */
export function markAt(address: bigint): number | undefined {
  const index = address - firstMark;
  return index >= 0n && index < mostMarks ? Number(index) : undefined;
}
