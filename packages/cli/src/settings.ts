import type { FormatsByExtension } from './formats.js';
import type { ConfiguredProgram } from './configuration/schema.js';
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
import type { ConfiguredBy, CopyNumbers, CWishes, Request, RunSettings } from './run-settings.js';

/** The settings of a run, made from the options that verbs share. */
export interface Settings {
  /** The part of the request for each file that is equal for all files. */
  readonly given: Pick<Request, 'from' | 'formats' | 'limits' | 'counted' | 'c' | 'configured'>;
  readonly run: RunSettings;
  /** The number of files that are worked on in parallel. */
  readonly jobs: number;
  /**
   * The numbers of copies to check, one instance after the other; the numbers in the file if
   * absent.
   */
  readonly instances?: readonly CopyNumbers[];
}

/** The options of verbs that search. */
interface SearchValues extends CountValues {
  readonly json?: true;
  readonly jobs?: number;
  /** The formats of files by extension, from a configuration. */
  readonly formats?: FormatsByExtension;
  readonly configured?: ConfiguredBy;
  /** The programs in C that have settings of their own in a configuration. */
  readonly programs?: readonly ConfiguredProgram[];
}

/** Returns the settings for C of all programs, and of each program with settings of its own. */
export function cSettingsOf(values: ValuesOf<FileOptions>): CWishes {
  const { programs = [], ...counts } = values as SearchValues;
  const anyNumberOf = unboundedThreads(rangesOf(counts) ?? []);
  const common = { ...cWishes(values), anyNumberOf };
  if (programs.length === 0) return common;
  const own = programs.map(({ file, values: more, place, given }) => {
    const wishes = { ...cWishes({ ...values, ...more }), anyNumberOf };
    return { file, wishes, text: `${place} = ${JSON.stringify(given)}` };
  });
  return { ...common, programs: own };
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
      c: cSettingsOf(values),
    },
    run: {
      json,
      limits,
      colours: isPiped ? { stdout: colours.stderr, stderr: colours.stderr } : colours,
      width: (process.stdout.isTTY && process.stdout.columns) || 100,
    },
    jobs,
    ...(instances && { instances }),
  };
}
