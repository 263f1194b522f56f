import { Command, Option } from 'commander';
import { addAdvancedOptions, createSolverOption } from './advanced-options.js';
import {
  addColourOptions,
  addCommonOptions,
  addEngineOption,
  addLimitOptions,
  addNotionOption,
  addSearchOptions,
  colourOf,
  coloursOf,
  defaultMemory,
  type CommonOptions,
  type LimitOptions,
  limitsOf,
  type SearchOptions,
  settingsOf,
} from './common-options.js';
import type { ExitCode } from './exit-codes.js';
import {
  addCostOptions,
  addFenceOptions,
  costChoiceOf,
  type CostOptions,
  type FenceOptions,
  fenceSettingsOf,
} from './fence-options.js';
import { netOutputFormats, type OutputFormat, outputFormats } from './formats.js';
import { positive, wholeFrom } from './option-values.js';
import { addPictureOptions, pictureComplaint } from './picture-options.js';
import type { FileVerb } from './run-on-file.js';
import type { Settings } from './settings.js';
import type { CoverSettings } from './verbs/cover.js';
import type { ConvertSettings } from './verbs/convert.js';
import type { VerifySettings } from './verbs/verify-certificate.js';
import { version } from './version.js';

interface FileOptions extends SearchOptions {
  readonly certificate?: string;
  readonly jobs: number;
}

interface ConvertOptions extends CommonOptions {
  readonly to: OutputFormat;
  readonly attack?: string;
  readonly output?: string;
  readonly maxMemory?: number;
  readonly timeout?: number;
}

interface ProveOptions extends SearchOptions {
  readonly property?: readonly string[];
  readonly certificate?: string;
  readonly infer?: boolean;
}

type VerifyOptions = CommonOptions & LimitOptions & CostOptions;

/** What the verbs do, loaded only when one of them is asked for. */
export interface Actions {
  readonly files: (
    verb: FileVerb,
    files: readonly string[],
    settings: Settings,
    jobs: number,
  ) => Promise<ExitCode>;
  readonly verifyCertificate: (
    certificate: string,
    program: string,
    settings: VerifySettings,
  ) => Promise<ExitCode>;
  readonly convert: (file: string, settings: ConvertSettings) => Promise<ExitCode>;
  readonly cover: (file: string, settings: CoverSettings) => Promise<ExitCode>;
}

type Finish = (code: ExitCode) => void;

const epilog = `
Files: .fw is the native language, .txt and .trencher are Trencher's, .litmus litmus tests for x86 and in C, .rmm Memorax's;
- is standard input (native, unless --from says else).
Limits hold for each file. Ctrl-C stops a search, which then says what it knows.

Exit codes: 0 robust, 10 not robust, 5 unknown, 64 wrong usage, 65 errors in the input, 70 a fault of fencewright.
With several files, the first of 70, 65, 10, 5, 0 that occurs. For fence, 0 means that a set was found, 10 that there is none;
for prove, 0 means that it is proved; for verify-certificate, that it holds, and 10 that it does not; for cover, that no target can be covered, and that one can;
for trf, that there is no triangular race (with --fence: that fences were found), and that there is one.`;

function addFileVerb(
  program: Command,
  verb: FileVerb,
  description: string,
  actions: Actions,
  finish: Finish,
): Command {
  return addSearchOptions(program.command(verb))
    .option(
      '--jobs <n>',
      'files to work on at the same time; of a single file, searches: long ones share out attackers, and --engine spin its queries',
      wholeFrom(1),
      1,
    )
    .description(description)
    .argument('<file...>', 'programs to look at')
    .action(async (files: string[], options: FileOptions, command: Command) => {
      const complaint = pictureComplaint(files, options);
      if (complaint !== undefined) command.error(`error: ${complaint}`);
      const { certificate, jobs } = options;
      if (certificate !== undefined && files.length > 1)
        command.error('error: --certificate is for one file');
      const settings = {
        ...settingsOf(options),
        ...(certificate !== undefined && { certificate }),
      };
      finish(await actions.files(verb, files, settings, jobs));
    });
}

function addCheckingVerb(...verb: Parameters<typeof addFileVerb>): Command {
  return addAdvancedOptions(addEngineOption(addFileVerb(...verb)));
}

function addFence(program: Command, actions: Actions, finish: Finish): void {
  addFenceOptions(addNotionOption(addSearchOptions(program.command('fence'))))
    .description('find the cheapest fences that make a program robust, and insert them')
    .argument('<file>', 'program to mend')
    .action(async (file: string, options: FenceOptions, command: Command) => {
      const settings = { ...settingsOf(options), fence: fenceSettingsOf(command, file, options) };
      finish(await actions.files('fence', [file], settings, 1));
    });
}

function addVerifyCertificate(program: Command, actions: Actions, finish: Finish): void {
  const costHelp = 'the costs, as for fence; needed only if they came from a file';
  const command = addCommonOptions(program.command('verify-certificate'));
  addCostOptions(addLimitOptions(command), costHelp)
    .description(
      'check that a certificate proves what it was written for: a fence set cheapest, any number of threads robust, a target out of reach',
    )
    .argument('<certificate>', 'what --certificate of another verb wrote')
    .argument('<program>', 'the program it is about, without the fences, or the net')
    .action(async (certificate: string, file: string, options: VerifyOptions) => {
      const { from } = options;
      const costs = costChoiceOf(options);
      finish(
        await actions.verifyCertificate(certificate, file, {
          ...(from && { from }),
          ...(costs && { costs }),
          limits: limitsOf(options),
          colours: coloursOf(options),
        }),
      );
    });
}

function addConvert(program: Command, actions: Actions, finish: Finish): void {
  addCommonOptions(program.command('convert'))
    .description('write a program in another format')
    .argument('<file>', 'program to convert')
    .addOption(
      new Option('--to <format>', 'format of the output')
        .choices(outputFormats)
        .makeOptionMandatory(),
    )
    .option(
      '--attack <thread:store:load>',
      'write the program instrumented for an attack, store and load by label or line, or for any of them: any',
    )
    .option('-o, --output <file>', 'where to write it, as a whole or not at all; else stdout')
    .option('--max-memory <MiB>', 'for nets: give up when they are this large', wholeFrom(1))
    .option('--timeout <seconds>', 'for nets: give up after this long', positive)
    .action(async (file: string, options: ConvertOptions, command: Command) => {
      const { from, to, attack, output, maxMemory = defaultMemory, timeout } = options;
      const isLimited = options.maxMemory !== undefined || timeout !== undefined;
      if (isLimited && !(netOutputFormats as readonly string[]).includes(to))
        command.error(`error: --max-memory and --timeout are for ${netOutputFormats.join(', ')}`);
      const colour = colourOf(options, process.stderr);
      finish(
        await actions.convert(file, {
          ...(from && { from }),
          to,
          ...(attack !== undefined && { attack }),
          ...(output !== undefined && { output }),
          colour,
          limits: limitsOf({ maxMemory, ...(timeout !== undefined && { timeout }) }),
        }),
      );
    });
}

interface CoverOptions extends Omit<CommonOptions, 'from'>, LimitOptions {
  readonly from?: CoverSettings['from'];
  readonly initial?: string;
  readonly target?: string;
  readonly engine: CoverSettings['engine'];
  readonly certificate?: string;
  readonly json?: boolean;
}

function addCover(program: Command, actions: Actions, finish: Finish): void {
  addLimitOptions(addColourOptions(program.command('cover')))
    .description('decide whether a Petri net or a thread-transition system can cover a target')
    .argument('<net>', "a net in mist's format (.spec) or a system in BFC's (.tts)")
    .addOption(
      new Option('--from <format>', 'format of the input, whatever its name').choices([
        'mist',
        'tts',
      ]),
    )
    .option(
      '--initial <S|L/L>',
      'for .tts: shared state, a thread at each local state; any number behind /',
    )
    .option(
      '--target <S|L,L>',
      'for .tts: what is to be covered; else in the file, or in FILE.prop',
    )
    .addOption(
      new Option('--engine <name>', 'which way to search; both takes turns')
        .choices(['both', 'forward', 'backward'])
        .default('both'),
    )
    .option('--certificate <file>', 'where to write the proof that no target can be covered')
    .option('--json', 'print one JSON document instead of text')
    .action(async (file: string, options: CoverOptions) => {
      const { from, initial, target, engine, certificate, json = false } = options;
      finish(
        await actions.cover(file, {
          ...(from && { from }),
          question: {
            ...(initial !== undefined && { initial }),
            ...(target !== undefined && { target }),
          },
          engine,
          ...(certificate !== undefined && { certificate }),
          json,
          limits: limitsOf(options),
          colours: coloursOf(options),
        }),
      );
    });
}

function addProve(program: Command, actions: Actions, finish: Finish): void {
  addSearchOptions(program.command('prove'))
    .description(
      'prove robustness for unbounded data and any number of threads, by movers and read abstraction',
    )
    .argument('<file...>', 'programs to look at')
    .option('--property <name...>', 'show also that these invariants or properties hold under TSO')
    .option(
      '--infer',
      'look for invariants and abstractions where they are needed, and show the program with them',
    )
    .option('--certificate <file>', 'where to write the proof as SMT-LIB, for any solver to check')
    .addOption(createSolverOption(''))
    .action(async (files: string[], options: ProveOptions, command: Command) => {
      const { property: properties, certificate, infer } = options;
      if (certificate !== undefined && files.length > 1)
        command.error('error: --certificate is for one file');
      const proof = {
        ...(properties && { properties }),
        ...(certificate !== undefined && { certificate }),
        ...(infer && { infer }),
      };
      finish(await actions.files('prove', files, { ...settingsOf(options), proof }, 1));
    });
}

/** The command line: verbs, options, help. The exit code of the verb that runs goes to `finish`. */
export function commandLine(actions: Actions, finish: Finish): Command {
  const program = new Command('fencewright')
    .description('Checks lock-free programs for robustness against TSO, the memory model of x86.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(--help shows how)')
    .addHelpText('after', epilog);
  addNotionOption(
    addCheckingVerb(
      program,
      'check',
      'decide robustness, and show the execution that breaks it',
      actions,
      finish,
    ),
  )
    .option('--all-attacks', 'decide every attack instead of stopping at the first feasible one')
    .option('--prove', 'where the search has no answer, try a proof (see prove), then Horn clauses')
    .addOption(
      new Option(
        '--certificate <file>',
        'where to write the proof that any number of threads is robust, for verify-certificate',
      ).conflicts('prove'),
    )
    .option('--sarif <file>', 'where to write the findings as SARIF 2.1.0, for code scanning')
    .option('--junit <file>', 'where to write the verdicts as a JUnit report, one case a file');
  addFence(program, actions, finish);
  addVerifyCertificate(program, actions, finish);
  addPictureOptions(
    addNotionOption(
      addCheckingVerb(
        program,
        'explain',
        'show a witness step by step: buffers, memory, and why',
        actions,
        finish,
      ),
    ),
  );
  addFileVerb(
    program,
    'reach',
    'compare final states and properties under SC and under TSO',
    actions,
    finish,
  ).option(
    '--buffer <n>',
    'explore only executions with at most this many stores in a buffer, where states are infinitely many',
    wholeFrom(1),
  );
  addFileVerb(
    program,
    'trf',
    'look for triangular races in sequentially consistent executions; without one, a program is robust',
    actions,
    finish,
  ).option('--fence', 'find the cheapest fences that leave no triangular race');
  addNotionOption(
    addCheckingVerb(
      program,
      'bench',
      'print one row a file, in the columns of [BDM13] Table 2',
      actions,
      finish,
    ),
  )
    .option('--no-fences', 'leave out column F, the size of a smallest fence set')
    .addOption(
      new Option('--suite <name>', 'search, or the columns of [BEMT18] Table 1: reduction')
        .choices(['search', 'reduction'])
        .default('search'),
    );
  addConvert(program, actions, finish);
  addProve(program, actions, finish);
  addCover(program, actions, finish);
  return program;
}
