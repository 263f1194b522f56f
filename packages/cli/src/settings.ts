import type { FormatsByExtension } from './formats.js';
import { cWishes } from './options/c-files.js';
import { copiesOf, coloursOf, limitsOf } from './options/common.js';
import type { FileOptions } from './verb.js';
import type { ValuesOf } from './options/declare.js';
import { anyNumberOf, type CopyRange } from './options/instances.js';
import type { Copies, Request, RunSettings } from './run-settings.js';

/** What the options that verbs share come to. */
export interface Settings {
  /** For each file. */
  readonly given: Pick<Request, 'from' | 'formats' | 'limits' | 'counted' | 'c'>;
  readonly run: RunSettings;
  /** Files to work on at the same time. */
  readonly jobs: number;
  /** Numbers of copies to look at, one after the other, instead of what the file says. */
  readonly instances?: readonly Copies[];
}

/** What verbs have that search. */
interface SearchValues {
  readonly json?: true;
  readonly threads?: readonly CopyRange[];
  readonly instances?: readonly CopyRange[];
  readonly jobs?: number;
  /** As a configuration says. */
  readonly formats?: FormatsByExtension;
}

/**
 * What options come to; where something else takes standard output, the text goes to the other
 * stream.
 */
export function settingsOf(values: ValuesOf<FileOptions>, isPiped: boolean): Settings {
  const { from } = values;
  const { json = false, threads, instances: events, jobs = 1, formats } = values as SearchValues;
  const colours = coloursOf(values);
  const limits = limitsOf(values);
  const instances = copiesOf(threads ?? events);
  const counted = events ? 'instances' : 'threads';
  return {
    given: {
      ...(from && { from }),
      ...(formats && { formats }),
      limits,
      counted,
      c: { ...cWishes(values), anyNumberOf: anyNumberOf(threads ?? events ?? []) },
    },
    run: {
      json,
      counted,
      limits,
      colours: isPiped ? { stdout: colours.stderr, stderr: colours.stderr } : colours,
      width: (process.stdout.isTTY && process.stdout.columns) || 120,
    },
    jobs,
    ...(instances && { instances }),
  };
}
