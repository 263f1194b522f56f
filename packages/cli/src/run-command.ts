import { CommanderError } from 'commander';
import { existsSync } from 'node:fs';
import { commandLine } from './command-line.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { internalErrorText } from './internal-error.js';
import { verbs } from './verbs.js';

/**
 * Whether an argument is a file, and not a misspelt verb: the file exists, or the argument looks
 * like a path.
 */
function namesFile(argument: string): boolean {
  return argument === '-' || /[./\\]/.test(argument) || existsSync(argument);
}

const asksForHelp: readonly string[] = ['-h', '--help', '-V', '--version'];

/** Words for contents of the playground; readers of the manual may mistake the words for verbs. */
const ofPlayground: ReadonlySet<string> = new Set([
  ...['course', 'courses', 'exercise', 'exercises', 'lesson', 'lessons'],
  ...['gui', 'learn', 'teach', 'tutorial', 'web'],
]);

/**
 * Adds the verb `check` with all questions (robustness, assertions, properties and states) to
 * arguments without a verb. Options may stand before the files.
 */
function withVerb(args: readonly string[]): readonly string[] {
  const [first, second] = args;
  if (first === '-v' && args.length === 1) return ['--version'];
  // Help about a verb that does not exist is an error, as the verb is.
  if (first === 'help' && second !== undefined && !second.startsWith('-'))
    return Object.hasOwn(verbs, second) ? args : [second];
  if (first === undefined || asksForHelp.includes(first)) return args;
  const isOption = first.startsWith('-') && first !== '-';
  if (isOption && args.some((arg) => arg === 'help' || Object.hasOwn(verbs, arg))) return args;
  const isFile = isOption ? args.some(namesFile) : !Object.hasOwn(verbs, first) && namesFile(first);
  return isFile ? ['check', '--answers', '--model', 'tso', ...args] : args;
}

/**
 * Runs the command line `given` (without the command's own name), writes to the standard streams,
 * and returns the exit status.
 */
export async function runCommand(given: readonly string[]): Promise<ExitCode> {
  const args = withVerb(given);
  let code: ExitCode = exitCodes.robust;
  try {
    const program = await commandLine(args, (result) => (code = result));
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      const [, option = ''] = /unknown option '(-[^-'][^']*)'/.exec(error.message) ?? [];
      if (option !== '' && (await import('./options/clang-arguments.js')).looksLikeClang(option))
        process.stderr.write(`  hint: arguments for clang stand behind --: FILE.c -- ${option}\n`);
      const [, command = ''] = /unknown command '(.*?)'/.exec(error.message) ?? [];
      if (ofPlayground.has(command))
        process.stderr.write('  hint: fencewright playground serves the tutorial and the course\n');
      return error.exitCode === 0 ? exitCodes.robust : exitCodes.usage;
    }
    process.stderr.write(internalErrorText(error));
    return exitCodes.internal;
  }
}
