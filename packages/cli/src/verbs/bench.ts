import { printableLine, quoteName, type ResultOf } from '@fencewright/core';
import type { FileReport } from '../file-report.js';
import type { ReadFile } from '../finding.js';
import type { Settings } from '../settings.js';
import { reportOnCheck } from './check.js';

/** `bench`: a row of the table. */
export function printBench(
  read: ReadFile,
  { about, result, fences }: ResultOf<'bench'>,
  settings: Settings,
): FileReport {
  const subject = { ...read, program: about };
  const report = reportOnCheck(subject, result, settings, '');
  const name = about.name === '' ? quoteName(read.file) : printableLine(about.name);
  // A row needs no list of attacks, of which there may be millions.
  const row = { name, result: { ...result, attacks: [] } };
  if (fences === undefined) return { ...report, row };
  const json = typeof fences === 'number' ? { ...report.json, fenceCount: fences } : report.json;
  return { ...report, json, row: { ...row, fences } };
}
