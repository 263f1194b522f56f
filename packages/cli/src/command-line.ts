import { ciComplaint } from './ci-options.js';
import { Command, Option } from 'commander';
import { addAdvancedOptions, createSolverOption } from './advanced-options.js';
import {
  addColourOptions,
  addCommonOptions,
  addEngineOption,
  addLimitOptions,
  addNotionOption,
  addSearchOptions,
  addTimeAndMemory,
  colourOf,
  coloursOf,
  type CommonOptions,
  type LimitOptions,
  limitsOf,
  type SearchOptions,
  settingsOf,
} from './common-options.js';
import type { ExitCode } from './exit-codes.js';
import { failOnList } from './fail-on.js';
import {
  addCostOptions,
  addFenceOptions,
  costChoiceOf,
  type CostOptions,
  type FenceOptions,
  fenceSettingsOf,
} from './fence-options.js';
import { filesInWords, netInputFormats, type OutputFormat, outputFormats } from './formats.js';
import { wholeFrom } from './option-values.js';
import { addPictureOptions, pictureComplaint } from './picture-options.js';
import type { FileVerb } from './file-verb.js';
import type { Settings } from './settings.js';
import type { CoverSettings } from './verbs/cover.js';
import type { ConvertSettings } from './verbs/convert.js';
import type { VerifySettings } from './verbs/verify-certificate.js';
import { version } from './version.js';

interface FileOptions extends SearchOptions {
  readonly certificate?: string;
  readonly jobs: number;
}

interface ConvertOptions extends CommonOptions, LimitOptions {
  readonly to: OutputFormat;
  readonly attack?: string;
  readonly output?: string;
}

interface ProveOptions extends SearchOptions {
  readonly property?: readonly string[];
  readonly certificate?: string;
  readonly script?: string;
  readonly infer?: boolean;
}

type VerifyOptions = CommonOptions & LimitOptions & CostOptions & { readonly solvers?: string };

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
    program: string | undefined,
    settings: VerifySettings,
  ) => Promise<ExitCode>;
  readonly convert: (file: string, settings: ConvertSettings) => Promise<ExitCode>;
  readonly cover: (file: string, settings: CoverSettings) => Promise<ExitCode>;
}

type Finish = (code: ExitCode) => void;

const epilog = `
Files: ${filesInWords()};
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
      const complaint = pictureComplaint(files, options) ?? ciComplaint(options);
      if (complaint !== undefined) command.error(`error: ${complaint}`);
      const { certificate, jobs } = options;
      if (certificate !== undefined && files.length > 1)
        command.error('error: --certificate is for one file');
      if (certificate !== undefined && verb === 'trf' && !options.fence)
        command.error('error: --certificate needs --fence');
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
    .option(
      '--solvers <names>',
      'for proofs: the SMT solvers to ask, between commas; all of them have to agree (z3,cvc5)',
    )
    .description(
      'check from the definitions, with code of its own, that a certificate proves what it was written for',
    )
    .argument('<certificate>', 'what --certificate of another verb wrote')
    .argument(
      '[program]',
      'the program it is about, without the fences, or the net; without it the answer is about the automata in the certificate',
    )
    .action(async (certificate: string, file: string | undefined, options: VerifyOptions) => {
      const { from, solvers } = options;
      const costs = costChoiceOf(options);
      finish(
        await actions.verifyCertificate(certificate, file, {
          ...(from && { from }),
          ...(costs && { costs }),
          ...(solvers !== undefined && { solvers: solvers.split(',') }),
          limits: limitsOf(options),
          colours: coloursOf(options),
        }),
      );
    });
}

function addConvert(program: Command, actions: Actions, finish: Finish): void {
  addTimeAndMemory(addCommonOptions(program.command('convert')))
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
    .action(async (file: string, options: ConvertOptions) => {
      const { from, to, attack, output } = options;
      const colour = colourOf(options, process.stderr);
      finish(
        await actions.convert(file, {
          ...(from && { from }),
          to,
          ...(attack !== undefined && { attack }),
          ...(output !== undefined && { output }),
          limits: limitsOf(options),
          colour,
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
      new Option('--from <format>', 'format of the input, whatever its name').choices(
        netInputFormats,
      ),
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
    .option(
      '--property <name>',
      'show also that this invariant or property holds under TSO; may be given several times',
      (name: string, names: readonly string[] | undefined) => [...(names ?? []), name],
    )
    .option(
      '--infer',
      'look for invariants and abstractions where they are needed, and show the program with them',
    )
    .option('--certificate <file>', 'where to write the proof, for verify-certificate')
    .option('--script <file>', 'where to write the questions that were asked, as SMT-LIB')
    .addOption(createSolverOption(''))
    .action(async (files: string[], options: ProveOptions, command: Command) => {
      const { property: properties, certificate, script, infer } = options;
      for (const [name, value] of Object.entries({ certificate, script }))
        if (value !== undefined && files.length > 1)
          command.error(`error: --${name} is for one file`);
      const proof = {
        ...(properties && { properties }),
        ...(certificate !== undefined && { certificate }),
        ...(script !== undefined && { script }),
        ...(infer && { infer }),
      };
      finish(await actions.files('prove', files, { ...settingsOf(options), proof }, 1));
    });
}

function addReach(program: Command, actions: Actions, finish: Finish): void {
  addFileVerb(
    program,
    'reach',
    'compare final states and properties under SC and under TSO',
    actions,
    finish,
  )
    .option(
      '--buffer <n>',
      'explore only executions with at most this many stores in a buffer, where states are infinitely many',
      wholeFrom(1),
    )
    .option(
      '--html <file>',
      'where to write a page that shows an execution for each failure step by step, to open in a browser; - is stdout',
    );
}

function addCheck(program: Command, actions: Actions, finish: Finish): void {
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
    .addOption(
      new Option(
        '--fail-on <list>',
        'what makes the exit code 10 besides not-robust: vacuous (accesses that never run, threads that never reach their end; 5 where this was not looked for)',
      )
        .argParser(failOnList)
        .conflicts('prove'),
    )
    .option('--prove', 'where the search has no answer, try a proof (see prove), then Horn clauses')
    .addOption(
      new Option(
        '--certificate <file>',
        'where to write the proof that any number of threads is robust, for verify-certificate',
      ).conflicts('prove'),
    )
    .option(
      '--sarif <file>',
      'where to write the findings as SARIF 2.1.0, for code scanning; - is stdout',
    )
    .option(
      '--junit <file>',
      'where to write the verdicts as a JUnit report, one case a file; - is stdout',
    );
}

function addTrf(program: Command, actions: Actions, finish: Finish): void {
  addFileVerb(
    program,
    'trf',
    'look for triangular races in sequentially consistent executions; without one, a program is robust',
    actions,
    finish,
  )
    .option('--fence', 'find the cheapest fences that leave no triangular race')
    .option(
      '--certificate <file>',
      'with --fence: where to write the proof, for verify-certificate',
    );
}

/** The command line: verbs, options, help. The exit code of the verb that runs goes to `finish`. */
export function commandLine(actions: Actions, finish: Finish): Command {
  const program = new Command('fencewright')
    .description('Checks lock-free programs for robustness against TSO, the memory model of x86.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(--help shows how)')
    .addHelpText('after', epilog);
  addCheck(program, actions, finish);
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
  addReach(program, actions, finish);
  addTrf(program, actions, finish);
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
