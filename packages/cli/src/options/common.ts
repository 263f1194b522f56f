import { defaults } from '@fencewright/core/words';
import type { CopyNumbers, Request, RunSettings } from '../run-settings.js';
import { inputFormats } from '../formats.js';
import { cOptions } from './c-files.js';
import { type ColourChoice, wantsColour } from '../palette.js';
import {
  choice,
  choiceOr,
  common,
  conflicting,
  type Declared,
  flag,
  grouped,
  hidden,
  parsed,
  parsedOr,
  renamed,
  report,
  underHeading,
  type ValuesOf,
} from './declare.js';
import {
  type EngineChoice,
  engineChoices,
  type EngineName,
  engines,
  happensBefore,
  type HappensBefore,
} from './engines.js';
import { type CopyRange, copyRanges, instancesOf } from './instances.js';
import { defaultMegabytes, mebibyte, positive, wholeFrom } from './values.js';

/** The options that every verb has. */
export const colourOptions = grouped('Input and output:', {
  color: choiceOr<ColourChoice>(
    '--color <when>',
    'whether to write in colours',
    ['auto', 'always', 'never'],
    'auto',
  ),
  noColor: hidden(flag('--no-color', 'the same as --color never; so is NO_COLOR')),
});

/** The options common to all verbs that read programs. */
export const inputOptions = {
  ...grouped('Input and output:', {
    from: choice(
      '--from <format>',
      'format of the input, if the file name does not tell it',
      inputFormats,
    ),
    // Commander makes an option `--no-x` true by default.
    config: flag('--no-config', 'do not read fencewright.json') as Declared<boolean>,
  }),
  ...colourOptions,
  ...cOptions,
};

export const timeAndMemory = grouped('Limits:', {
  maxMemory: parsedOr(
    '--max-memory <MiB>',
    'give up on a file that needs more memory than this',
    wholeFrom(1),
    defaultMegabytes,
  ),
  timeout: common(
    parsed('--timeout <seconds>', 'give up on a file after this time, reading included', positive),
  ),
});

/** The options common to all verbs with a search. */
export const limitOptions = grouped('Limits:', {
  effort: parsed(
    '--effort <n>',
    'give up on a file after this much counted work of all stages, in states; the same on every machine',
    wholeFrom(1),
  ),
  maxStates: common(
    parsed('--max-states <n>', 'give up on a file after this many states', wholeFrom(1)),
  ),
  ...timeAndMemory,
});

/** The option `--quiet`, of verbs whose exit status is also an answer. */
export const quiet = underHeading(
  'Input and output:',
  flag(
    '--quiet',
    'print nothing but the output of --json or of a report to -; the exit code tells the verdict',
  ),
);

export const answers = common(
  flag(
    '--answers',
    'compare assertions, properties, waits for ever and final states under SC and TSO, also if the program states no assertion or property',
  ),
);

/** The option `--watch`, of verbs that read programs without changing files. */
export const watch = conflicting(
  flag(
    '--watch',
    'run again when a file or one of its included files changes; Ctrl-C ends the watch',
  ),
  'json',
);

export const json = underHeading(
  'Input and output:',
  common(flag('--json', 'print one JSON document instead of text')),
);

/** The options for numbers of threads or instances, of verbs that read programs. */
export const countOptions = {
  copies: common(
    parsed<readonly CopyRange[]>(
      '--copies <t=n..m>',
      'numbers of copies of thread t[...], or of instances of an event; replaces the numbers in the file; may be repeated',
      copyRanges,
    ),
  ),
  threads: conflicting(
    underHeading(
      'C and C++:',
      parsed<readonly CopyRange[]>(
        '--threads <f=n..m>',
        'number of threads that run the function f; f=* is any number; may be repeated',
        copyRanges,
      ),
    ),
    'copies',
  ),
  instances: conflicting(
    renamed(
      parsed<readonly CopyRange[]>('--instances <e=n..m>', 'the same as --copies', copyRanges),
      '--copies NAME=N',
    ),
    ...['copies', 'threads'],
  ),
};

/** The options common to all verbs that decide questions about programs. */
export const searchOptions = {
  ...inputOptions,
  json,
  quiet,
  ...countOptions,
  ...limitOptions,
};

/** The option `--timeouts`, of verbs that decide whether threads wait for ever. */
export const timeoutsOption = choice(
  '--timeouts <when>',
  'for threads that wait for ever: whether a wait with a time-out ends by the time-out (default: end)',
  ['end', 'never'] as const,
);

export function timeoutsWish({ timeouts }: { readonly timeouts: 'end' | 'never' | undefined }): {
  readonly timeouts?: 'never';
} {
  return timeouts === 'never' ? { timeouts } : {};
}

/** The option `--jobs`, of verbs that can work on several files at the same time. */
export const jobs = parsedOr(
  '--jobs <n>',
  'number of files in progress at the same time; for a single file, number of searches that share its attacks',
  wholeFrom(1),
  defaults.jobs,
);

const explained = (choices: Readonly<Record<string, string>>): string =>
  Object.entries(choices)
    .map(([name, what]) => `${name} (${what})`)
    .join(', ');

export const engine = choiceOr<EngineName>(
  '--engine <name>',
  `the engine: ${explained(engines)}`,
  Object.keys(engines) as EngineName[],
  defaults.engine,
);

/** The option `--engine`, of verbs that also treat programs of events. */
export const engineOfAny = choiceOr<EngineChoice>(
  '--engine <name>',
  `the engine: ${explained(engineChoices)}`,
  Object.keys(engineChoices) as EngineChoice[],
  defaults.engine,
);

/**
 * The option for the happens-before relation; `happensBeforeComplaint` reports conflicts with other
 * options.
 */
export const hb = choiceOr<HappensBefore>(
  '--hb <notion>',
  `the happens-before relation whose cycles count: ${explained(happensBefore)}`,
  Object.keys(happensBefore) as HappensBefore[],
  defaults.happensBefore,
);

/**
 * Returns the error if the engine does not support the happens-before relation; otherwise
 * `undefined`.
 */
export function happensBeforeComplaint(
  happensBefore: HappensBefore,
  name: EngineChoice,
): string | undefined {
  return happensBefore === 'value' && name !== 'search'
    ? '--hb value is decided by --engine search only'
    : undefined;
}

export const proofSolverHelp = 'the Z3 on the PATH, or the supplied Z3 in WebAssembly';

/** Declares the option for a page in HTML. */
export const htmlReport = (what: string) => report('html', `a page that shows ${what}`);

type ColourValues = ValuesOf<typeof colourOptions>;

/** Whether the options ask for colours on a stream; `--no-color` has the value `false`. */
function colourOf({ color }: ColourValues, stream: NodeJS.WriteStream): boolean {
  const choice = color as ColourChoice | false;
  return wantsColour(choice === false ? 'never' : choice, stream, process.env);
}

/** Returns the colours for stdout and stderr. */
export function coloursOf(values: ColourValues): RunSettings['colours'] {
  return {
    stdout: colourOf(values, process.stdout),
    stderr: colourOf(values, process.stderr),
  };
}

type LimitValues = ValuesOf<typeof timeAndMemory> & Partial<ValuesOf<typeof limitOptions>>;

/** Returns the limits in the units that searches use. */
export function limitsOf({
  maxStates,
  effort,
  maxMemory,
  timeout,
}: LimitValues): RunSettings['limits'] {
  return {
    ...(maxStates !== undefined && { maxStates }),
    ...(effort !== undefined && { effort }),
    maxMemory: maxMemory * mebibyte,
    ...(timeout !== undefined && { timeout: timeout * 1000 }),
  };
}

/** The values of `countOptions`; a verb may lack the options. */
export type CountValues = Partial<ValuesOf<typeof countOptions>>;

/**
 * Returns the ranges of copies given by `--copies`, `--threads` or `--instances`; `undefined` if
 * none is given.
 */
export function rangesOf(values: CountValues): readonly CopyRange[] | undefined {
  return values.copies ?? values.threads ?? values.instances;
}

/**
 * Returns whether numbers of copies count threads or instances; an empty object if neither option
 * is given.
 */
export function countedBy({ threads, instances }: CountValues): Pick<Request, 'counted'> {
  if (threads) return { counted: 'threads' };
  return instances ? { counted: 'instances' } : {};
}

/**
 * Returns the numbers of copies to check, one after the other; `undefined` if the options give
 * none.
 */
export function copiesOf(values: CountValues): readonly CopyNumbers[] | undefined {
  const ranges = rangesOf(values);
  return ranges && instancesOf(ranges);
}
