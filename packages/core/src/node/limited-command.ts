import { findProgram } from './find-program.js';

/** Limits for an external program, enforced by the operating system. */
export interface ProgramLimits {
  /** The maximum processor time of the program in seconds. */
  readonly cpu: number;
  /** The maximum address space of the program in bytes; unlimited if absent. */
  readonly addressSpace?: number;
}

/** A program with arguments. */
interface CommandWithArguments {
  readonly command: string;
  readonly args: readonly string[];
}

const shell = '/bin/sh';

/**
 * A shell script that sets limits and then runs a program in its place: no core dumps, no files
 * with content, limited processor time and memory. `$3` is a `setpriv` command, which makes the
 * program end together with the starting thread, if supported.
 */
const script = `
{
  ulimit -c 0
  ulimit -f 0
  ulimit -S -t "$1"
  [ -z "$2" ] || ulimit -v "$2"
} 2>/dev/null
leash=$3
shift 3
if [ -n "$leash" ] && "$leash" --pdeathsig KILL "$leash" --version >/dev/null 2>&1; then
  exec "$leash" --pdeathsig KILL -- "$@"
fi
exec "$@"
`;

/**
 * Returns a command that runs a given command within limits, and is killed when the starting thread
 * ends in any way. Returns the given command itself if the shell, or a program for the limits, is
 * missing.
 */
export function limitedCommand(
  { command, args }: CommandWithArguments,
  { cpu, addressSpace }: ProgramLimits,
  folder: string,
): CommandWithArguments {
  const program = findProgram(command, folder);
  if (program === undefined || findProgram(shell, folder) === undefined) return { command, args };
  const kibibytes = addressSpace === undefined ? '' : String(Math.ceil(addressSpace / 1024));
  const leash = findProgram('setpriv', folder) ?? '';
  const limits = [String(Math.ceil(cpu)), kibibytes, leash];
  return { command: shell, args: ['-c', script, 'sh', ...limits, program, ...args] };
}
