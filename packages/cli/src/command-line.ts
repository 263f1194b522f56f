import type { EngineName } from '@fencewright/core';
import { Command, InvalidArgumentError, Option } from 'commander';
import { defaultEngine, engines } from './engines.js';
import type { ExitCode } from './exit-codes.js';
import { type InputFormat, inputFormats, type OutputFormat, outputFormats } from './formats.js';
import { type ColourChoice, wantsColour } from './palette.js';
import type { FileVerb } from './run-on-file.js';
import type { Settings } from './settings.js';
import { version } from './version.js';

const mebibyte = 1024 * 1024;

function atLeast(least: number, isWhole: boolean): (text: string) => number {
  return (text) => {
    const value = Number(text);
    const fits = text.trim() !== '' && Number.isFinite(value) && value >= least;
    if (fits && (!isWhole || Number.isSafeInteger(value))) return value;
    throw new InvalidArgumentError(
      isWhole ? `It has to be a whole number from ${least} on.` : 'It has to be a positive number.',
    );
  };
}

const whole = atLeast(1, true);

function seconds(text: string): number {
  const value = atLeast(0, false)(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('It has to be a positive number.');
}

interface CommonOptions {
  readonly from?: InputFormat;
  readonly color: ColourChoice | false;
}

interface SearchOptions extends CommonOptions {
  readonly json?: boolean;
  readonly engine?: EngineName;
  readonly allAttacks?: boolean;
  readonly maxStates?: number;
  readonly maxMemory: number;
  readonly timeout?: number;
  readonly jobs: number;
}

interface ConvertOptions extends CommonOptions {
  readonly to: OutputFormat;
  readonly output?: string;
}

function colourOf(options: CommonOptions, stream: NodeJS.WriteStream): boolean {
  return wantsColour(options.color === false ? 'never' : options.color, stream, process.env);
}

/** What the options of a search mean. */
function settingsOf(options: SearchOptions): Settings {
  const { from, maxStates, maxMemory, timeout } = options;
  return {
    ...(from && { from }),
    engine: options.engine ?? defaultEngine,
    allAttacks: options.allAttacks ?? false,
    json: options.json ?? false,
    limits: {
      ...(maxStates !== undefined && { maxStates }),
      maxMemory: maxMemory * mebibyte,
      ...(timeout !== undefined && { timeout: timeout * 1000 }),
    },
    colours: {
      stdout: colourOf(options, process.stdout),
      stderr: colourOf(options, process.stderr),
    },
    width: (process.stdout.isTTY && process.stdout.columns) || 120,
  };
}

function addCommonOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--from <format>', 'format of the input, whatever its name').choices(inputFormats),
    )
    .addOption(
      new Option('--color <when>', 'colours: on a terminal, always, or never')
        .choices(['auto', 'always', 'never'])
        .default('auto'),
    )
    .addOption(new Option('--no-color', 'the same as --color never; so is NO_COLOR').hideHelp());
}

function addSearchOptions(command: Command): Command {
  return addCommonOptions(command)
    .option('--json', 'print one JSON document instead of text')
    .option('--max-states <n>', 'give up on a file after this many states', whole)
    .option(
      '--max-memory <MiB>',
      'give up on a file when its state tables are this large',
      whole,
      2048,
    )
    .option('--timeout <seconds>', 'give up on a file after this long', seconds)
    .option('--jobs <n>', 'files to work on at the same time', whole, 1);
}

function addEngineOption(command: Command): Command {
  const names = Object.entries(engines).map(([name, what]) => `${name} (${what})`);
  return command.addOption(
    new Option('--engine <name>', `how to decide: ${names.join(', ')}`)
      .choices(Object.keys(engines))
      .default(defaultEngine),
  );
}

/** What the verbs do, loaded only when one of them is asked for. */
export interface Actions {
  readonly files: (
    verb: FileVerb,
    files: readonly string[],
    settings: Settings,
    jobs: number,
  ) => Promise<ExitCode>;
  readonly convert: (
    file: string,
    settings: { from?: InputFormat; to: OutputFormat; output?: string; colour: boolean },
  ) => Promise<ExitCode>;
}

const epilog = `
Files: .fw is the native language, .txt and .trencher are Trencher's; - is standard input (native, unless --from says else).
Limits hold for each file. Ctrl-C stops a search, which then says what it knows.

Exit codes: 0 robust, 10 not robust, 5 unknown, 64 wrong usage, 65 errors in the input, 70 a fault of fencewright.
With several files, the first of 70, 65, 10, 5, 0 that occurs.`;

/** The command line: verbs, options, help. The exit code of the verb that runs goes to `finish`. */
export function commandLine(actions: Actions, finish: (code: ExitCode) => void): Command {
  const program = new Command('fencewright')
    .description('Checks lock-free programs for robustness against TSO, the memory model of x86.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(--help shows how)')
    .addHelpText('after', epilog);

  const fileVerb = (verb: FileVerb, description: string): Command =>
    addSearchOptions(program.command(verb))
      .description(description)
      .argument('<file...>', 'programs to look at')
      .action(async (files: string[], options: SearchOptions) =>
        finish(await actions.files(verb, files, settingsOf(options), options.jobs)),
      );

  addEngineOption(
    fileVerb('check', 'decide robustness, and show the execution that breaks it'),
  ).option('--all-attacks', 'decide every attack instead of stopping at the first feasible one');
  addEngineOption(fileVerb('explain', 'show a witness step by step: buffers, memory, and why'));
  fileVerb('reach', 'compare final states and properties under SC and under TSO');
  addEngineOption(fileVerb('bench', 'print one row a file, in the columns of [BDM13] Table 2'));
  addCommonOptions(program.command('convert'))
    .description('write a program in another format')
    .argument('<file>', 'program to convert')
    .addOption(
      new Option('--to <format>', 'format of the output')
        .choices(outputFormats)
        .makeOptionMandatory(),
    )
    .option('-o, --output <file>', 'where to write it, as a whole or not at all; else stdout')
    .action(async (file: string, options: ConvertOptions) => {
      const { from, to, output } = options;
      const colour = colourOf(options, process.stderr);
      finish(
        await actions.convert(file, {
          ...(from && { from }),
          to,
          ...(output !== undefined && { output }),
          colour,
        }),
      );
    });
  return program;
}
