import { CommanderError } from 'commander';
import { commandLine } from './command-line.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { internalErrorText } from './internal-error.js';

/**
 * Does what the arguments behind the name of the command say, writes to the standard streams, and
 * gives the exit code.
 */
export async function runCommand(args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = exitCodes.robust;
  try {
    const program = await commandLine(args, (result) => (code = result));
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.robust : exitCodes.usage;
    process.stderr.write(internalErrorText(error));
    return exitCodes.internal;
  }
}
