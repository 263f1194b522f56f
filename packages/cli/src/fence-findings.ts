import path from 'node:path';
import {
  type FenceFindings,
  type FencesInText,
  printableLine,
  unifiedDiff,
} from '@fencewright/core';
import type { ReadFile } from './finding.js';

/** Fences with what reports want of them: where they stand, and how the text changes. */
export function fenceFindings(
  { file, source }: ReadFile,
  { places, text, ...fences }: FencesInText,
): FenceFindings {
  const positions = new Map(
    places.map((place) => [`${place.thread} ${place.location}`, place.positions]),
  );
  const shown = file === '-' ? 'standard-input' : printableLine(path.basename(file));
  return {
    ...fences,
    placesOf: (thread, location) => positions.get(`${thread} ${location}`) ?? [],
    ...(text !== undefined && { diff: unifiedDiff(source, text, shown) }),
  };
}
