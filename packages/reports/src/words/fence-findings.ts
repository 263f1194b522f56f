import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { repairLocation, type Repair, type RepairMode } from '@fencewright/model/program/repair.js';
import type { Position } from '@fencewright/ground/source/span.js';
import { unifiedDiff } from '@fencewright/ground/source/unified-diff.js';
import type { FenceResult, ForRobustness } from '@fencewright/model/verdict/fence-result.js';
import { lineOf } from './action-words.js';

export { allAssertions } from '@fencewright/model/verdict/fence-result.js';

/** The aim of a search for fences, and its findings. */
export interface FenceFindings {
  /** The program that the ids in `result` refer to; absent if it is the program of the report. */
  readonly about?: Program;
  readonly mode: RepairMode;
  /** The name of the cost model that determines the costs of the repairs. */
  readonly costModel: string;
  /**
   * The names of the properties that are to hold under TSO, or `allAssertions`; absent if the aim
   * is robustness.
   */
  readonly properties?: readonly string[];
  readonly result: FenceResult;
  /** The fences needed for robustness, if known; only if the aim is properties. */
  readonly forRobustness?: ForRobustness;
  /**
   * The places among which the fences were chosen. `text`: only places in the text, although the
   * program has further places, at which no fence can be written. `program`: places of the program
   * with all calls inlined, since the places in the text are not enough. Absent if fences can be
   * written at all places.
   */
  readonly among?: 'text' | 'program';
  /** Returns the positions in the text for a fence at a location; empty if they are unknown. */
  readonly placesOf: (thread: ThreadId, location: LocationId) => readonly Position[];
  /** The changes of the text that are necessary, as a unified diff; empty if there are none. */
  readonly diff?: string;
  /** The file changed by `diff`, if different from the program's file. */
  readonly changed?: string;
}

/** The findings as plain data: with a list of the places, and the text with the repairs. */
type FencesAsData = Omit<FenceFindings, 'placesOf' | 'diff'> & {
  readonly places: readonly {
    readonly thread: ThreadId;
    readonly location: LocationId;
    readonly positions: readonly Position[];
  }[];
  readonly text?: string;
};

/**
 * Returns the changes of a text as a unified diff; `shown` is the name of the file in the report.
 */
export function diffOf(
  source: string,
  text: string | undefined,
  shown: string,
): { readonly diff?: string } {
  return text === undefined ? {} : { diff: unifiedDiff(source, text, shown) };
}

/**
 * Returns a search's fences with the data for reports: their positions, and the changes of the
 * text.
 */
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

/** Whether the search was for fences to remove, not for fences to insert. */
export function isMinimising({ mode }: Pick<FenceFindings, 'mode'>): boolean {
  return mode === 'minimise' || mode === 'minimise-locked';
}

/**
 * Returns the numbers of the lines that a repair changes, counted from 1, ascending: the lines
 * where fences are inserted, or else the line of the instruction.
 */
export function repairLines(
  program: Program,
  repair: Repair,
  placesOf: FenceFindings['placesOf'],
): readonly number[] {
  const { thread } = repair;
  const location = repairLocation(program, repair);
  const places = repair.kind === 'fence' ? placesOf(thread, location) : [];
  if (places.length > 0) return places.map(({ line }) => line + 1).sort((a, b) => a - b);
  const leaving = program.threads[thread]?.transitions.findIndex(({ from }) => from === location);
  const transition = repair.kind === 'fence' ? leaving : repair.transition;
  const line = lineOf(program, thread, transition ?? -1);
  return line === undefined ? [] : [line];
}
