import { defaults } from '@fencewright/core/words';
import type { Copies, RunSettings } from '../run-settings.js';
import { inputFormats } from '../formats.js';
import { cOptions } from './c-files.js';
import { type ColourChoice, wantsColour } from '../palette.js';
import {
  choice,
  choiceOr,
  conflicting,
  type Declared,
  flag,
  grouped,
  hidden,
  parsed,
  parsedOr,
  text,
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

/** Of every verb. */
export const colourOptions = grouped('Input and output:', {
  color: choiceOr<ColourChoice>(
    '--color <when>',
    'whether to write in colours',
    ['auto', 'always', 'never'],
    'auto',
  ),
  noColor: hidden(flag('--no-color', 'the same as --color never; so is NO_COLOR')),
});

/** Of verbs that read programs. */
export const inputOptions = {
  ...grouped('Input and output:', {
    from: choice('--from <format>', 'format of the input, whatever its name', inputFormats),
    // True unless it is turned off.
    config: flag(
      '--no-config',
      'leave fencewright.json of this folder, or of one above it, alone',
    ) as Declared<boolean>,
  }),
  ...colourOptions,
  ...cOptions,
};

export const timeAndMemory = grouped('Limits:', {
  maxMemory: parsedOr(
    '--max-memory <MiB>',
    'give up on a file when its state tables, and all else, are this large',
    wholeFrom(1),
    defaultMegabytes,
  ),
  timeout: parsed(
    '--timeout <seconds>',
    'give up on a file after this long, reading it included',
    positive,
  ),
});

/** Of verbs that search. */
export const limitOptions = grouped('Limits:', {
  maxStates: parsed('--max-states <n>', 'give up on a file after this many states', wholeFrom(1)),
  ...timeAndMemory,
});

/** Of verbs whose answer is an exit code, too. */
export const quiet = underHeading(
  'Input and output:',
  flag(
    '--quiet',
    'print nothing on standard output but what is asked for with --json or the file -; the exit code tells',
  ),
);

/** Of verbs that only look at programs. */
export const watch = conflicting(
  flag('--watch', 'do it again whenever a file, or what it includes, changes; Ctrl-C ends it'),
  'json',
);

export const json = underHeading(
  'Input and output:',
  flag('--json', 'print one JSON document instead of text'),
);

/** Of verbs that decide something about programs. */
export const searchOptions = {
  ...inputOptions,
  json,
  quiet,
  threads: parsed<readonly CopyRange[]>(
    '--threads <t=n..m>',
    'look at these numbers of copies of a thread only, whatever the file says; may be repeated; in C, how many threads run a function, and t=* for any number',
    copyRanges,
  ),
  ...limitOptions,
};

/** Of verbs that can work on several files at the same time. */
export const jobs = parsedOr(
  '--jobs <n>',
  'files to work on at the same time; of a single file, searches: long ones share out attackers, and --engine spin its queries',
  wholeFrom(1),
  defaults.jobs,
);

const explained = (choices: Readonly<Record<string, string>>): string =>
  Object.entries(choices)
    .map(([name, what]) => `${name} (${what})`)
    .join(', ');

export const engine = choiceOr<EngineName>(
  '--engine <name>',
  `how to decide: ${explained(engines)}`,
  Object.keys(engines) as EngineName[],
  defaults.engine,
);

/** The same of verbs that are for programs of events, too. */
export const engineOfAny = choiceOr<EngineChoice>(
  '--engine <name>',
  `how to decide: ${explained(engineChoices)}`,
  Object.keys(engineChoices) as EngineChoice[],
  defaults.engine,
);

/** Which happens-before; `happensBeforeComplaint` says what it does not go with. */
export const hb = choiceOr<HappensBefore>(
  '--hb <notion>',
  `whose cycles count: ${explained(happensBefore)}`,
  Object.keys(happensBefore) as HappensBefore[],
  defaults.happensBefore,
);

/** What is wrong with the happens-before beside the engine, where one can be chosen. */
export function happensBeforeComplaint(
  happensBefore: HappensBefore,
  name: EngineChoice,
): string | undefined {
  return happensBefore === 'value' && name !== 'search'
    ? '--hb value is decided by --engine search only'
    : undefined;
}

export const proofSolverHelp = 'the Z3 on the PATH, or the one that comes along, in WebAssembly';

/** Where a page of HTML goes. */
export const htmlOption = (what: string) =>
  text(
    '--html <file>',
    `where to write a page that shows ${what}, to open in a browser; - is stdout`,
  );

type ColourValues = ValuesOf<typeof colourOptions>;

/** Whether to write colours to a stream; `--no-color` says `false`. */
function colourOf({ color }: ColourValues, stream: NodeJS.WriteStream): boolean {
  const choice = color as ColourChoice | false;
  return wantsColour(choice === false ? 'never' : choice, stream, process.env);
}

/** What the options mean for both streams. */
export function coloursOf(values: ColourValues): RunSettings['colours'] {
  return {
    stdout: colourOf(values, process.stdout),
    stderr: colourOf(values, process.stderr),
  };
}

type LimitValues = ValuesOf<typeof timeAndMemory> & Partial<ValuesOf<typeof limitOptions>>;

/** The limits in the units of the searches. */
export function limitsOf({ maxStates, maxMemory, timeout }: LimitValues): RunSettings['limits'] {
  return {
    ...(maxStates !== undefined && { maxStates }),
    maxMemory: maxMemory * mebibyte,
    ...(timeout !== undefined && { timeout: timeout * 1000 }),
  };
}

/** The numbers of copies to look at, one after the other. */
export function copiesOf(threads: readonly CopyRange[] | undefined): readonly Copies[] | undefined {
  return threads && instancesOf(threads);
}
