import type { CiSettings } from './settings.js';

/** Whether a report for continuous integration goes to standard output; the text for people then goes to the other stream. */
export function isReportPiped({ sarif, junit }: CiSettings): boolean {
  return sarif === '-' || junit === '-';
}

/** What is wrong with the options together. */
export function ciComplaint(options: CiSettings & { readonly json?: boolean }): string | undefined {
  if (options.sarif === '-' && options.junit === '-')
    return 'standard output has room for one report';
  if (isReportPiped(options) && options.json)
    return '--json and a report cannot share standard output';
  return undefined;
}
