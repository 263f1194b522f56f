import type { ThreadId, TransitionId } from '../program/ids.js';
import type { MemoryModel } from '../trace/memory-model.js';

/** An instruction of a thread. */
interface Place {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
}

/**
 * A use of freed memory of a program in C: in an execution, an instruction accesses the
 * cell, or frees its block, after another instruction has freed the block, which was not allocated
 * again in between.
 */
export interface FreedUse {
  readonly address: number;
  /** The instruction that accesses the cell, or frees the block again. */
  readonly use: Place;
  /** The instruction that freed the block before, in the execution that was found. */
  readonly free: Place;
  /** SC, or a memory model under which alone the use was found. */
  readonly model: MemoryModel;
}
