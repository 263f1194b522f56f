import type { PrintReport } from '@fencewright/ground/source/print-report.js';
import type { Program } from './program.js';

/**
 * Adds notes to the print report: the format cannot express the costs of fences that the program
 * gives.
 */
export function noteFenceCosts({ threads }: Program, report: PrintReport): void {
  for (const { transitions } of threads)
    for (const { cost, nofence, origin } of transitions)
      if (cost !== undefined || nofence)
        report.note(
          origin.span,
          'costs of fences do not exist in this format',
          'every fence costs the same there',
        );
}
