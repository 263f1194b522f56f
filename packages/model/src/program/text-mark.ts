/**
 * The first of the addresses that are text marks. A text mark records a place of a text. Marks are
 * put into the text before a compiler reads it. A mark is a prefetch, which generates no code, of
 * an address that no program contains.
 */
const firstMark = 0x4643_0000_0000n;
/** The number of addresses reserved for text marks. */
const mostMarks = 0x1_0000_0000n;

/** Returns the address that is the text mark with a number, from 0 on. */
export function markAddress(index: number): bigint {
  return firstMark + BigInt(index);
}

/** Returns the number of the text mark that an address is; `undefined` if it is none. */
export function markAt(address: bigint): number | undefined {
  const index = address - firstMark;
  return index >= 0n && index < mostMarks ? Number(index) : undefined;
}
