import path from 'node:path';
import {
  type Diagnostic,
  fenceFindings,
  type FenceFindings,
  type FencesInText,
  type FenceVerdict,
  printableLine,
} from '@fencewright/core';
import type { FileReport } from './file-report.js';
import type { ReadFile } from './finding.js';
import type { terminalPalette } from './palette.js';

/** Returns the name of a file as written in a diff. */
export function nameInDiff(file: string): string {
  return file === '-' ? 'standard-input' : printableLine(path.basename(file));
}

/**
 * Returns the fences in the form that reports expect: text positions, and the change of the text.
 */
export function fileFenceFindings(given: ReadFile, fences: FencesInText): FenceFindings {
  const { file, source } = changedText(given);
  const { other } = given;
  const findings = fenceFindings(source, fences, nameInDiff(file));
  return other ? { ...findings, changed: other.file } : findings;
}

/**
 * Returns the text that the repairs change: the text of the file, or of a header or linked file.
 */
export function changedText({ file, source, byteOrderMark, other }: ReadFile): {
  readonly file: string;
  readonly source: string;
  readonly byteOrderMark?: string;
} {
  if (!other) return { file, source, ...(byteOrderMark !== undefined && { byteOrderMark }) };
  return { ...other, source: other.text };
}

/**
 * The parts of a report on fences that are common to programs of threads and programs of events.
 */
export interface Telling {
  readonly kind: FenceVerdict['kind'];
  /** The lines of the report that say why a requested certificate is missing. */
  readonly missing: readonly string[];
  readonly report: (palette: ReturnType<typeof terminalPalette>) => string;
  readonly json: (diagnostics: readonly Diagnostic[]) => FileReport['json'];
}
