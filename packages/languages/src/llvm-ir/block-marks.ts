import type { Span } from '@fencewright/ground/source/span.js';
import { alignedTo } from './layout.js';
import { withoutTemplateArguments } from './scoped-names.js';
import { mostThreads } from './thread-limit.js';

/**
 * A mark of a `malloc` block, which records that the block was freed, as its distance in bytes from
 * the block's first mark. The marks lie before the block. The first mark says that the block was
 * freed for any thread. Each thread has a further mark: the thread freed the block and keeps it for
 * itself. All marks are 0 while the block is in use.
 */
export type BlockMark = number;

/**
 * The size in bytes of a mark of a `malloc` block (a word that records that the block was freed).
 */
export const markSize = 4;
/**
 * The size in bytes of all marks of a `malloc` block (words that record the freeing of the block):
 * a mark for all threads, and a mark for each thread.
 */
export const marksSize = markSize * (1 + 1 + mostThreads);
/**
 * The distance in bytes from the first mark of a `malloc` block (a word that records the freeing of
 * the block) to the block.
 */
export const marksDistance = alignedTo(marksSize + 1, 16);

export const forAnybody: BlockMark = 0;
export const forItself = (thread: number): BlockMark => markSize * (1 + thread);

/**
 * The address of a mark (a word that records that a block was freed) of the `malloc` block at an
 * address.
 */
export function addressOfMark(block: number, mark: BlockMark): number {
  return block - marksDistance + mark;
}

/**
 * The address of the `malloc` block with the given mark (a word that records the freeing of the
 * block) at the given address.
 */
export function blockOfMark(address: number, mark: BlockMark): number {
  return address - mark + marksDistance;
}

/**
 * The name of a `malloc` block: the user function `by`, without classes, namespaces and template
 * arguments, and the line of the call that allocates the block, `block push:12`. The name is short,
 * since tables have a column of names.
 */
export function blockName(by: string, span: Span | undefined): string {
  return `block ${withoutTemplateArguments(by).split('::').at(-1)!}${span ? `:${span.start.line + 1}` : ''}`;
}

/** The name of the object that holds the marks of a `malloc` block, given the block's name. */
export const marksName = (block: string): string => `freed(${block})`;

/**
 * Returns the suffix for the name of a mark of a `malloc` block: empty for the mark for any thread,
 * `[2]` for the mark of thread 2.
 */
export function nameOfMark(mark: BlockMark): string {
  return mark === forAnybody ? '' : `[${mark / markSize - 1}]`;
}
