import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { placeOf, type Repair, type RepairMode } from '@fencewright/model/program/repair.js';
import type { Position } from '@fencewright/ground/source/span.js';
import { unifiedDiff } from '@fencewright/ground/source/unified-diff.js';
import type { FenceResult, ForRobustness } from '@fencewright/model/verdict/fence-result.js';
import { lineOf } from './action-words.js';

export { allAssertions } from '@fencewright/model/verdict/fence-result.js';

/** What was asked for, and what came of it. */
export interface FenceFindings {
  /** The program that ids in `result` are of, where it is another than that of the report. */
  readonly about?: Program;
  readonly mode: RepairMode;
  /** Name of the cost model. */
  readonly costModel: string;
  /**
   * Instead of robustness: the names of the properties that are to hold under TSO, or
   * `allAssertions`.
   */
  readonly properties?: readonly string[];
  readonly result: FenceResult;
  /** Of properties: what robustness takes, where that was found out. */
  readonly forRobustness?: ForRobustness;
  /** Where in the text the fence of a location is inserted; empty where that is not known. */
  readonly placesOf: (thread: ThreadId, location: LocationId) => readonly Position[];
  /** What the text has to become, as a unified diff; empty if it stays as it is. */
  readonly diff?: string;
}

/** Findings as plain data: with a list of the places, and the text with the repairs. */
type FencesAsData = Omit<FenceFindings, 'placesOf' | 'diff'> & {
  readonly places: readonly {
    readonly thread: ThreadId;
    readonly location: LocationId;
    readonly positions: readonly Position[];
  }[];
  readonly text?: string;
};

/** What a text becomes, for a report; `shown` is the name that its file has there. */
export function diffOf(
  source: string,
  text: string | undefined,
  shown: string,
): { readonly diff?: string } {
  return text === undefined ? {} : { diff: unifiedDiff(source, text, shown) };
}

/** Fences with what reports want of them: where they stand, and how the text changes. */
export function fenceFindings(
  source: string,
  { places, text, refusal: _, ...fences }: FencesAsData & { readonly refusal?: unknown },
  shown: string,
): FenceFindings {
  const positions = new Map(
    places.map((place) => [`${place.thread} ${place.location}`, place.positions]),
  );
  return {
    ...fences,
    placesOf: (thread, location) => positions.get(`${thread} ${location}`) ?? [],
    ...diffOf(source, text, shown),
  };
}

/** Whether superfluous fences were looked for, instead of missing ones. */
export function isMinimising({ mode }: Pick<FenceFindings, 'mode'>): boolean {
  return mode === 'minimise' || mode === 'minimise-locked';
}

/**
 * The lines of a repair, from 1, ascending: those where fences are inserted, or else that of its
 * instruction.
 */
export function repairLines(
  program: Program,
  repair: Repair,
  placesOf: FenceFindings['placesOf'],
): readonly number[] {
  const { thread } = repair;
  const location = placeOf(program, repair);
  const places = repair.kind === 'fence' ? placesOf(thread, location) : [];
  if (places.length > 0) return places.map(({ line }) => line + 1).sort((a, b) => a - b);
  const leaving = program.threads[thread]?.transitions.findIndex(({ from }) => from === location);
  const transition = repair.kind === 'fence' ? leaving : repair.transition;
  const line = lineOf(program, thread, transition ?? -1);
  return line === undefined ? [] : [line];
}
