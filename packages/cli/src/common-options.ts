import { isReportPiped } from './ci-options.js';
import type { EngineName, HappensBefore, Limits } from '@fencewright/core';
import { type Command, Option } from 'commander';
import { type AdvancedOptions, withoutOf } from './advanced-options.js';
import { defaultEngine, engines } from './engines.js';
import { type InputFormat, inputFormats } from './formats.js';
import type { FailOn } from './fail-on.js';
import { type CopyRange, copyRanges, instancesOf } from './instances.js';
import { defaultMegabytes, mebibyte, positive, wholeFrom } from './option-values.js';
import { type PictureOptions, pictureSettingsOf } from './picture-options.js';
import { type ColourChoice, wantsColour } from './palette.js';
import type { Settings } from './settings.js';

export interface CommonOptions {
  readonly from?: InputFormat;
  readonly color: ColourChoice | false;
}

export interface LimitOptions {
  readonly maxStates?: number;
  readonly maxMemory: number;
  readonly timeout?: number;
}

export interface SearchOptions
  extends CommonOptions, LimitOptions, AdvancedOptions, PictureOptions {
  readonly json?: boolean;
  readonly threads?: readonly CopyRange[];
  readonly engine?: EngineName;
  readonly hb?: HappensBefore;
  readonly allAttacks?: boolean;
  /** For `check`. */
  readonly failOn?: readonly FailOn[];
  /** For `check`. */
  readonly sarif?: string;
  /** For `check`. */
  readonly junit?: string;
  /** For `reach`. */
  readonly buffer?: number;
  /** For `trf`. */
  readonly fence?: boolean;
  /** For `bench`. */
  readonly fences?: boolean;
  readonly suite?: 'search' | 'reduction';
  /** For `check`. */
  readonly prove?: boolean;
}

/** Whether to write colours to a stream. */
export function colourOf(
  options: Pick<CommonOptions, 'color'>,
  stream: NodeJS.WriteStream,
): boolean {
  return wantsColour(options.color === false ? 'never' : options.color, stream, process.env);
}

/** What the options mean for both streams. */
export function coloursOf(options: Pick<CommonOptions, 'color'>): Settings['colours'] {
  return {
    stdout: colourOf(options, process.stdout),
    stderr: colourOf(options, process.stderr),
  };
}

/** The limits in the units of the searches. */
export function limitsOf({
  maxStates,
  maxMemory,
  timeout,
}: LimitOptions): Settings['limits'] & Limits {
  return {
    ...(maxStates !== undefined && { maxStates }),
    maxMemory: maxMemory * mebibyte,
    ...(timeout !== undefined && { timeout: timeout * 1000 }),
  };
}

/** What the options of a search mean. */
export function settingsOf(options: SearchOptions): Settings {
  const { from, sarif, junit } = options;
  const pictures = pictureSettingsOf(options);
  const ci = { ...(sarif !== undefined && { sarif }), ...(junit !== undefined && { junit }) };
  const colours = coloursOf(options);
  return {
    ...(from && { from }),
    engine: options.engine ?? defaultEngine,
    notion: options.hb ?? 'standard',
    ...(options.solver && { solver: options.solver }),
    ...(options.suite && { suite: options.suite }),
    ...(options.prove && { triesProof: true }),
    allAttacks: options.allAttacks ?? false,
    ...(options.failOn && { failOn: options.failOn }),
    ...withoutOf(options),
    search: {
      replayAll: options.replayAll ?? false,
      ...(options.kernel && { kernel: options.kernel }),
    },
    countFences: options.fences ?? true,
    queryJobs: 1,
    handOverAfter: options.handOverAfter ?? 1000,
    ...(options.fence === true && { trfFences: true }),
    ...(pictures && { pictures }),
    ...(Object.keys(ci).length > 0 && { ci }),
    ...(options.buffer !== undefined && { buffer: options.buffer }),
    ...(options.threads && { instances: instancesOf(options.threads) }),
    json: options.json ?? false,
    limits: limitsOf(options),
    colours: isReportPiped(ci) ? { stdout: colours.stderr, stderr: colours.stderr } : colours,
    width: (process.stdout.isTTY && process.stdout.columns) || 120,
  };
}

export function addCommonOptions(command: Command): Command {
  return addColourOptions(
    command.addOption(
      new Option('--from <format>', 'format of the input, whatever its name').choices(inputFormats),
    ),
  );
}

export function addColourOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--color <when>', 'colours: on a terminal, always, or never')
        .choices(['auto', 'always', 'never'])
        .default('auto'),
    )
    .addOption(new Option('--no-color', 'the same as --color never; so is NO_COLOR').hideHelp());
}

export function addLimitOptions(command: Command): Command {
  return addTimeAndMemory(
    command.option('--max-states <n>', 'give up on a file after this many states', wholeFrom(1)),
  );
}

export function addTimeAndMemory(command: Command): Command {
  return command
    .option(
      '--max-memory <MiB>',
      'give up on a file when its state tables, and all else, are this large',
      wholeFrom(1),
      defaultMegabytes,
    )
    .option(
      '--timeout <seconds>',
      'give up on a file after this long, reading it included',
      positive,
    );
}

export function addSearchOptions(command: Command): Command {
  return addLimitOptions(
    addCommonOptions(command)
      .option('--json', 'print one JSON document instead of text')
      .option(
        '--threads <t=n..m>',
        'look at these numbers of copies of a thread only, whatever the file says; may be repeated',
        copyRanges,
      ),
  );
}

export function addEngineOption(command: Command): Command {
  const names = Object.entries(engines).map(([name, what]) => `${name} (${what})`);
  return command.addOption(
    new Option('--engine <name>', `how to decide: ${names.join(', ')}`)
      .choices(Object.keys(engines))
      .default(defaultEngine),
  );
}

const notions: Readonly<Record<HappensBefore, string>> = {
  standard: 'all stores to a cell are ordered',
  value: 'only stores of different values are; engine search only',
};

/** The option that chooses the happens-before; it has to go together with the engine, where one can be chosen, and the suite. */
export function addNotionOption(command: Command): Command {
  const names = Object.entries(notions).map(([name, what]) => `${name} (${what})`);
  return command
    .addOption(
      new Option('--hb <notion>', `whose cycles count: ${names.join(', ')}`)
        .choices(Object.keys(notions))
        .default('standard'),
    )
    .hook('preAction', (_, own) => {
      const { hb, engine = 'search', suite } = own.opts<SearchOptions>();
      if (hb === 'value' && engine !== 'search')
        own.error('error: --hb value is decided by --engine search only');
      if (hb === 'value' && suite === 'reduction')
        own.error('error: --suite reduction looks for proofs in either notion: leave --hb out');
    });
}
