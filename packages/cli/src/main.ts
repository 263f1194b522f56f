import { writeFailure } from './write-failure.js';
import { exitCodes } from './exit-codes.js';
import { internalErrorText } from './internal-error.js';
import { runCommand } from './run-command.js';

// A reader of the output may stop early (`fencewright ... | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.brokenPipe);
  process.stderr.write(`fencewright: standard output cannot be written: ${writeFailure(error)}\n`);
  process.exit(exitCodes.usage);
});

process.on('uncaughtException', (error) => {
  process.stderr.write(internalErrorText(error));
  process.exitCode = exitCodes.internal;
  process.exit();
});

/** Resolves when the command line has run and the exit status is set. */
export const ended = runCommand(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
