import { runCommand } from '../../src/run-command.js';

/** The output and exit code of a run of the command line within this process. */
export interface RunHere {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the command line within this process, which is faster than a new process; only one run at a
 * time.
 */
export async function runHere(args: readonly string[]): Promise<RunHere> {
  const written = { stdout: '', stderr: '' };
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write.bind(stream));
  process.stdout.write = (text: string) => ((written.stdout += text), true);
  process.stderr.write = (text: string) => ((written.stderr += text), true);
  try {
    return { code: await runCommand(args), ...written };
  } finally {
    streams.forEach((stream, i) => (stream.write = writes[i]!));
  }
}
