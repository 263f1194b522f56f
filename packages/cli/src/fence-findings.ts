import path from 'node:path';
import {
  fenceFindings as findingsIn,
  type FenceFindings,
  type FencesInText,
  printableLine,
} from '@fencewright/core';
import type { ReadFile } from './finding.js';

/** Returns the name of a file as written in a diff. */
export function nameInDiff(file: string): string {
  return file === '-' ? 'standard-input' : printableLine(path.basename(file));
}

/**
 * Returns the fences in the form that reports expect: text positions, and the change of the text.
 */
export function fenceFindings({ file, source }: ReadFile, fences: FencesInText): FenceFindings {
  return findingsIn(source, fences, nameInDiff(file));
}
