import type { EventInstruction } from '@fencewright/model/program/event-program.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { FencePart } from '@fencewright/model/program/repair.js';
import type { SourceRepair } from '@fencewright/model/program/source-repair.js';
import type { Thread } from '@fencewright/model/program/program.js';

/** Returns the word of the language for a fence as a repair. */
export function fenceWord({ heavy, light }: FencePart): 'fence' | 'heavy_fence' | 'light_fence' {
  if (heavy !== undefined) return 'heavy_fence';
  return light ? 'light_fence' : 'fence';
}

/** The repairs of one thread, with the text and the thread they apply to. */
export interface ThreadRepair {
  readonly text: string;
  readonly thread: Thread<EventInstruction>;
  readonly repairs: readonly SourceRepair[];
  /** Returns the indices of the insertion points that get a fence; `undefined` for all. */
  readonly choosePoints: (location: LocationId) => readonly number[] | undefined;
  /** Reports that a repair is impossible in the text. */
  readonly refuse: (repair: SourceRepair) => void;
}
