import type { FormatsByExtension } from './formats.js';
import { cWishes } from './options/c-files.js';
import {
  copiesOf,
  coloursOf,
  countedBy,
  type CountValues,
  limitsOf,
  rangesOf,
} from './options/common.js';
import type { FileOptions } from './verb.js';
import type { ValuesOf } from './options/declare.js';
import { unboundedThreads } from './options/instances.js';
import type { ConfiguredBy, CopyNumbers, Request, RunSettings } from './run-settings.js';

/** The settings of a run, made from the options that verbs share. */
export interface Settings {
  /** The part of the request that is equal for all files. */
  readonly given: Pick<Request, 'from' | 'formats' | 'limits' | 'counted' | 'c' | 'configured'>;
  readonly run: RunSettings;
  /** The number of files to work on in parallel. */
  readonly jobs: number;
  /** Numbers of copies to check one after the other; the numbers in the file if absent. */
  readonly instances?: readonly CopyNumbers[];
}

/** The options of verbs that search. */
interface SearchValues extends CountValues {
  readonly json?: true;
  readonly jobs?: number;
  /** Formats by file extension, from a configuration. */
  readonly formats?: FormatsByExtension;
  readonly configured?: ConfiguredBy;
}

/**
 * Returns the settings made from options. With `isPiped`, standard output has another use, and the
 * text goes to stderr.
 */
export function settingsOf(values: ValuesOf<FileOptions>, isPiped: boolean): Settings {
  const { from } = values;
  const { json = false, jobs = 1, formats, configured } = values as SearchValues;
  const colours = coloursOf(values);
  const limits = limitsOf(values);
  const instances = copiesOf(values as CountValues);
  const counted = countedBy(values as CountValues);
  return {
    given: {
      ...(from && { from }),
      ...(formats && { formats }),
      ...(configured && { configured }),
      limits,
      ...counted,
      c: {
        ...cWishes(values),
        anyNumberOf: unboundedThreads(rangesOf(values as CountValues) ?? []),
      },
    },
    run: {
      json,
      limits,
      colours: isPiped ? { stdout: colours.stderr, stderr: colours.stderr } : colours,
      width: (process.stdout.isTTY && process.stdout.columns) || 120,
    },
    jobs,
    ...(instances && { instances }),
  };
}
