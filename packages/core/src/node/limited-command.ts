import { findProgram } from './find-program.js';

/** What a program may use up that somebody else wrote; the system looks after it. */
export interface ProgramLimits {
  /** Seconds of processor time. */
  readonly cpu: number;
  /** Bytes of address space; as many as it likes if absent. */
  readonly addressSpace?: number;
}

/** A program with its arguments. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

const shell = '/bin/sh';

/**
 * Sets limits and becomes the program: no core, no file with anything in it, so much processor
 * time, so much memory. `$3` is a `setpriv`, which has the program end with who started it, as far
 * as it knows how.
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
 * A command that runs another one within limits, and has it killed when the thread that started it
 * is gone, however it ended. The command itself where there is no shell to do so, or no such
 * program.
 */
export function limitedCommand(
  { command, args }: Command,
  { cpu, addressSpace }: ProgramLimits,
  folder: string,
): Command {
  const program = findProgram(command, folder);
  if (program === undefined || findProgram(shell, folder) === undefined) return { command, args };
  const kibibytes = addressSpace === undefined ? '' : String(Math.ceil(addressSpace / 1024));
  const leash = findProgram('setpriv', folder) ?? '';
  const limits = [String(Math.ceil(cpu)), kibibytes, leash];
  return { command: shell, args: ['-c', script, 'sh', ...limits, program, ...args] };
}
