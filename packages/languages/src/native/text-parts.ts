import type { EventInstruction } from '@fencewright/model/program/event-program.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Written } from '@fencewright/model/program/inline-calls.js';
import type { Thread } from '@fencewright/model/program/program.js';
import type { LoweredThread, ThreadText } from './lowered-thread.js';
import type { LoweredProgram } from './lower-program.js';

/** What a thread has from one text: that of itself, or of a procedure that it calls. */
export interface PartOfThread {
  readonly id: ThreadId;
  readonly isProcedure: boolean;
  /** The ids in the text of those of the thread; absent for what is from elsewhere. */
  readonly writtenLocation: (location: LocationId) => LocationId | undefined;
  readonly writtenTransition: (transition: TransitionId) => TransitionId | undefined;
  /** The ids in the thread of those in the text: one for each call. */
  readonly locations: (written: LocationId) => readonly LocationId[];
  readonly transitions: (written: TransitionId) => readonly TransitionId[];
}

/** The text of a thread or a procedure, and the threads that have it. */
export interface TextPart {
  readonly source: ThreadText;
  /** As it is written: with its calls. */
  readonly thread: Thread<EventInstruction>;
  /** Several where copies of a thread have one text, or threads call one procedure. */
  readonly parts: readonly PartOfThread[];
}

/** All texts with code that threads have, or that of events and procedures. */
export function textsOf({ threads, bodies }: LoweredProgram): readonly TextPart[] {
  const own = threads.flatMap((lowered, id): TextPart[] => {
    const { text, thread, calling } = lowered;
    // The copies of a thread have one text: what is done to one of them is done to all.
    const copies = threads.flatMap((other, copy) => (other.text === text ? [copy] : []));
    if (copies[0] !== id) return [];
    const parts = copies.map((copy) => partOf(lowered, copy));
    return [{ source: text, thread: calling?.written ?? thread, parts }];
  });
  const called = bodies.flatMap(({ text, thread }, body): TextPart[] => {
    const parts = threads.flatMap((lowered, id) =>
      lowered.calling ? [partOf(lowered, id, body)] : [],
    );
    return parts.length > 0 ? [{ source: text, thread, parts }] : [];
  });
  return [...own, ...called];
}

function partOf(
  { calling }: LoweredThread<EventInstruction>,
  id: ThreadId,
  body?: number,
): PartOfThread {
  const isProcedure = body !== undefined;
  if (!calling) {
    const same = (one: number): number => one;
    const only = (one: number): readonly number[] => [one];
    return {
      ...{ id, isProcedure, writtenLocation: same, writtenTransition: same },
      ...{ locations: only, transitions: only },
    };
  }
  const writtenIn = (all: readonly (Written | undefined)[]) => (one: number) => {
    const written = all[one];
    return written && written.body === body ? written.id : undefined;
  };
  const placesIn = (all: readonly (Written | undefined)[]) => (local: number) =>
    all.flatMap((written, one) => (written?.body === body && written?.id === local ? [one] : []));
  return {
    id,
    isProcedure,
    writtenLocation: writtenIn(calling.locations),
    writtenTransition: writtenIn(calling.transitions),
    locations: placesIn(calling.locations),
    transitions: placesIn(calling.transitions),
  };
}
