/**
 * The address of the first mark. Marks are put into texts before a compiler reads them: prefetches,
 * which generate no code, of addresses that no program contains.
 */
const firstMark = 0x4643_0000_0000n;
/** The number of addresses that are marks; not all of them are used. */
const mostMarks = 0x1_0000_0000n;

/** The address used as the mark with a number, from 0 on. */
export function markAddress(index: number): bigint {
  return firstMark + BigInt(index);
}

/** The number of the mark at an address, if any. */
export function markAt(address: bigint): number | undefined {
  const index = address - firstMark;
  return index >= 0n && index < mostMarks ? Number(index) : undefined;
}
