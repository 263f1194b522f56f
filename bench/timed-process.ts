import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';

/** The output and CPU time of a process. */
export interface TimedProcess {
  readonly stdout: string;
  readonly stderr: string;
  /** The exit status of the process; 128 plus the number of the signal, if a signal ended it. */
  readonly exitCode: number | undefined;
  /** The user and system time of the whole process, in milliseconds. */
  readonly cpu: number;
}

const script = 'TIMEFORMAT="%U %S"; time bash -c "ulimit -t \\$0; exec \\"\\$@\\"" "$@"';

/** Runs a program to the end, or for `seconds` of CPU time; bash's `time` measures the use. */
export function timedProcess(
  command: string,
  args: readonly string[],
  { seconds = 600, cwd = process.cwd() } = {},
): TimedProcess {
  const result = spawnSync('bash', ['-c', script, 'bash', String(seconds), command, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const { stdout, stderr } = result;
  const lines = stderr.trimEnd().split('\n');
  const [user, system] = (lines.pop() ?? '').split(' ').map(Number);
  if (user === undefined || system === undefined || Number.isNaN(user + system))
    throw new Error(`bash did not tell the time: ${stderr}`);
  return {
    stdout,
    stderr: lines.join('\n'),
    exitCode: result.status ?? undefined,
    cpu: Math.round((user + system) * 1000),
  };
}

/** Whether the process was ended for exceeding its time. */
export function isOutOfTime({ exitCode }: TimedProcess): boolean {
  const { SIGXCPU, SIGKILL } = constants.signals;
  return exitCode === 128 + SIGXCPU || exitCode === 128 + SIGKILL;
}

/** Whether a program can be started. */
export function isInstalled(command: string): boolean {
  return spawnSync('bash', ['-c', 'command -v "$1"', 'bash', command]).status === 0;
}

/** Returns the run in the middle, if the runs are ordered by the figure. */
export function median<T>(runs: readonly T[], figure: (run: T) => number): T {
  return [...runs].sort((a, b) => figure(a) - figure(b))[Math.floor((runs.length - 1) / 2)]!;
}
