import { CommanderError } from 'commander';
import { commandLine } from './command-line.js';
import { exitCodes } from './exit-codes.js';
import { internalErrorText } from './internal-error.js';

// Whoever reads our output may have seen enough (`fencewright ... | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.brokenPipe);
  throw error;
});

function fail(error: unknown): void {
  process.stderr.write(internalErrorText(error));
  process.exitCode = exitCodes.internal;
}

process.on('uncaughtException', (error) => {
  fail(error);
  process.exit();
});

const program = commandLine(
  {
    // Loaded when needed: --version and --help should not wait for the engines.
    files: async (...task) => (await import('./run-files.js')).runFiles(...task),
    verifyCertificate: async (...task) =>
      (await import('./verbs/verify-certificate.js')).verifyCertificateFile(...task),
    cover: async (...task) => (await import('./verbs/cover.js')).coverFile(...task),
    convert: async (...task) => (await import('./verbs/convert.js')).convertFile(...task),
  },
  (code) => (process.exitCode = code),
);

program.parseAsync().catch((error: unknown) => {
  if (error instanceof CommanderError)
    process.exitCode = error.exitCode === 0 ? exitCodes.robust : exitCodes.usage;
  else fail(error);
});
