import type { EventInstruction } from '@fencewright/model/program/event-program.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Written } from '@fencewright/model/program/inline-calls.js';
import type { Thread } from '@fencewright/model/program/program.js';
import type { LoweredThread, ThreadText } from './lowered-thread.js';
import type { LoweredModel } from './lower-program.js';

/**
 * The part of a thread that comes from one text: the thread's own, or that of a called procedure.
 */
export interface PartOfThread {
  readonly id: ThreadId;
  readonly isProcedure: boolean;
  /**
   * Returns the location in the text for a location of the thread; `undefined` if it comes from
   * another text.
   */
  readonly writtenLocation: (location: LocationId) => LocationId | undefined;
  readonly writtenTransition: (transition: TransitionId) => TransitionId | undefined;
  /**
   * Returns the locations of the thread for a location in the text: several for a procedure called
   * several times.
   */
  readonly locations: (written: LocationId) => readonly LocationId[];
  readonly transitions: (written: TransitionId) => readonly TransitionId[];
}

/** The text of a thread or a procedure, and the parts of threads that are compiled from it. */
export interface TextPart {
  readonly source: ThreadText;
  /** The thread or procedure as written, with its calls. */
  readonly thread: Thread<EventInstruction>;
  /**
   * The parts of threads compiled from this text: several if copies of a thread share the text, or
   * threads call the procedure.
   */
  readonly parts: readonly PartOfThread[];
}

/** Returns the texts of all threads, events and procedures, each once. */
export function textPartsOf({ threads, bodies }: LoweredModel): readonly TextPart[] {
  const own = threads.flatMap((lowered, id): TextPart[] => {
    const { text, thread, calling } = lowered;
    // The copies of a thread share one text: a change of one copy is a change of all.
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
