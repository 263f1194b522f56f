import { alignedTo } from './layout.js';
import { mostThreads } from './thread-limit.js';

/**
 * The marks of a block of `malloc`, which lie before it, by their distance from the first: it was
 * given back for any thread, or kept by the one that gave it back, to which alone that mark
 * belongs. All are 0 while it is in use.
 */
export type Mark = number;

/** How many bytes a mark has. */
export const markSize = 4;
/** How many bytes the marks of a block have: one for anybody, and for each thread its own. */
export const marksSize = markSize * (1 + 1 + mostThreads);
/** How many bytes before a block its marks begin. */
export const marksDistance = alignedTo(marksSize + 1, 16);

export const forAnybody: Mark = 0;
export const forItself = (thread: number): Mark => markSize * (1 + thread);

/** Where a mark of the block at an address is. */
export function addressOfMark(block: number, mark: Mark): number {
  return block - marksDistance + mark;
}

/** The block whose mark is at an address. */
export function blockOfMark(address: number, mark: Mark): number {
  return address - mark + marksDistance;
}

/** What the marks of a block are called. */
export const marksName = (block: string): string => `given_back[${block}]`;

/** What a mark is called, behind the name of all. */
export function nameOfMark(mark: Mark): string {
  return mark === forAnybody ? '' : `[${mark / markSize - 1}]`;
}
