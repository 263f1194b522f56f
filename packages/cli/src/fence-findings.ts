import path from 'node:path';
import {
  fenceFindings as findingsIn,
  type FenceFindings,
  type FencesInText,
  printableLine,
} from '@fencewright/core';
import type { ReadFile } from './finding.js';

/** What a file is called in a diff. */
export function nameInDiff(file: string): string {
  return file === '-' ? 'standard-input' : printableLine(path.basename(file));
}

/** Fences with what reports want of them: where they stand, and how the text changes. */
export function fenceFindings({ file, source }: ReadFile, fences: FencesInText): FenceFindings {
  return findingsIn(source, fences, nameInDiff(file));
}
