import path from 'node:path';
import { readTable } from './files.js';
import { isOutOfTime, median, timedProcess } from './timed-process.js';
import { milliseconds, ratio, type Table } from './tables.js';

const cli = path.join(path.dirname(import.meta.dirname), 'packages/cli/bin/fencewright.js');

/** The CPU time that whole processes take for one file, in milliseconds. */
export interface CommandFigures {
  readonly file: string;
  /** The CPU time of Node.js with an empty program, in milliseconds. */
  readonly empty: number;
  /**
   * The CPU time of each command, in milliseconds, in the order of the request; absent for a
   * command that gave no answer.
   */
  readonly commands: readonly (number | undefined)[];
  readonly peer?: number;
}

/** The exit statuses of an answer: yes and no. An unknown answer has a status of its own. */
const answers = [0, 10];

function runCommand(words: string, file: string, seconds: number): number | undefined {
  const done = timedProcess('node', [cli, ...words.split(' '), file], { seconds });
  const { exitCode, cpu, stderr } = done;
  if (exitCode !== undefined && answers.includes(exitCode)) return cpu;
  const reason = isOutOfTime(done) ? 'out of time' : `exit code ${exitCode}, ${stderr}`;
  process.stderr.write(`${words} ${file}: ${reason}\n`);
  return undefined;
}

/** Returns the median of several runs, if every run gave an answer. */
function middle(runs: readonly (number | undefined)[]): number | undefined {
  const all = runs.filter((run) => run !== undefined);
  return all.length < runs.length ? undefined : median(all, (value) => value);
}

/**
 * Runs an empty Node program, and the built `fencewright` with each of the commands, in turns, so
 * that all runs meet the same load of the machine. The median of the runs counts. `table`, if
 * given, has the times of another tool (the peer), which are printed next to ours.
 */
export function measureCommands(
  commands: readonly string[],
  files: readonly string[],
  table: string | undefined,
  { runs, timeout }: { readonly runs: number; readonly timeout: number },
  note: (line: string) => void,
): CommandFigures[] {
  const known = table === undefined ? undefined : readTable(table);
  return files.map((file) => {
    note(file);
    const name = path.basename(file);
    const turns = Array.from({ length: runs }, () => ({
      empty: timedProcess('node', ['-e', '0']).cpu,
      commands: commands.map((words) => runCommand(words, file, timeout)),
    }));
    const peer = known?.get(name)?.peerMilliseconds;
    return {
      file: name,
      empty: median(turns, (turn) => turn.empty).empty,
      commands: commands.map((_, c) => middle(turns.map((turn) => turn.commands[c]))),
      ...(peer !== undefined && { peer }),
    };
  });
}

/**
 * Returns a table of the figures. Its ratios are the time of the first command to that of the last,
 * and the time of the peer to that of the first command.
 */
export function commandsTable(
  commands: readonly string[],
  figures: readonly CommandFigures[],
): Table {
  const isCompared = commands.length > 1;
  const hasPeer = figures.some(({ peer }) => peer !== undefined);
  return {
    columns: [
      'file',
      'empty program ms',
      ...commands.flatMap((words) => [`${words} ms`, 'above empty ms']),
      ...(isCompared ? ['first/last'] : []),
      ...(hasPeer ? ['peer ms', 'peer/first'] : []),
    ],
    rows: figures.map(({ file, empty, commands: cpus, peer }) => [
      file,
      milliseconds(empty),
      ...cpus.flatMap((cpu) => [milliseconds(cpu), milliseconds(cpu && cpu - empty)]),
      ...(isCompared ? [ratio(cpus[0], cpus.at(-1))] : []),
      ...(hasPeer ? [milliseconds(peer), ratio(peer, cpus[0])] : []),
    ]),
  };
}
