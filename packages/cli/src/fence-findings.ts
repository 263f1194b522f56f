import path from 'node:path';
import {
  type EventFenceFindings,
  type EventFencesInText,
  type FenceFindings,
  type FencesInText,
  printableLine,
  unifiedDiff,
} from '@fencewright/core';
import type { ReadFile } from './finding.js';

function diffOf(
  { file, source }: Pick<ReadFile, 'file' | 'source'>,
  text: string | undefined,
): { readonly diff?: string } {
  if (text === undefined) return {};
  const shown = file === '-' ? 'standard-input' : printableLine(path.basename(file));
  return { diff: unifiedDiff(source, text, shown) };
}

/** Fences with what reports want of them: where they stand, and how the text changes. */
export function fenceFindings(
  { file, source }: ReadFile,
  { places, text, ...fences }: FencesInText,
): FenceFindings {
  const positions = new Map(
    places.map((place) => [`${place.thread} ${place.location}`, place.positions]),
  );
  return {
    ...fences,
    placesOf: (thread, location) => positions.get(`${thread} ${location}`) ?? [],
    ...diffOf({ file, source }, text),
  };
}

/** The same for a program of events. */
export function eventFenceFindings(
  read: ReadFile,
  { places, text, costModel, result }: EventFencesInText,
): EventFenceFindings {
  return {
    costModel,
    result,
    positionsOf: ({ body, location }) =>
      places.find((place) => place.body === body && place.location === location)?.positions ?? [],
    ...diffOf(read, text),
  };
}
