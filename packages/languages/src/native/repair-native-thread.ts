import type { EventInstruction } from '@fencewright/model/program/event-program.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { SourceRepair } from '@fencewright/model/program/source-repair.js';
import type { Thread } from '@fencewright/model/program/program.js';

/** The repairs of one thread and what they need to know. */
export interface ThreadRepair {
  readonly text: string;
  readonly thread: Thread<EventInstruction>;
  readonly repairs: readonly SourceRepair[];
  /** Indices of the insertion points that get a fence; all where it gives `undefined`. */
  readonly choosePoints: (location: LocationId) => readonly number[] | undefined;
  /** Reports a repair that cannot be made in the text. */
  readonly refuse: (repair: SourceRepair) => void;
}
