import { Command, type Option } from 'commander';
import { defaultOf } from './command-table.js';
import type { ExitCode } from './exit-codes.js';
import { exitCodesInHelp } from './exit-codes-in-words.js';
import { filesInHelp } from './formats.js';
import { manualFolder } from './manual-folder.js';
import { runVerb } from './run-verb.js';
import type { Verb } from './verb.js';
import { addOptions } from './verb-options.js';
import { manyFiles, verbs } from './verbs.js';
import { version } from './version.js';

const epilog = (): string => `
\`fencewright FILE...\` is \`fencewright check --answers FILE...\`: all questions
about a program.

Files:
${filesInHelp()}
  -                         standard input (native, unless --from says else)
  A folder stands for the programs in it and below, a pattern in quotation marks
  ('tests/**/*.fw') for the files that match.

Manual: the pages docs/NAME.md and the programs examples/NAME are in
  ${manualFolder()}

${exitCodesInHelp()}`;

/** Returns the help text of an option, without a list of choices that the text already explains. */
function optionDescription(option: Option): string {
  const words = option.argChoices ?? [];
  const isExplained = words.every((word) => option.description.includes(word));
  const choices = isExplained ? '' : `: ${words.join(', ')}`;
  return `${option.description}${choices}${defaultOf(option)}`;
}

/** Whether a verb compiles programs in C, and so accepts arguments for clang after `--`. */
const takesClangArguments = ({ options }: Verb): boolean => 'ccArg' in options;

/** Returns the text after the options in a verb's help: arguments for clang, and examples. */
function afterOptions(verb: Verb): string {
  const { examples = [] } = verb;
  const lines = examples.map(([command, does]) => `  ${command}\n      ${does}\n`);
  return [
    ...(takesClangArguments(verb)
      ? ['\nArguments for clang stand behind --: -- -Iinclude -DNDEBUG\n']
      : []),
    ...(lines.length > 0 ? ['\nExamples:\n', ...lines] : []),
  ].join('');
}

/**
 * Adds the options and the action of a verb to a command; `behind` is the number of arguments after
 * `--`.
 */
function fill(
  command: Command,
  verb: Verb,
  operands: readonly string[],
  behind: number,
  finish: (code: ExitCode) => void,
): void {
  addOptions(command, verb, (line) => process.stderr.write(line));
  if (takesClangArguments(verb)) {
    command.usage(`[options] ${operands.join(' ')} [-- ...]`);
    command.allowExcessArguments();
  }
  command.addHelpText('after', afterOptions(verb));
  command.action(async () => {
    finish(await runVerb(command, verb, operands.includes(manyFiles), behind));
  });
}

/**
 * Returns the verb that the arguments name, as in `check` or `help check`; `undefined` if they name
 * none.
 */
function verbNamed(args: readonly string[]): string | undefined {
  return args.filter((arg) => !arg.startsWith('-')).find((arg) => arg !== 'help');
}

/**
 * Builds the command line: verbs, options, help. Only the verb named by `args` gets its options.
 * `finish` is called with the exit status of the verb.
 */
export async function commandLine(
  args: readonly string[],
  finish: (code: ExitCode) => void,
): Promise<Command> {
  const named = verbNamed(args);
  const program = new Command('fencewright')
    .description('Checks lock-free programs for robustness against TSO, the memory model of x86.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(--help shows how)')
    .configureHelp({ subcommandTerm: (command) => command.name(), optionDescription })
    .addHelpText('after', epilog);
  const behind = args.includes('--') ? args.length - args.indexOf('--') - 1 : 0;
  for (const [name, { summary, operands, load }] of Object.entries(verbs)) {
    const command = program.command(name).description(summary);
    for (const [operand, help] of Object.entries(operands)) command.argument(operand, help);
    if (name === named) fill(command, await load(args), Object.keys(operands), behind, finish);
  }
  return program;
}
