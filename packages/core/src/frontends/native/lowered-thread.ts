import type { LocationId, RegisterId } from '../../program/ids.js';
import type { Thread } from '../../program/program.js';

/** A thread with the names that properties may use. */
export interface LoweredThread {
  readonly thread: Thread;
  /** All labels of the user; several may stand for one location. */
  readonly labels: ReadonlyMap<string, LocationId>;
  /** The registers that the user declared. */
  readonly registers: ReadonlyMap<string, RegisterId>;
}
