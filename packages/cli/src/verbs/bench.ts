import {
  fence,
  type FenceCount,
  type HappensBefore,
  type Limits,
  printableLine,
  type Program,
  quoteName,
} from '@fencewright/core';
import type { FileReport } from '../file-report.js';
import type { Hooks, Settings } from '../settings.js';
import type { CheckableFile } from '../load-program.js';
import { decide, reportOn } from './check.js';

/** How many fences a smallest set has. */
async function countFences(
  program: Program,
  notion: HappensBefore,
  limits: Limits,
): Promise<FenceCount> {
  const { verdict } = await fence(program, { notion, limits });
  if (verdict.kind === 'found') return verdict.repairs.length;
  return verdict.kind === 'impossible' ? 'none' : 'unknown';
}

/** `bench`: a row of the table; every attack is decided, as in the paper. */
export async function benchFile(
  subject: CheckableFile,
  settings: Settings,
  hooks: Hooks,
): Promise<FileReport> {
  const { file, program } = subject;
  const result = await decide(program, { ...settings, allAttacks: true }, hooks);
  const name = program.name === '' ? quoteName(file) : printableLine(program.name);
  const report = reportOn(subject, result, settings, '');
  // A row needs no list of attacks, of which there may be millions.
  const measured = { ...result, attacks: [] };
  if (!settings.countFences || result.verdict.kind === 'error')
    return { ...report, row: { name, result: measured } };
  const { timeout } = settings.limits;
  // Both searches together have to keep to the limit.
  const left = timeout !== undefined && {
    timeout: Math.max(1, timeout - result.statistics.milliseconds),
  };
  const limits = { ...settings.limits, ...hooks, ...left };
  const fences = await countFences(program, settings.notion, limits);
  const json = typeof fences === 'number' ? { ...report.json, fenceCount: fences } : report.json;
  return { ...report, json: json, row: { name, result: measured, fences } };
}
