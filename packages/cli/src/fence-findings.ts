import path from 'node:path';
import {
  fenceFindings,
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
export function fileFenceFindings({ file, source }: ReadFile, fences: FencesInText): FenceFindings {
  return fenceFindings(source, fences, nameInDiff(file));
}
