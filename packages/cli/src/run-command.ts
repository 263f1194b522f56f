import { CommanderError } from 'commander';
import { commandLine } from './command-line.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { internalErrorText } from './internal-error.js';

/** Does what the arguments behind the name of the command say, writes to the standard streams, and gives the exit code. */
export async function runCommand(args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = exitCodes.robust;
  const program = commandLine(
    {
      // Loaded when needed: --version and --help should not wait for the engines.
      files: async (...task) => (await import('./run-files.js')).runFiles(...task),
      verifyCertificate: async (certificate, file, settings) =>
        (await import('./run-watched.js')).runWatched(
          'verifyCertificate',
          [certificate, ...(file === undefined ? [] : [file])],
          [certificate, file, settings],
        ),
      cover: async (file, settings) =>
        (await import('./run-watched.js')).runWatched('cover', [file], [file, settings]),
      convert: async (file, settings) =>
        (await import('./run-watched.js')).runWatched('convert', [file], [file, settings]),
    },
    (result) => (code = result),
  );
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.robust : exitCodes.usage;
    process.stderr.write(internalErrorText(error));
    return exitCodes.internal;
  }
}
